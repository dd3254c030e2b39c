//! The UDP socket and the QUIC endpoint on it; opened again when the system takes it away.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use socket2::{Domain, Protocol, Socket, Type};

use crate::NetError;
use crate::accept::Pending;
use crate::limits::{PORT_PREFERRED, PORT_RETRY, PORT_WAIT, REOPEN_LONGEST};
use crate::link::CloseCode;
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
    while !shared.stopping() {
        let Some(endpoint) = shared.endpoint() else { return };
        let incoming = tokio::select! {
            incoming = endpoint.accept() => incoming,
            () = shared.renew.notified() => {
                drop(endpoint);
                tracing::info!("the UDP socket is opened anew");
                renew(&shared, &mut pending).await;
                continue;
            }
            () = shared.stopped() => return,
        };
        drop(endpoint);
        match incoming {
            Some(incoming) => pending.admit(&shared, incoming),
            None if shared.stopping() => return,
            None => {
                if lock(&shared.log).is_due() {
                    tracing::warn!("the UDP socket failed and is opened again");
                }
                renew(&shared, &mut pending).await;
            }
        }
    }
}

/// Opens another socket in the place of one that failed, or that may have (phones take it away in their sleep). All
/// links are lost, and redialled over the new one. The port stays the same if it can be had again in a moment.
async fn renew(shared: &Shared, pending: &mut Pending) {
    let before = shared.port();
    if let Some(old) = lock(&shared.endpoint).take() {
        old.close(CloseCode::Renewed.number().into(), b"");
    }
    pending.clear();
    // The old socket is gone when its connections have ended, which they do by themselves.
    let since = tokio::time::Instant::now();
    let mut wait = PORT_RETRY;
    let endpoint = loop {
        let same = open(Some(before), &shared.server);
        let opened = if since.elapsed() < PORT_WAIT { same } else { same.or_else(|_| open(None, &shared.server)) };
        if let Ok(endpoint) = opened {
            break endpoint;
        }
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = shared.stopped() => return,
        }
        if since.elapsed() >= PORT_WAIT {
            wait = (wait * 2).min(REOPEN_LONGEST);
        }
    };
    let port = endpoint.local_addr().map_or(0, |address| address.port());
    shared.port.store(port, Ordering::Relaxed);
    *lock(&shared.endpoint) = Some(endpoint);
    if shared.stopping() {
        shared.end();
    }
    shared.network_changed();
}
