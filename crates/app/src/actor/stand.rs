//! Giving a seat up for good: nobody is to learn of it too late, and nothing that only this device has is put away.

use table::{Command, Millis, Seat, Sitter, Table};
use tokio::sync::oneshot;

use super::Actor;
use super::unseated::{nobody_answers, not_known_yet};
use crate::api::ApiError;

/// How long giving a seat up waits for the keeper.
const STAND_WAIT_MS: Millis = 3_000;

/// A seat is being given up: done when another device knows it, too, for else it would be nobody's news.
pub(super) struct Standing {
    /// Whoever asked for it is told by then how it stands.
    pub(super) until: Millis,
    pub(super) reply: Option<oneshot::Sender<Result<(), ApiError>>>,
    /// The newest entry when the seat was first seen to be given up in this device's log.
    gone_at: Option<u32>,
}

impl Standing {
    pub(super) fn new(now: Millis, reply: oneshot::Sender<Result<(), ApiError>>) -> Standing {
        Standing { until: now + STAND_WAIT_MS, reply: Some(reply), gone_at: None }
    }
}

impl Actor {
    pub(super) fn stand(&mut self, now: Millis) -> Result<(), ApiError> {
        if self.table.cut_off() {
            return Err(nobody_answers());
        }
        Ok(self.table.command(Command::Stand, now)?)
    }

    /// Leaves once the seat is given up and another device has that on its disk, where there is one.
    pub(super) fn stand_up(&mut self, now: Millis) {
        let Some(standing) = &mut self.standing else { return };
        let known = self.table.state().is_some();
        if known && self.table.my_seat().is_none() {
            let head = self.table.head().map_or(0, |(index, _)| index);
            let gone_at = *standing.gone_at.get_or_insert(head);
            if is_known(&self.table, gone_at) {
                if let Some(reply) = standing.reply.take() {
                    let _ = reply.send(Ok(()));
                }
                self.standing = None;
                // Somebody who is not here knows nothing of what happened without them: it is kept for when they are.
                let retire = self.all_are_here();
                return self.leave(None, retire);
            }
        } else if known && standing.gone_at.take().is_some() {
            // The others went on without knowing of it: it is still wanted.
            let _ = self.table.command(Command::Stand, now);
        }
        if now >= standing.until
            && let Some(reply) = standing.reply.take()
        {
            let error = if standing.gone_at.is_some() { not_known_yet() } else { nobody_answers() };
            let _ = reply.send(Err(error));
        }
    }

    fn all_are_here(&self) -> bool {
        let is_here = |seat: &Seat| seat.here || !matches!(seat.sitter, Sitter::Person { .. });
        self.table.state().is_some_and(|state| state.seats.iter().all(is_here))
    }
}

/// Whether an entry needs this device no more. Another's disk is enough: this one may take nothing.
fn is_known(table: &Table, entry: u32) -> bool {
    table.final_upto() >= Some(entry) || table.on_another_disk() >= Some(entry)
}
