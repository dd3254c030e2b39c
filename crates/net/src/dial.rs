//! The side that dials: one task for each device to be reached, for as long as it is to be.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use table::{DeviceId, TableId};
use tokio::task::JoinSet;

use crate::NetEvent;
use crate::accept::new_link;
use crate::identity;
use crate::limits::{LOG_INTERVAL, PENDING_TIMEOUT, REDIAL_FIRST, REDIAL_LONGEST, ROUNDS_MAX, WORSE_ADDRESS_WAIT};
use crate::link::CloseCode;
use crate::links::{Plan, Whom};
use crate::shared::{Decision, Greeted, Shared, lock};
use crate::wire::{Answer, Code, Opening, Wants, frame, read_greeting};

/// How one dialling of one address, or of all of a device's, came out.
#[derive(Clone, Debug)]
enum Outcome {
    Linked(DeviceId),
    Refused {
        address: SocketAddr,
        code: Code,
        program: String,
    },
    /// The address is this device's own.
    Own,
    Stranger,
    Failed(String),
}

/// Waits that double, each shaken by a quarter so that two devices do not stay in step.
struct Backoff {
    next: Duration,
}

impl Backoff {
    fn new() -> Backoff {
        Backoff { next: REDIAL_FIRST }
    }

    fn wait(&mut self) -> Duration {
        let wait = self.next.mul_f64(rand::random_range(0.75..1.25));
        self.next = (self.next * 2).min(REDIAL_LONGEST);
        wait
    }
}

/// When a round is due, by what is dialled.
struct Pace {
    backoff: Backoff,
    due: Instant,
    dialled: (Vec<SocketAddr>, u32),
}

/// What to do about rounds now.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Wait,
    Dial,
    /// Dial, and give up the rounds that are under way.
    DialAnew,
}

impl Pace {
    fn new(now: Instant) -> Pace {
        Pace { backoff: Backoff::new(), due: now, dialled: (vec![], 0) }
    }

    /// Whatever is dialled next is dialled at once.
    fn start_anew(&mut self, now: Instant) {
        (self.backoff, self.due) = (Backoff::new(), now);
    }

    /// Where the device is known to be elsewhere, or to be back, rounds to where it was do not keep it waiting.
    fn step(&mut self, addresses: &[SocketAddr], came_back: u32, under_way: usize, now: Instant) -> Step {
        let is_new = (addresses, came_back) != (&self.dialled.0, self.dialled.1);
        if is_new {
            self.start_anew(now);
            self.dialled = (addresses.to_vec(), came_back);
        }
        let full = under_way >= ROUNDS_MAX;
        if now < self.due || full && !is_new {
            return Step::Wait;
        }
        self.due = now + self.backoff.wait();
        if full { Step::DialAnew } else { Step::Dial }
    }
}

/// Dials until the target is taken out: at once when its link is lost, when it has new addresses or is seen again after
/// it had gone, else with backoff.
pub(crate) async fn keep(shared: Arc<Shared>, table: TableId, whom: Whom) {
    let mut changed = shared.changed.subscribe();
    let mut rounds: JoinSet<Outcome> = JoinSet::new();
    let mut pace = Pace::new(Instant::now());
    let mut logged: Option<Instant> = None;
    let mut network = shared.network.subscribe();
    while !shared.stopping() {
        changed.borrow_and_update();
        let now = Instant::now();
        if network.has_changed().unwrap_or(false) {
            // What was tried over the network as it was says nothing about how it is now.
            network.borrow_and_update();
            rounds = JoinSet::new();
            pace.start_anew(now);
        }
        let wake = match shared.plan(table, &whom) {
            Plan::End => return,
            Plan::Rest => {
                rounds = JoinSet::new();
                pace.start_anew(now);
                None
            }
            Plan::Until(moment) => Some(moment),
            Plan::Dial { addresses, came_back } => {
                let step = pace.step(&addresses, came_back, rounds.len(), now);
                if step == Step::DialAnew {
                    rounds = JoinSet::new();
                }
                if step != Step::Wait {
                    rounds.spawn(round(shared.clone(), table, whom.clone(), addresses));
                }
                (pace.due > now).then_some(pace.due)
            }
        };
        tokio::select! {
            changed = changed.changed() => if changed.is_err() { return },
            () = sleep_until(wake) => {}
            Some(Ok(outcome)) = rounds.join_next(), if !rounds.is_empty() => {
                if let Outcome::Failed(why) = &outcome
                    && logged.is_none_or(|logged| now.duration_since(logged) > LOG_INTERVAL)
                {
                    tracing::debug!(%table, why, "not reached");
                    logged = Some(now);
                }
                settle(&shared, table, &whom, outcome).await;
            }
        }
    }
}

async fn sleep_until(wake: Option<Instant>) {
    match wake {
        Some(wake) => tokio::time::sleep_until(wake.into()).await,
        None => std::future::pending().await,
    }
}

async fn settle(shared: &Arc<Shared>, table: TableId, whom: &Whom, outcome: Outcome) {
    match outcome {
        Outcome::Linked(_) => {
            shared.with(table, |followed| {
                if let Some(target) = followed.targets.get_mut(whom) {
                    target.linked_once = true;
                    target.told = None;
                }
            });
        }
        Outcome::Refused { address, code, program } => {
            let told = shared.with(table, |followed| followed.refused(whom, code, &program, Instant::now()));
            if let Some(why) = told.flatten() {
                shared.emit(NetEvent::Refused { table, address, why }).await;
            }
        }
        // All its addresses are ours. A device that is known may have others later.
        Outcome::Own if matches!(whom, Whom::Anybody(_)) => {
            shared.with(table, |followed| followed.targets.get_mut(whom).map(|target| target.give_up()));
        }
        Outcome::Own => {}
        Outcome::Stranger | Outcome::Failed(_) => {}
    }
}

/// Dials all addresses, the best kind first, the others a moment later, side by side; the first link wins.
async fn round(shared: Arc<Shared>, table: TableId, whom: Whom, addresses: Vec<SocketAddr>) -> Outcome {
    let kinds = lock(&shared.networks).by_kind(&addresses);
    let mut tries: JoinSet<Outcome> = JoinSet::new();
    let mut kinds = kinds.into_iter().peekable();
    let mut failure: Option<Outcome> = None;
    loop {
        for address in kinds.next().unwrap_or_default() {
            let (shared, whom) = (shared.clone(), whom.clone());
            tries.spawn(async move {
                let greeting = greet(&shared, table, &whom, address);
                match tokio::time::timeout(PENDING_TIMEOUT, greeting).await {
                    Ok(outcome) => outcome,
                    Err(_) => Outcome::Failed(format!("{address} does not answer")),
                }
            });
        }
        let turn = kinds.peek().map(|_| Instant::now() + WORSE_ADDRESS_WAIT);
        loop {
            let outcome = tokio::select! {
                outcome = tries.join_next() => outcome,
                () = sleep_until(turn) => break,
            };
            match outcome {
                Some(Ok(Outcome::Linked(peer))) => return Outcome::Linked(peer),
                Some(Ok(outcome)) => failure = Some(outcome.more_telling(failure)),
                Some(Err(_)) => {}
                None if turn.is_some() => break,
                None => return failure.unwrap_or_else(|| Outcome::Failed("no address".into())),
            }
        }
    }
}

impl Outcome {
    /// Of two failures of one round, the one that says more.
    fn more_telling(self, other: Option<Outcome>) -> Outcome {
        let weight = |outcome: &Outcome| match outcome {
            Outcome::Linked(_) => 4,
            Outcome::Refused { .. } => 3,
            Outcome::Stranger => 2,
            Outcome::Failed(_) => 1,
            Outcome::Own => 0,
        };
        match other {
            Some(other) if weight(&other) > weight(&self) => other,
            Some(_) | None => self,
        }
    }
}

/// From the first packet to the link or the refusal.
async fn greet(shared: &Arc<Shared>, table: TableId, whom: &Whom, address: SocketAddr) -> Outcome {
    let failed = |what: &str| Outcome::Failed(format!("{address}: {what}"));
    let Some(endpoint) = shared.endpoint() else { return failed("no socket now") };
    let connecting = match endpoint.connect_with(shared.client.clone(), address, "capture-five") {
        Ok(connecting) => connecting,
        Err(error) => return failed(&error.to_string()),
    };
    drop(endpoint);
    let connection = match connecting.await {
        Ok(connection) => connection,
        Err(error) => return failed(&error.to_string()),
    };
    let Some(peer) = identity::peer_of(&connection) else { return failed("no certificate") };
    if peer == shared.device {
        CloseCode::Stranger.close(&connection);
        return Outcome::Own;
    }
    let lost = shared.with(table, |followed| {
        let target = followed.targets.get_mut(whom)?;
        target.found = Some(peer);
        target.takes(whom, &peer).then(|| followed.last_lost(peer))
    });
    let Some(lost) = lost.flatten() else {
        CloseCode::Stranger.close(&connection);
        return Outcome::Stranger;
    };
    let Ok((mut send, mut receive)) = connection.open_bi().await else { return failed("no stream") };
    let opening = Opening { wants: Wants::Link(table), session: shared.session, lost }.write(&shared.version);
    if send.write_all(&frame(&opening)).await.is_err() {
        return failed("lost");
    }
    let Ok(bytes) = read_greeting(&mut receive).await else { return failed("no answer") };
    let (code, session, link, program) = match Answer::read(&bytes, shared.version.protocol) {
        Ok((_, Some(answer))) if answer.code == Code::Accepted => (None, answer.session, answer.link, String::new()),
        Ok((theirs, Some(answer))) => (Some(answer.code), answer.session, 0, theirs.program),
        Ok((theirs, None)) => (Some(Code::Version), [0; 16], 0, theirs.program),
        Err(_) => {
            CloseCode::Malformed.close(&connection);
            return failed("malformed answer");
        }
    };
    if let Some(code) = code {
        CloseCode::Refused.close(&connection);
        return Outcome::Refused { address, code, program };
    }
    let decides = shared.decides(&peer);
    if decides != (link == 0) {
        CloseCode::Malformed.close(&connection);
        return failed("malformed answer");
    }
    let (link, preface, decision) = if decides {
        let link = new_link();
        (link, link.to_le_bytes().to_vec(), Decision::Ours { lost: 0 })
    } else {
        (link, vec![], Decision::Theirs)
    };
    let greeted = Greeted { table, peer, session, connection: connection.clone(), send, receive, preface };
    match shared.take(link, greeted, decision) {
        Ok(()) => Outcome::Linked(peer),
        Err(code) => {
            let close = if code == Code::Elsewhere { CloseCode::Elsewhere } else { CloseCode::Replaced };
            close.close(&connection);
            failed("not taken")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_to_where_a_device_was_do_not_keep_it_waiting_where_it_is() {
        let [old, new] = [1, 2].map(|n| SocketAddr::from(([10, 0, 0, n], 40515)));
        let start = Instant::now();
        let mut pace = Pace::new(start);
        let mut now = start;
        for under_way in 0..ROUNDS_MAX {
            assert_eq!(pace.step(&[old], 1, under_way, now), Step::Dial);
            assert_eq!(pace.step(&[old], 1, under_way + 1, now), Step::Wait);
            now = pace.due;
        }
        assert_eq!(pace.step(&[old], 1, ROUNDS_MAX, now), Step::Wait, "they are enough");
        assert_eq!(pace.step(&[new, old], 1, ROUNDS_MAX, now), Step::DialAnew);
        assert_eq!(pace.step(&[new, old], 1, 1, now), Step::Wait);
        assert_eq!(pace.step(&[new, old], 2, ROUNDS_MAX, now), Step::DialAnew, "it is back");
        assert_eq!(pace.step(&[old], 2, 1, now), Step::Dial, "there is room");
    }
}
