//! The browser door: serves the built UI, and carries the app's commands and events over a WebSocket, to the one browser
//! that was given its address. Only this machine can reach it. It holds no rule and no state of the game.

mod gate;
mod limits;
mod pages;
mod socket;

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;

use app::App;
use app::api::{ApiError, AppEvent};
use axum::Router;
use axum::routing::get;
use axum::serve::ListenerExt;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::{broadcast, watch};

pub use limits::{CALLS_MAX, CLOSE_WAIT, KNOWN_FOR, MESSAGE_BYTES_MAX, SEND_WAIT, SOCKETS_MAX};

use gate::Gate;

/// What the door leads to: the app, or in tests something in its place.
pub trait Backend: Clone + Send + Sync + 'static {
    /// Carries out a command by its name.
    fn call(&self, name: &str, args: Value) -> impl Future<Output = Result<Value, ApiError>> + Send;

    /// Everything that the UI is told from now on.
    fn events(&self) -> broadcast::Receiver<AppEvent>;
}

impl Backend for App {
    async fn call(&self, name: &str, args: Value) -> Result<Value, ApiError> {
        App::call(self, name, args).await
    }

    fn events(&self) -> broadcast::Receiver<AppEvent> {
        App::events(self)
    }
}

/// Why the door does not open.
#[derive(Debug, thiserror::Error)]
pub enum DoorError {
    /// Take another port, or end the other program.
    #[error("TCP port {} is in use by another program: end it, or choose another with --listen {}:PORT", .0.port(), .0.ip())]
    PortInUse(SocketAddr),
    /// Other machines could reach it there.
    #[error("{0} can be reached from other machines, and the door is for this one only: listen on 127.0.0.1")]
    NotLoopback(SocketAddr),
    #[error("{address} cannot be listened on ({source}): choose another address with --listen")]
    Listen { address: SocketAddr, source: std::io::Error },
    #[error("the system gives no random numbers for the token: {0}")]
    Random(String),
}

/// An open door. It closes when this is dropped.
#[derive(Debug)]
pub struct Door {
    address: SocketAddr,
    token: String,
    closing: watch::Sender<bool>,
    ended: watch::Receiver<bool>,
}

/// What every request is answered from.
struct Hall<B> {
    backend: B,
    gate: Gate,
    closing: watch::Receiver<bool>,
    sockets: Arc<tokio::sync::Semaphore>,
}

/// Opens the door at a loopback address; port 0 takes any free one.
pub async fn serve<B: Backend>(backend: B, listen: SocketAddr) -> Result<Door, DoorError> {
    if !listen.ip().is_loopback() {
        return Err(DoorError::NotLoopback(listen));
    }
    let failed = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::AddrInUse => DoorError::PortInUse(listen),
        _ => DoorError::Listen { address: listen, source },
    };
    let listener = TcpListener::bind(listen).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let (gate, token) = Gate::new(address)?;
    let (closing, closed) = watch::channel(false);
    let hall =
        Hall { backend, gate, closing: closed.clone(), sockets: Arc::new(tokio::sync::Semaphore::new(SOCKETS_MAX)) };
    let (end, ended) = watch::channel(false);
    // A move is a small message: it shall not wait for more.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let sockets = Arc::clone(&hall.sockets);
    let server = axum::serve(listener, routes(hall)).with_graceful_shutdown(closing_down(closed.clone()));
    tokio::spawn(async move {
        let ends = async {
            if let Err(error) = server.await {
                tracing::error!(%error, "the browser door closed by itself");
            }
            // Pages are told that it closes; each gives its place back after that.
            let _ = sockets.acquire_many(SOCKETS_MAX as u32).await;
        };
        let late = async {
            closing_down(closed).await;
            tokio::time::sleep(CLOSE_WAIT).await;
        };
        tokio::select! { () = ends => {}, () = late => {} }
        end.send_replace(true);
    });
    Ok(Door { address, token, closing, ended })
}

fn routes<B: Backend>(hall: Hall<B>) -> Router {
    Router::new()
        .route("/", get(pages::index::<B>))
        .route("/ws", get(socket::open::<B>))
        .route("/{*path}", get(pages::file::<B>))
        .with_state(Arc::new(hall))
}

/// Returns when the door is to close, or was dropped.
async fn closing_down(mut closing: watch::Receiver<bool>) {
    let _ = closing.wait_for(|closing| *closing).await;
}

impl Door {
    /// The address to open in a browser, with the token that lets the first one in.
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits until the door has closed.
    pub async fn closed(&self) {
        let _ = self.ended.clone().wait_for(|ended| *ended).await;
    }

    /// Closes it: open pages are told, and no new ones let in.
    pub async fn shutdown(&self) {
        self.closing.send_replace(true);
        self.closed().await;
    }
}
