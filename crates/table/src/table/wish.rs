//! What this device's person wants: signed, sent, and sent again until it is in the log or no longer valid
//! (PROTOCOL.md, section 5).

use super::*;
use crate::Act;
use crate::Sitter;
use crate::entry::{Body, Intent};
use crate::journal::Record;
use crate::message::Said;
use crate::seal::{Kind, Sealed};
use crate::state::{Invalid, commit_of};
use crate::{Hash, State};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// `None`: at the first open seat.
    Sit {
        seat: Option<u8>,
        name: String,
    },
    /// For somebody who shares this device.
    SitHere {
        seat: u8,
        name: String,
    },
    Stand {
        seat: u8,
    },
    Ready {
        seat: u8,
    },
    /// What a `ready` committed to; this device reveals by itself.
    Reveal {
        seat: u8,
        nonce: [u8; 32],
    },
    /// `by_clock`: the person's time was over.
    Play {
        action: Action,
        by_clock: bool,
    },
    Resign,
    Offer(Proposal),
    Answer {
        offer: Hash,
        yes: bool,
    },
    Hold {
        seat: u8,
    },
    CpuNow {
        seat: u8,
    },
}

/// What becomes of a want that is not valid as it is.
enum Outlook {
    /// It may be later.
    Waits,
    /// It has come about, or there is nothing in it any more.
    Over,
    Refused(CommandError),
}

impl Want {
    fn outlook(&self, invalid: Invalid) -> Outlook {
        match (self, invalid) {
            // Nobody sits down while the start is drawn; that takes a moment.
            (Want::Sit { .. } | Want::SitHere { .. }, Invalid::Toss) => Outlook::Waits,
            (Want::Ready { .. }, Invalid::GameRuns | Invalid::Toss) => Outlook::Over,
            (Want::Reveal { .. }, _) => Outlook::Over,
            (Want::Stand { .. }, Invalid::NotOwner) => Outlook::Over,
            (Want::Answer { .. }, Invalid::NoSuchOffer) => Outlook::Over,
            (Want::Hold { .. } | Want::CpuNow { .. }, Invalid::NotAway) => Outlook::Over,
            // Somebody moved by hand, or the game has ended: the clock wants nothing.
            (Want::Play { by_clock: true, .. }, _) => Outlook::Over,
            (_, invalid) => Outlook::Refused(invalid.told()),
        }
    }

    /// A plan that cannot be made is one of these where the want is about something that is gone.
    fn is_over(&self, error: &CommandError) -> bool {
        match self {
            Want::Ready { .. } => *error == CommandError::GameRuns,
            Want::Answer { .. } => *error == CommandError::NoSuchOffer,
            Want::Hold { .. } | Want::CpuNow { .. } => *error == CommandError::NotAway,
            Want::Reveal { .. } | Want::Play { by_clock: true, .. } => true,
            Want::Stand { .. } => *error == CommandError::NotSeated,
            Want::Sit { .. } | Want::SitHere { .. } | Want::Play { .. } | Want::Resign | Want::Offer(_) => false,
        }
    }
}

/// A want as it is signed now.
#[derive(Debug)]
pub(super) struct Wish {
    want: Want,
    seat: u8,
    sealed: Sealed,
    /// When it was last sent, and the term then.
    sent: Option<(Millis, u64)>,
    /// Entries of the log when it was last found valid.
    checked: u32,
    /// It is in the log, not yet shown.
    entered: bool,
}

impl Wish {
    pub fn as_move(&self) -> Option<&Action> {
        match &self.want {
            Want::Play { action, .. } => Some(action),
            Want::Sit { .. }
            | Want::SitHere { .. }
            | Want::Stand { .. }
            | Want::Ready { .. }
            | Want::Reveal { .. }
            | Want::Resign
            | Want::Offer(_)
            | Want::Answer { .. }
            | Want::Hold { .. }
            | Want::CpuNow { .. } => None,
        }
    }

    pub fn is_sit(&self) -> bool {
        matches!(self.want, Want::Sit { .. })
    }

    /// The log has gone back: what was in it may no longer be.
    pub fn not_entered(&mut self) {
        (self.entered, self.checked) = (false, u32::MAX);
    }

    pub fn next_sending(&self) -> Option<Millis> {
        self.sent.filter(|_| !self.entered).map(|(sent, _)| sent + ACT_AGAIN_MS)
    }
}

impl Table {
    pub(super) fn wish(&mut self, want: Want) -> Result<(), CommandError> {
        if !self.told.knows_table() {
            return Err(CommandError::NotReady);
        }
        if self.halt.is_some() {
            return Err(CommandError::Halted);
        }
        if self.wishes.iter().any(|wish| wish.want == want) {
            return Ok(());
        }
        if self.wishes.len() >= WISHES_MAX || matches!(want, Want::Play { .. }) && self.ghost().is_some() {
            return Err(CommandError::Stale);
        }
        let state = self.log.as_ref().map(Log::tip).ok_or(CommandError::NotReady)?;
        let Some((seat, act)) = plan(state, self.me, self.port.key(), &want)? else { return Ok(()) };
        let sealed = self.sign(seat, act);
        let log = self.log.as_ref().ok_or(CommandError::NotReady)?;
        let checked = log.len();
        match log.would_take(&*self.port, &sealed, seat) {
            // The numbers that others have seen of this device may be ahead of its own: it is signed anew then.
            Ok(()) | Err(Invalid::Seq) => {}
            Err(invalid) => match want.outlook(invalid) {
                Outlook::Waits => {}
                Outlook::Over | Outlook::Refused(_) => return Err(invalid.told()),
            },
        }
        if matches!(want, Want::Sit { .. }) {
            // Who taps another seat has changed its mind.
            self.wishes.retain(|wish| wish.entered || !wish.is_sit());
        }
        self.wishes.push(Wish { want, seat, sealed, sent: None, checked, entered: false });
        self.out.push_back(Output::Changed);
        Ok(())
    }

    /// Ready with every own seat whose player is there.
    pub(super) fn wish_ready(&mut self) -> Result<(), CommandError> {
        let seats = self.own_seats_there();
        if seats.is_empty() {
            return Err(if self.told.knows_table() { CommandError::NotSeated } else { CommandError::NotReady });
        }
        seats.into_iter().try_for_each(|seat| self.wish(Want::Ready { seat }))
    }

    /// Every own seat is given up, those of people who share this device with it.
    pub(super) fn wish_stand(&mut self) -> Result<(), CommandError> {
        let state = self.log.as_ref().map(Log::tip).ok_or(CommandError::NotReady)?;
        let seats = state.seats_of(self.me);
        if seats.is_empty() {
            return Err(if self.told.knows_table() { CommandError::NotSeated } else { CommandError::NotReady });
        }
        seats.into_iter().try_for_each(|seat| self.wish(Want::Stand { seat }))
    }

    /// An answer to this offer, or to the oldest that one of the own seats has to answer.
    pub(super) fn wish_answer(&mut self, offer: Option<Hash>, yes: bool) -> Result<(), CommandError> {
        let state = self.log.as_ref().map(Log::tip).ok_or(CommandError::NotReady)?;
        let own = |offer: &&crate::Offer| state.to_answer(offer).iter().any(|&seat| state.owner(seat) == Some(self.me));
        let oldest = || state.offers.iter().find(own).map(|offer| offer.id);
        let offer = offer.or_else(oldest).ok_or(CommandError::NoSuchOffer)?;
        self.wish(Want::Answer { offer, yes })
    }

    /// This seat, or the only one that is away.
    pub(super) fn away_seat(&self, seat: Option<u8>) -> Result<u8, CommandError> {
        let waited_for = self.log.as_ref().map(|log| log.tip().waited_for()).ok_or(CommandError::NotReady)?;
        match (seat, waited_for.as_slice()) {
            (Some(seat), _) => Ok(seat),
            (None, &[only]) => Ok(only),
            (None, _) => Err(CommandError::NotAway),
        }
    }

    /// When everybody is ready, this device reveals for its seats by itself.
    fn wish_reveals(&mut self) {
        let Some(log) = &self.log else { return };
        let own = log.shown().to_reveal().filter(|commit| commit.device == self.me);
        let own: Vec<(u8, u64)> = own.map(|commit| (commit.seat, commit.seq)).collect();
        for (seat, seq) in own {
            if self.wishes.iter().any(|wish| wish.seat == seat && matches!(wish.want, Want::Reveal { .. })) {
                continue;
            }
            let nonce = self.nonce(seat, seq);
            self.wish(Want::Reveal { seat, nonce }).ok();
        }
    }

    /// What the `ready` of this number commits to: this device can make it again, and nobody else can.
    fn nonce(&self, seat: u8, seq: u64) -> [u8; 32] {
        let game = self.log.as_ref().map_or(0, |log| log.tip().game_number()) + 1;
        let label = [b"c5/1/toss".as_slice(), &self.id.0, &game.to_le_bytes(), &[seat], &seq.to_le_bytes()].concat();
        self.port.hash(&self.port.sign(&label)).0
    }

    /// What stands for a person who shares this device: the hash of a secret that nobody else can make (PROTOCOL.md,
    /// section 12).
    fn guest(&self, seat: u8) -> [u8; 32] {
        let label = [b"c5/1/guest".as_slice(), &self.id.0, &[seat]].concat();
        self.port.hash(&self.port.hash(&self.port.sign(&label)).0).0
    }

    /// Signs an act for the newest position.
    pub(super) fn sign(&mut self, seat: u8, mut act: Act) -> Sealed {
        let tip = self.log.as_ref().map(Log::tip);
        let seen = tip.and_then(|state| state.seqs.get(&self.me)).copied().unwrap_or(0);
        self.seq = self.seq.max(seen) + 1;
        let at = tip.map_or(Hash([0; 32]), |state| state.at);
        let game = tip.map_or(0, State::game_number);
        if let Act::Sit { guest: Some(guest), .. } = &mut act {
            *guest = self.guest(seat);
        }
        if let Act::Ready { commit } = &mut act
            && tip.is_some_and(State::needs_toss)
        {
            let nonce = self.nonce(seat, self.seq);
            *commit = Some(commit_of(&*self.port, self.id, game + 1, seat, &nonce).0);
        }
        let intent = Intent { game, seq: self.seq, at, seat, act };
        if self.seq > self.seq_reserved {
            // One record for many acts: an act's way to the disk is not to wait for its number's.
            self.seq_reserved = self.seq + SEQ_BLOCK;
            self.write(Record::Seq(self.seq_reserved));
        }
        Sealed::new(&*self.port, Kind::Intent, self.id, &intent)
    }

    /// An act has come into the log: it may be one of this device's.
    pub(super) fn wish_entered(&mut self, act: &Sealed) {
        for wish in &mut self.wishes {
            wish.entered |= wish.sealed == *act;
        }
    }

    /// An entry is shown: the wish that it holds is fulfilled.
    pub(super) fn wish_shown(&mut self, act: &Sealed) {
        self.wishes.retain(|wish| wish.sealed != *act);
    }

    /// Checks wishes against what has come, signs anew what is still wanted, and sends.
    pub(super) fn tend_wishes(&mut self) {
        self.wish_reveals();
        let mut number = 0;
        while let Some(wish) = self.wishes.get(number) {
            let len = self.log.as_ref().map_or(0, Log::len);
            if !wish.entered && wish.checked != len && !self.renew(number) {
                self.wishes.remove(number);
                self.out.push_back(Output::Changed);
                continue;
            }
            self.send_wish(number);
            number += 1;
        }
    }

    /// False when the wish is over.
    fn renew(&mut self, number: usize) -> bool {
        let (Some(wish), Some(log)) = (self.wishes.get(number), &self.log) else { return false };
        let invalid = match log.would_take(&*self.port, &wish.sealed, wish.seat) {
            Ok(()) => {
                let len = log.len();
                self.wishes[number].checked = len;
                return true;
            }
            // The seat that it was to leave is left.
            Err(Invalid::NotOwner) if wish.is_sit() => Invalid::Seated,
            Err(invalid) => invalid,
        };
        let tip = log.tip();
        let is_move = wish.as_move().is_some();
        // A move is for the position that its person saw, no other.
        let anew = match invalid {
            Invalid::Stale if is_move => Err(CommandError::Stale),
            Invalid::Stale | Invalid::Seq | Invalid::SeatTaken | Invalid::Seated => {
                plan(tip, self.me, self.port.key(), &wish.want)
            }
            other => return self.give_up(number, other),
        };
        match anew {
            Ok(Some((seat, act))) => {
                let sealed = self.sign(seat, act);
                let Some(log) = &self.log else { return false };
                let refused = log.would_take(&*self.port, &sealed, seat).err();
                let checked = log.len();
                let wish = &mut self.wishes[number];
                (wish.sealed, wish.seat, wish.sent, wish.checked) = (sealed, seat, None, checked);
                refused.is_none_or(|invalid| self.give_up(number, invalid))
            }
            Ok(None) => false,
            Err(error) if self.wishes[number].want.is_over(&error) => false,
            Err(error) => self.refuse(error),
        }
    }

    /// False when the wish is over, with a word to its person where it needs one.
    fn give_up(&mut self, number: usize, invalid: Invalid) -> bool {
        let len = self.log.as_ref().map_or(0, Log::len);
        match self.wishes[number].want.outlook(invalid) {
            Outlook::Waits => {
                self.wishes[number].checked = len;
                true
            }
            Outlook::Over => false,
            Outlook::Refused(error) => self.refuse(error),
        }
    }

    fn refuse(&mut self, error: CommandError) -> bool {
        self.out.push_back(Output::Refused(error));
        false
    }

    fn send_wish(&mut self, number: usize) {
        let Some(state) = self.log.as_ref().map(Log::tip) else { return };
        let (term, keeper) = (state.term, state.keeper);
        let Some(wish) = self.wishes.get_mut(number) else { return };
        let due = wish.sent.is_none_or(|(sent, then)| self.now >= sent + ACT_AGAIN_MS || then != term);
        if wish.entered || !due {
            return;
        }
        let sealed = wish.sealed.clone();
        if keeper != self.me {
            wish.sent = Some((self.now, term));
            if self.is_waited_for(&sealed) {
                self.say(Said::Act(sealed.clone()));
            } else {
                self.say_to(keeper, Said::Act(sealed.clone()));
            }
            self.watch(sealed);
        } else if self.keeping() {
            self.wishes[number].sent = Some((self.now, term));
            self.enter(Body::Act(sealed)).ok();
        }
    }
}

/// The act that a want is in this state; `None` when it is so already.
fn plan(state: &State, me: DeviceId, key: [u8; 32], want: &Want) -> Result<Option<(u8, Act)>, CommandError> {
    let own = state.seats_of(me);
    let seated = || own.first().copied().ok_or(CommandError::NotSeated);
    match want {
        Want::Sit { seat, name } => plan_sit(state, me, key, *seat, name),
        Want::SitHere { seat, name } => plan_sit_here(state, me, key, *seat, name),
        Want::Stand { seat } => {
            if own.contains(seat) {
                Ok(Some((*seat, Act::Stand)))
            } else {
                Err(CommandError::NotSeated)
            }
        }
        Want::Ready { seat } => {
            let seat = *seat;
            if !own.contains(&seat) {
                return Err(CommandError::NotSeated);
            }
            if state.playing() {
                return Err(CommandError::GameRuns);
            }
            if state.participants().len() < SEATS_MIN {
                return Err(CommandError::Alone);
            }
            let ready = state.seats[usize::from(seat)].ready;
            Ok((!ready).then_some((seat, Act::Ready { commit: None })))
        }
        Want::Reveal { seat, nonce } => Ok(Some((*seat, Act::Reveal { nonce: *nonce }))),
        Want::Play { action, by_clock } => {
            seated()?;
            let turn = state.turn_seat().ok_or(CommandError::NoGame)?;
            if !own.contains(&turn) || state.cpu_plays(turn) {
                return Err(CommandError::NotYourTurn);
            }
            Ok(Some((turn, Act::Move { action: action.clone(), by_clock: *by_clock })))
        }
        Want::Resign => {
            let seat = state.acting_seat(me).ok_or(CommandError::NotSeated)?;
            if state.in_game(seat) && state.current.as_ref().is_some_and(|now| now.resigned.contains(&seat)) {
                return Err(CommandError::Resigned);
            }
            if !state.in_game(seat) || state.cpu_plays(seat) {
                return Err(CommandError::NoGame);
            }
            Ok(Some((seat, Act::Resign)))
        }
        Want::Offer(proposal) => {
            let seat = state.asking_seat(me, proposal).ok_or(CommandError::NotSeated)?;
            Ok(Some((seat, Act::Offer(proposal.clone()))))
        }
        Want::Answer { offer, yes } => {
            seated()?;
            let open = state.offers.iter().find(|open| open.id == *offer).ok_or(CommandError::NoSuchOffer)?;
            let asked = state.to_answer(open).into_iter().find(|seat| own.contains(seat));
            let seat = asked.ok_or(CommandError::NoSuchOffer)?;
            Ok(Some((seat, Act::Answer { offer: *offer, yes: *yes })))
        }
        Want::Hold { seat } => {
            let by = seated()?;
            let held = away(state, *seat)?.hold;
            Ok((!held).then_some((by, Act::Hold { seat: *seat })))
        }
        Want::CpuNow { seat } => {
            let by = seated()?;
            let asked = away(state, *seat)?.asked;
            Ok((!asked).then_some((by, Act::CpuNow { seat: *seat })))
        }
    }
}

fn away(state: &State, seat: u8) -> Result<&crate::Seat, CommandError> {
    let at = state.seats.get(usize::from(seat)).ok_or(CommandError::NoSuchSeat)?;
    if state.waited_for().contains(&seat) { Ok(at) } else { Err(CommandError::NotAway) }
}

fn plan_sit(
    state: &State,
    me: DeviceId,
    key: [u8; 32],
    seat: Option<u8>,
    name: &str,
) -> Result<Option<(u8, Act)>, CommandError> {
    if name.chars().count() > NAME_CHARS_MAX {
        return Err(CommandError::NameTooLong);
    }
    let leaves = state.host_seat(me);
    let chosen = match seat {
        Some(seat) if state.owner(seat) == Some(me) => return Ok(None),
        None if leaves.is_some() => return Ok(None),
        Some(seat) => seat,
        None => state
            .numbered()
            .find(|(_, seat)| seat.sitter == Sitter::Nobody)
            .map(|(number, _)| number)
            .ok_or(CommandError::Full)?,
    };
    if state.seats.get(usize::from(chosen)).is_none() {
        return Err(CommandError::NoSuchSeat);
    }
    if leaves.is_some() && state.playing() {
        return Err(CommandError::GameRuns);
    }
    if state.owner(chosen).is_some() {
        return Err(CommandError::SeatTaken);
    }
    Ok(Some((chosen, Act::Sit { key, name: name.to_owned(), guest: None, leaves })))
}

/// At an open seat or the CPU's; the table says whether somebody may share this device there.
fn plan_sit_here(
    state: &State,
    me: DeviceId,
    key: [u8; 32],
    seat: u8,
    name: &str,
) -> Result<Option<(u8, Act)>, CommandError> {
    if name.chars().count() > NAME_CHARS_MAX {
        return Err(CommandError::NameTooLong);
    }
    if state.host_seat(me).is_none() {
        return Err(CommandError::NotSeated);
    }
    if state.owner(seat) == Some(me) {
        return Ok(None);
    }
    if state.seats.get(usize::from(seat)).is_none() {
        return Err(CommandError::NoSuchSeat);
    }
    if state.owner(seat).is_some() {
        return Err(CommandError::SeatTaken);
    }
    // What stands for the person is made when the act is signed.
    let guest = Some([0; 32]);
    Ok(Some((seat, Act::Sit { key, name: name.to_owned(), guest, leaves: None })))
}
