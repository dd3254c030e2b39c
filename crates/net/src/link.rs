//! One link while it is up: its messages in and out, its end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{mpsc, oneshot};

use crate::NetEvent;
use crate::limits::GOODBYE;
use crate::shared::{Greeted, Shared};
use crate::wire::{FrameEnd, LinkId, frame, read_message};

/// Why a connection is closed, as the other side is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CloseCode {
    Goodbye,
    /// Another connection of the same pair is the link.
    Replaced,
    /// A newer process of the same device is at the table.
    Elsewhere,
    /// Too much waits to be sent.
    Slow,
    Barred,
    Malformed,
    /// Not the device that was to be reached.
    Stranger,
    Refused,
    /// This side opens its endpoint anew: to be dialled again at once.
    Renewed,
}

impl CloseCode {
    pub fn number(self) -> u32 {
        match self {
            CloseCode::Goodbye => 0,
            CloseCode::Replaced => 1,
            CloseCode::Elsewhere => 2,
            CloseCode::Slow => 3,
            CloseCode::Barred => 4,
            CloseCode::Malformed => 5,
            CloseCode::Stranger => 6,
            CloseCode::Refused => 7,
            CloseCode::Renewed => 8,
        }
    }

    pub fn close(self, connection: &quinn::Connection) {
        connection.close(self.number().into(), b"");
    }

    /// Whether the other side closed the connection with this.
    pub fn closed(self, connection: &quinn::Connection) -> bool {
        matches!(connection.close_reason(), Some(quinn::ConnectionError::ApplicationClosed(close))
            if close.error_code == quinn::VarInt::from_u32(self.number()))
    }
}

/// Where the other side is, without the IPv6 clothes of an IPv4 address.
pub(crate) fn address(connection: &quinn::Connection) -> SocketAddr {
    let address = connection.remote_address();
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

pub(crate) struct Task {
    pub id: LinkId,
    pub greeted: Greeted,
    pub queued: mpsc::Receiver<Vec<u8>>,
    pub queued_bytes: Arc<AtomicUsize>,
    /// The end of the link before this one.
    pub previous: Option<oneshot::Receiver<()>>,
    pub done: oneshot::Sender<()>,
    pub address: SocketAddr,
}

impl Task {
    pub async fn run(self, shared: Arc<Shared>) {
        let Task { id, greeted, mut queued, queued_bytes, previous, done, address } = self;
        let Greeted { table, peer, connection, mut send, mut receive, preface, .. } = greeted;
        if let Some(previous) = previous {
            let _ = previous.await;
        }
        shared.emit(NetEvent::LinkUp { table, peer, address }).await;
        tracing::debug!(%table, %peer, %address, "link up");

        let read = async {
            loop {
                match read_message(&mut receive).await {
                    Ok(bytes) => shared.emit(NetEvent::Message { table, peer, bytes }).await,
                    Err(end) => return end,
                }
            }
        };
        let write = write_all(&mut send, preface, &mut queued, &queued_bytes);
        let code = tokio::select! {
            end = read => match end {
                FrameEnd::Finished | FrameEnd::Lost => CloseCode::Goodbye,
                FrameEnd::Malformed => CloseCode::Malformed,
            },
            () = write => CloseCode::Goodbye,
            () = shared.stopped() => CloseCode::Goodbye,
        };
        // Before our own close, which would hide what the other side said.
        let elsewhere = CloseCode::Elsewhere.closed(&connection);
        let goodbye = connection.close_reason().is_none() || CloseCode::Goodbye.closed(&connection);
        code.close(&connection);
        tracing::debug!(%table, %peer, reason = ?connection.close_reason(), "link down");
        shared.ended(table, peer, id, goodbye && code == CloseCode::Goodbye);
        if elsewhere {
            shared.elsewhere(table, address).await;
        }
        shared.emit(NetEvent::LinkDown { table, peer }).await;
        drop(done);
        shared.gone(table, peer, id);
    }
}

/// Sends all that is queued, until the link is taken out and its queue is empty; then says so, and waits a moment for
/// the other side to have it. Returns early when the connection is lost.
async fn write_all(
    send: &mut quinn::SendStream,
    preface: Vec<u8>,
    queued: &mut mpsc::Receiver<Vec<u8>>,
    queued_bytes: &AtomicUsize,
) {
    if send.write_all(&preface).await.is_err() {
        return;
    }
    while let Some(message) = queued.recv().await {
        if send.write_all(&frame(&message)).await.is_err() {
            return;
        }
        queued_bytes.fetch_sub(message.len(), Ordering::Relaxed);
    }
    if send.finish().is_ok() {
        let _ = tokio::time::timeout(GOODBYE, send.stopped()).await;
    }
}
