//! What this session's person has asked for and what has not come about yet. The table takes the same wish twice without
//! a word; whoever writes a line is to be answered.

use app::Snapshot;
use app::api::{ApiError, ErrorCode};
use table::{Command, EventKind};

/// Accepted commands whose event has not come.
#[derive(Debug, Default)]
pub(crate) struct UnderWay {
    commands: Vec<Command>,
}

impl UnderWay {
    /// Refuses what is so already, and offers and answers that are on their way: a second one may come into effect after
    /// the first. Their events are known to the letter, so that the next one is never held back by one that is done.
    pub(crate) fn check(&self, command: &Command, seen: &Snapshot) -> Result<(), ApiError> {
        if let Some(told) = said_before(command, seen) {
            return Err(ApiError::new(ErrorCode::Stale, told));
        }
        let counts_twice = matches!(command, Command::Offer(_) | Command::Answer { .. });
        if counts_twice && self.has(command) { Err(on_its_way()) } else { Ok(()) }
    }

    /// The same is on its way, as far as is known.
    pub(crate) fn has(&self, command: &Command) -> bool {
        self.commands.iter().any(|earlier| is_same(earlier, command))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// A command was accepted.
    pub(crate) fn note(&mut self, command: Command) {
        match command {
            Command::Offer(_)
            | Command::Answer { .. }
            | Command::Ready
            | Command::Resign
            | Command::Hold { .. }
            | Command::CpuNow { .. } => {
                if !self.has(&command) {
                    self.commands.push(command);
                }
            }
            // A move on its way is a ghost. The others are done at once, or end the session.
            Command::Play(_)
            | Command::Sit { .. }
            | Command::SitHere { .. }
            | Command::AskToStand { .. }
            | Command::Stand
            | Command::Touched
            | Command::GoOn
            | Command::Say { .. }
            | Command::Pin(_)
            | Command::Leave => {}
        }
    }

    /// Takes off what an event fulfils.
    pub(crate) fn hear(&mut self, kind: &EventKind, my_seat: Option<u8>) {
        match kind {
            EventKind::Asked { seat, .. } if my_seat == Some(*seat) => {
                self.commands.retain(|command| !matches!(command, Command::Offer(_)));
            }
            EventKind::Answered { seat, .. } if my_seat == Some(*seat) => self.forget_answers(),
            // What was to be answered is answered by others.
            EventKind::AskClosed { .. } => self.forget_answers(),
            // Whoever was ready is so no longer.
            EventKind::Agreed => self.commands.retain(|command| *command != Command::Ready),
            // Another log, another game, or none: what was on its way may have nowhere to arrive.
            EventKind::Rewound { .. } | EventKind::Halted | EventKind::Start { .. } | EventKind::End { .. } => {
                self.forget();
            }
            EventKind::Table
            | EventKind::Seat { .. }
            | EventKind::Move { .. }
            | EventKind::YourTurn { .. }
            | EventKind::Keeper { .. }
            | EventKind::Resigned { .. }
            | EventKind::Asked { .. }
            | EventKind::Answered { .. }
            | EventKind::Undone { .. }
            | EventKind::Final { .. }
            | EventKind::Link { .. }
            | EventKind::Said { .. } => {}
        }
    }

    /// Takes off what is so by now.
    pub(crate) fn look(&mut self, seen: &Snapshot) {
        self.commands.retain(|command| match command {
            Command::Ready => said_before(command, seen).is_none(),
            Command::Hold { .. } | Command::CpuNow { .. } => {
                said_before(command, seen).is_none() && away(seen).next().is_some()
            }
            Command::Resign => seen.state.as_ref().is_some_and(|state| {
                let resigned = |seat| state.current.as_ref().is_some_and(|current| current.resigned.contains(&seat));
                state.playing() && !seen.my_seat.is_some_and(resigned)
            }),
            Command::Offer(_)
            | Command::Answer { .. }
            | Command::Play(_)
            | Command::Sit { .. }
            | Command::SitHere { .. }
            | Command::AskToStand { .. }
            | Command::Stand
            | Command::Touched
            | Command::GoOn
            | Command::Say { .. }
            | Command::Pin(_)
            | Command::Leave => true,
        });
    }

    /// One of them was refused after all; nobody says which.
    pub(crate) fn forget(&mut self) {
        self.commands.clear();
    }

    fn forget_answers(&mut self) {
        self.commands.retain(|command| !matches!(command, Command::Answer { .. }));
    }
}

/// What is told of a line that says the same once more.
pub(crate) fn on_its_way() -> ApiError {
    ApiError::new(ErrorCode::Stale, "this is on its way already: wait a moment")
}

/// Whether one of the two is enough, or all that there can be.
fn is_same(earlier: &Command, later: &Command) -> bool {
    if let (Command::Answer { offer: one, .. }, Command::Answer { offer: other, .. }) = (earlier, later) {
        // The second may be about the same offer.
        return one.is_none() || other.is_none() || one == other;
    }
    earlier == later
}

/// What is so already, in words.
fn said_before(command: &Command, seen: &Snapshot) -> Option<&'static str> {
    let state = seen.state.as_ref()?;
    let at = |seat: u8| state.seats.get(usize::from(seat));
    let named = if let Command::Hold { seat } | Command::CpuNow { seat } = command { *seat } else { None };
    let mut meant = away(seen).filter(|&seat| named.is_none_or(|named| named == seat));
    match command {
        Command::Play(_) => seen.ghost.as_ref().map(|_| "your move is on its way already: wait a moment"),
        Command::Ready => {
            let ready = !state.playing() && seen.my_seat.and_then(at).is_some_and(|own| own.ready);
            ready.then_some("you are ready already: state tells who is waited for")
        }
        Command::Hold { .. } => {
            let held = meant.next().and_then(at).is_some_and(|seat| seat.hold);
            held.then_some("this seat is waited for without end already: write cpu-now to end that")
        }
        Command::CpuNow { .. } => {
            let asked = meant.next().and_then(at).is_some_and(|seat| seat.asked);
            asked.then_some("the CPU is to play there already: wait a moment")
        }
        Command::Offer(_)
        | Command::Answer { .. }
        | Command::Resign
        | Command::Sit { .. }
        | Command::SitHere { .. }
        | Command::AskToStand { .. }
        | Command::Stand
        | Command::Touched
        | Command::GoOn
        | Command::Say { .. }
        | Command::Pin(_)
        | Command::Leave => None,
    }
}

/// The seats that are waited for.
fn away(seen: &Snapshot) -> impl Iterator<Item = u8> {
    (0..seen.presence.len() as u8).filter(|&seat| seen.is_waited_for(seat))
}

#[cfg(test)]
mod tests {
    use table::{Closed, Hash, Proposal};

    use super::*;

    const UNDO: Command = Command::Offer(Proposal::Undo);

    fn asked(seat: u8) -> EventKind {
        EventKind::Asked { id: Hash([1; 32]), seat, what: table::Asked::Undo }
    }

    fn under_way(commands: &[Command]) -> UnderWay {
        let mut under_way = UnderWay::default();
        commands.iter().cloned().for_each(|command| under_way.note(command));
        under_way
    }

    #[test]
    fn an_offer_is_under_way_until_it_is_told() {
        let mut commands = under_way(&[UNDO, Command::Ready]);
        commands.hear(&asked(1), Some(0));
        assert_eq!(commands.commands.len(), 2, "that was somebody else's");
        commands.hear(&asked(0), Some(0));
        assert_eq!(commands.commands, [Command::Ready]);
    }

    #[test]
    fn an_answer_is_under_way_until_it_or_its_offers_end_is_told() {
        let id = Hash([1; 32]);
        let yes = Command::Answer { offer: None, yes: true };
        for end in [
            EventKind::Answered { id, seat: 0, yes: true },
            EventKind::AskClosed { id, why: Closed::Moved },
            EventKind::Rewound { index: 3 },
        ] {
            let mut commands = under_way(std::slice::from_ref(&yes));
            commands.hear(&EventKind::Answered { id, seat: 1, yes: true }, Some(0));
            assert_eq!(commands.commands.len(), 1, "{end:?}");
            commands.hear(&end, Some(0));
            assert_eq!(commands.commands, [], "{end:?}");
        }
    }

    #[test]
    fn two_answers_to_what_may_be_one_offer_are_the_same() {
        let answer = |offer: Option<u8>, yes| Command::Answer { offer: offer.map(|id| Hash([id; 32])), yes };
        assert!(is_same(&answer(None, true), &answer(None, false)));
        assert!(is_same(&answer(Some(1), true), &answer(None, true)));
        assert!(is_same(&answer(Some(1), true), &answer(Some(1), false)));
        assert!(!is_same(&answer(Some(1), true), &answer(Some(2), true)));
        assert!(is_same(&UNDO, &UNDO));
        assert!(!is_same(&UNDO, &Command::Offer(Proposal::Draw)));
    }
}
