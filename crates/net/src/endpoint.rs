//! The UDP socket and the QUIC endpoint on it; opened again when the system takes it away.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use socket2::{Domain, Protocol, Socket, Type};

use crate::NetError;
use crate::accept::Pending;
use crate::limits::{PORT_PREFERRED, REDIAL_FIRST, REOPEN_LONGEST};
use crate::shared::{Shared, lock};

/// Opens the endpoint on the asked port, or else on the preferred one where it is free.
pub(crate) fn open(port: Option<u16>, server: &quinn::ServerConfig) -> Result<quinn::Endpoint, NetError> {
    let socket = match port {
        Some(port) => bind(port).map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => NetError::PortInUse { port },
            _ => NetError::Socket(error),
        })?,
        None => bind(PORT_PREFERRED).or_else(|_| bind(0)).map_err(NetError::Socket)?,
    };
    let runtime = Arc::new(quinn::TokioRuntime);
    quinn::Endpoint::new(quinn::EndpointConfig::default(), Some(server.clone()), socket, runtime)
        .map_err(NetError::Socket)
}

/// One socket for IPv4 and IPv6 where the system has both.
fn bind(port: u16) -> io::Result<UdpSocket> {
    let both = || -> io::Result<Socket> {
        let socket = Socket::new(Domain::IPV6, Type::DGRAM, Some(Protocol::UDP))?;
        socket.set_only_v6(false)?;
        socket.bind(&SocketAddr::from((Ipv6Addr::UNSPECIFIED, port)).into())?;
        Ok(socket)
    };
    let socket = match both() {
        Ok(socket) => socket,
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => return Err(error),
        Err(_) => {
            let socket = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::UDP))?;
            socket.bind(&SocketAddr::from((Ipv4Addr::UNSPECIFIED, port)).into())?;
            socket
        }
    };
    Ok(socket.into())
}

/// Takes in handshakes until the network ends.
pub(crate) async fn serve(shared: Arc<Shared>) {
    let mut pending = Pending::default();
    loop {
        let endpoint = shared.endpoint();
        let incoming = tokio::select! {
            incoming = endpoint.accept() => incoming,
            () = shared.stopped() => return,
        };
        match incoming {
            Some(incoming) => pending.admit(&shared, incoming),
            None if shared.stopping() => return,
            None => reopen(&shared).await,
        }
    }
}

/// The socket failed (phones take it away in their sleep): all links are lost, and redialled over a new one.
async fn reopen(shared: &Shared) {
    tracing::warn!("the UDP socket failed and is opened again");
    let mut wait = REDIAL_FIRST;
    loop {
        let opened = open(Some(shared.port()), &shared.server).or_else(|_| open(None, &shared.server));
        if let Ok(endpoint) = opened {
            shared.port.store(endpoint.local_addr().map_or(0, |address| address.port()), Ordering::Relaxed);
            *lock(&shared.endpoint) = endpoint;
            shared.look_again();
            return;
        }
        tokio::select! {
            () = tokio::time::sleep(wait) => wait = (wait * 2).min(REOPEN_LONGEST),
            () = shared.stopped() => return,
        }
    }
}
