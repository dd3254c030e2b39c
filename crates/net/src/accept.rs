//! The side that is dialled: handshakes under way, bounded, and the answers to their openings.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;

use table::DeviceId;
use tokio::task::AbortHandle;

use crate::identity;
use crate::limits::{CONNECTIONS_MAX, PENDING_MAX, PENDING_PER_ADDRESS_MAX, PENDING_TIMEOUT, PENDING_UNPROVEN_MAX};
use crate::link::{self, CloseCode};
use crate::shared::{Decision, Greeted, Shared};
use crate::wire::{Answer, Code, LinkId, Opening, Wants, frame, read_greeting};

/// Handshakes under way, the oldest first. Whoever floods us pushes out its own.
#[derive(Default)]
pub(crate) struct Pending {
    tasks: VecDeque<(IpAddr, AbortHandle)>,
}

impl Pending {
    /// Ends them all.
    pub fn clear(&mut self) {
        self.tasks.drain(..).for_each(|(_, task)| task.abort());
    }

    pub fn admit(&mut self, shared: &Arc<Shared>, incoming: quinn::Incoming) {
        if shared.endpoint().is_none_or(|endpoint| endpoint.open_connections() >= CONNECTIONS_MAX) {
            return incoming.ignore();
        }
        self.tasks.retain(|(_, task)| !task.is_finished());
        if self.tasks.len() >= PENDING_UNPROVEN_MAX && !incoming.remote_address_validated() && incoming.may_retry() {
            // The error gives the handshake back; it is dropped, which refuses it.
            let _ = incoming.retry();
            return;
        }
        let address = incoming.remote_address().ip().to_canonical();
        let same = self.tasks.iter().filter(|(other, _)| *other == address).count();
        let oldest = if same >= PENDING_PER_ADDRESS_MAX {
            self.tasks.iter().position(|(other, _)| *other == address)
        } else {
            (self.tasks.len() >= PENDING_MAX).then_some(0)
        };
        if let Some((_, task)) = oldest.and_then(|at| self.tasks.remove(at)) {
            task.abort();
        }
        let shared = shared.clone();
        let task = tokio::spawn(async move {
            tokio::select! {
                result = tokio::time::timeout(PENDING_TIMEOUT, greet(&shared, incoming)) => if result.is_err() {
                    tracing::debug!(%address, "a handshake took too long");
                },
                () = shared.stopped() => {}
            }
        });
        self.tasks.push_back((address, task.abort_handle()));
    }
}

/// From the first packet to the link or the refusal. Whatever fails here ends the connection and nothing else.
async fn greet(shared: &Arc<Shared>, incoming: quinn::Incoming) {
    let Ok(connecting) = incoming.accept() else { return };
    let Ok(connection) = connecting.await else { return };
    let Some(peer) = identity::peer_of(&connection) else { return CloseCode::Malformed.close(&connection) };
    let Ok((send, mut receive)) = connection.accept_bi().await else { return };
    let Ok(bytes) = read_greeting(&mut receive).await else { return CloseCode::Malformed.close(&connection) };
    match Opening::read(&bytes, shared.version.protocol) {
        Err(_) => CloseCode::Malformed.close(&connection),
        Ok((theirs, None)) => {
            let address = link::address(&connection);
            refuse(shared, connection, send, Code::Version).await;
            shared.turned_away(address, &theirs.program).await;
        }
        Ok((_, Some(opening))) => answer(shared, peer, opening, connection, send, receive).await,
    }
}

async fn answer(
    shared: &Arc<Shared>,
    peer: DeviceId,
    opening: Opening,
    connection: quinn::Connection,
    mut send: quinn::SendStream,
    mut receive: quinn::RecvStream,
) {
    if peer == shared.device {
        // Ourselves, by an address that we did not know for our own, or the same key in another process: its links
        // are with the others.
        return CloseCode::Stranger.close(&connection);
    }
    let Opening { wants, session, lost } = opening;
    let table = match wants {
        Wants::Link(table) => table,
        Wants::Listed | Wants::Invited => return tell(shared, connection, send, wants).await,
    };
    let decision = if shared.decides(&peer) { Decision::Ours { lost } } else { Decision::Theirs };
    if let Err(code) = shared.screen(table, peer, session, &decision) {
        return refuse(shared, connection, send, code).await;
    }
    let greeted = |send, receive, preface| Greeted {
        table,
        peer,
        session,
        connection: connection.clone(),
        send,
        receive,
        preface,
    };
    if shared.decides(&peer) {
        let link = new_link();
        let accepted =
            Answer { code: Code::Accepted, session: shared.session, link, table: None }.write(&shared.version);
        if let Err(code) = shared.take(link, greeted(send, receive, frame(&accepted)), decision) {
            tracing::debug!(?code, "a connection was overtaken");
            CloseCode::Replaced.close(&connection);
        }
        return;
    }
    let accepted =
        Answer { code: Code::Accepted, session: shared.session, link: 0, table: None }.write(&shared.version);
    if send.write_all(&frame(&accepted)).await.is_err() {
        return;
    }
    let mut link = [0; 8];
    if receive.read_exact(&mut link).await.is_err() {
        if CloseCode::Elsewhere.closed(&connection) {
            shared.elsewhere(table, link::address(&connection)).await;
        }
        return;
    }
    let link = LinkId::from_le_bytes(link);
    if link == 0 || shared.take(link, greeted(send, receive, vec![]), decision).is_err() {
        CloseCode::Refused.close(&connection);
    }
}

/// Tells a table that one can come to.
async fn tell(shared: &Shared, connection: quinn::Connection, send: quinn::SendStream, wants: Wants) {
    let table = shared.table_to_tell(wants);
    let code = if table.is_some() { Code::Told } else { Code::NoSuchTable };
    let answer = Answer { code, session: shared.session, link: 0, table };
    finish(shared, connection, send, &answer).await;
}

async fn refuse(shared: &Shared, connection: quinn::Connection, send: quinn::SendStream, code: Code) {
    let answer = Answer { code, session: shared.session, link: 0, table: None };
    finish(shared, connection, send, &answer).await;
}

/// The last answer on a connection.
async fn finish(shared: &Shared, connection: quinn::Connection, mut send: quinn::SendStream, answer: &Answer) {
    let answer = answer.write(&shared.version);
    if send.write_all(&frame(&answer)).await.is_ok() && send.finish().is_ok() {
        // The dialler closes when it has read the answer.
        let _ = send.stopped().await;
    }
    CloseCode::Refused.close(&connection);
}

/// A new link's id.
pub(crate) fn new_link() -> LinkId {
    rand::random::<u64>() | 1
}
