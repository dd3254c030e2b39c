//! What is told of: entries once they are on this disk, presence, what has become final.

use std::collections::BTreeMap;

use super::*;
use crate::entry::{Body, Entry, Intent};
use crate::planted::{Bug, planted};
use crate::state::{Current, State};
use crate::{Act, Asked, Closed, EventKind, Hash, Presence};

/// What has been told.
#[derive(Debug, Default)]
pub(super) struct Told {
    knows_table: bool,
    presences: Vec<(Presence, Option<DeviceId>)>,
    /// By seat: whose it is, and since when that is known here.
    owners: Vec<(Option<DeviceId>, Millis)>,
    /// Whether it was cut off, and the keeper gone.
    contact: (bool, bool),
    turn: Option<(u8, Hash)>,
    final_upto: Option<u32>,
    /// Games that have ended, by number, with the entry that ended each.
    ends: BTreeMap<u32, (u32, Current)>,
    /// The newest game that was told to be finished.
    finished: u32,
    closed: bool,
    pub complained: Option<(Fault, Millis)>,
}

impl Told {
    pub fn knows_table(&self) -> bool {
        self.knows_table
    }

    pub fn final_upto(&self) -> Option<u32> {
        self.final_upto
    }

    /// Nothing of a device that has just sat down may have come yet: its silence takes as long as any other to notice.
    pub fn is_new_owner(&self, device: DeviceId, now: Millis) -> bool {
        self.owners.iter().any(|&(owner, since)| owner == Some(device) && now < since + SILENT_MS)
    }

    pub fn owners_since(&self) -> impl Iterator<Item = Millis> {
        self.owners.iter().map(|&(_, since)| since)
    }

    pub fn ended_game(&self, number: u32) -> Option<&Current> {
        self.ends.get(&number).map(|(_, current)| current)
    }

    /// The games that ended in a resumed log: told again, since the last telling may not have been heeded.
    pub fn remember_ends(&mut self, ends: Vec<(u32, Current)>) {
        self.ends = ends.into_iter().map(|(index, current)| (current.number, (index, current))).collect();
    }
}

impl Table {
    /// Applies entries that are on disk, and tells of them.
    pub(super) fn show(&mut self) {
        loop {
            let Some(log) = &mut self.log else { return };
            if log.shown_len() >= self.disk.reported() {
                break;
            }
            let before = Before::of(log.shown(), self.me);
            let Some(entry) = log.show_next(&*self.port) else { break };
            self.freshen(&entry, &before);
            if let Body::Act(act) = &entry.body {
                self.wish_shown(act);
            }
            self.note_mover(&entry);
            self.note_end(&before, entry.index);
            if self.told.knows_table {
                self.tell_entry(&entry, &before);
            }
            self.out.push_back(Output::Changed);
        }
        self.learn_table();
        self.acknowledge();
    }

    /// The table is known when all that some linked device has is here.
    fn learn_table(&mut self) {
        let Some(log) = &self.log else { return };
        if self.told.knows_table || self.disk.reported() == 0 {
            return;
        }
        let caught_up = |hello: &Hello| hello.head.is_some_and(|(index, _)| index < log.shown_len());
        let own = log.tip().member_key(self.me).is_some();
        if own || self.peers.values().any(|peer| peer.hello.as_ref().is_some_and(caught_up)) {
            self.told.knows_table = true;
            self.note_owners();
            self.told.presences = self.presences();
            self.event(EventKind::Table);
            self.out.push_back(Output::Changed);
        }
    }

    fn note_end(&mut self, before: &Before, index: u32) {
        let Some(log) = &self.log else { return };
        let now = log.shown();
        // A game that ended and was taken up again ends once more.
        if before.game > 0 && !before.playing && now.playing() && now.game_number() == before.game {
            self.told.ends.remove(&before.game);
            self.told.finished = self.told.finished.min(before.game - 1);
        }
        if let Some(current) = ended(before, now)
            && now.plays_in(current, self.me)
        {
            self.told.ends.insert(current.number, (index, current.clone()));
        }
    }

    /// The events of one entry.
    fn tell_entry(&mut self, entry: &Entry, before: &Before) {
        let Some(log) = &self.log else { return };
        let now = log.shown();
        let mut kinds = Vec::new();
        if let Body::Start { .. } = entry.body
            && let Some(current) = &now.current
        {
            kinds.push(EventKind::Start {
                game: current.number,
                starter: current.starter,
                order: current.order.clone(),
                rules: *current.game.rules(),
            });
        }
        if let Some(made) = now.current.as_ref().and_then(|current| current.moves.last())
            && made.index == entry.index
        {
            kinds.push(EventKind::Move {
                ply: made.ply,
                seat: made.seat,
                by: made.by,
                action: made.action.clone(),
                took: made.played.took.clone(),
                lost: made.played.lost.clone(),
            });
        }
        if resigned(now) > before.resigned
            && let Some(&seat) = now.current.as_ref().and_then(|current| current.resigned.last())
        {
            kinds.push(EventKind::Resigned { seat });
        }
        kinds.extend(told_offers(entry, before, now));
        if let Body::Roll(_) = entry.body {
            kinds.push(EventKind::Keeper { term: now.term, seat: now.keeper_seat });
        }
        let end = ended(before, now).and_then(|current| end_of(now, current));
        kinds.into_iter().for_each(|kind| self.event(kind));
        self.tell_presence();
        end.into_iter().for_each(|kind| self.event(kind));
    }

    /// The log has gone back to its first `len` entries: what was told of the others no longer holds.
    pub(super) fn forget_told(&mut self, len: u32) {
        let told = &mut self.told;
        told.turn = None;
        told.final_upto = told.final_upto.min(len.checked_sub(1));
        let undone = told.ends.iter().filter(|&(_, &(index, _))| index >= len).map(|(&game, _)| game).min();
        if let Some(game) = undone {
            told.ends.retain(|&number, _| number < game);
            told.finished = told.finished.min(game.saturating_sub(1));
        }
    }

    /// What is told of besides entries.
    pub(super) fn tell(&mut self) {
        if !self.told.knows_table {
            return;
        }
        self.tell_presence();
        self.tell_turn();
        self.tell_final();
        let owned = self.log.as_ref().is_some_and(|log| {
            log.shown().seats.iter().any(|seat| matches!(seat.sitter, crate::Sitter::Person { .. }))
        });
        if !owned && !self.told.closed {
            self.told.closed = true;
            self.out.push_back(Output::Closed);
        }
    }

    fn presences(&self) -> Vec<(Presence, Option<DeviceId>)> {
        let Some(state) = self.log.as_ref().map(Log::shown) else { return Vec::new() };
        state.numbered().map(|(seat, _)| (self.presence(seat), state.owner(seat))).collect()
    }

    /// From when a device is known to own a seat, its silence counts.
    fn note_owners(&mut self) {
        let Some(state) = self.log.as_ref().map(Log::shown) else { return };
        self.told.owners.resize(state.seats.len(), (None, 0));
        for (seat, known) in (0u8..).zip(&mut self.told.owners) {
            let owner = state.owner(seat);
            if known.0 != owner {
                *known = (owner, self.now);
            }
        }
    }

    fn tell_presence(&mut self) {
        self.note_owners();
        let contact = (self.cut_off(), self.keeper_gone());
        if contact != self.told.contact {
            self.told.contact = contact;
            self.out.push_back(Output::Changed);
        }
        let Some(state) = self.log.as_ref().map(Log::shown) else { return };
        let mut changed = Vec::new();
        for (seat, told) in (0u8..).zip(&self.told.presences) {
            let now = (self.presence(seat), state.owner(seat));
            if now != *told {
                changed.push((seat, now));
            }
        }
        for (seat, now) in changed {
            self.told.presences[usize::from(seat)] = now;
            self.event(EventKind::Seat { seat, presence: now.0 });
            self.out.push_back(Output::Changed);
        }
    }

    /// Own turns, once nothing newer is on its way to the disk and this device is up to date.
    fn tell_turn(&mut self) {
        let Some(log) = &self.log else { return };
        if self.fresh || log.shown_len() < log.len() {
            return;
        }
        let state = log.shown();
        let turn = state.turn_seat().filter(|&seat| state.owner(seat) == Some(self.me) && !state.cpu_plays(seat));
        let turn = turn.map(|seat| (seat, state.at));
        if turn == self.told.turn {
            return;
        }
        self.told.turn = turn;
        if let (Some((seat, _)), Some(current)) = (turn, &state.current)
            && let Some(must) = current.game.turn().map(|turn| turn.must)
        {
            let ply = current.game.ply();
            self.event(EventKind::YourTurn { seat, ply, must });
        }
    }

    /// Final is what is on this disk and on one more that the newest roll names, if it names another
    /// (PROTOCOL.md, section 6).
    pub(super) fn tell_final(&mut self) {
        let Some(log) = &self.log else { return };
        let durable = self.disk.durable().min(log.shown_len());
        if durable.checked_sub(1) <= self.told.final_upto {
            return;
        }
        let others = log.shown().named.iter().filter(|&&device| device != self.me);
        let mut others = others.map(|device| self.peers.get(device).and_then(|peer| peer.acked)).peekable();
        let theirs = if others.peek().is_some() && !planted(Bug::FinalOnOneDisk) {
            others.flatten().max()
        } else {
            durable.checked_sub(1)
        };
        let upto = theirs.min(durable.checked_sub(1));
        if upto <= self.told.final_upto {
            return;
        }
        self.told.final_upto = upto;
        if let Some(upto) = upto {
            self.event(EventKind::Final { upto });
            self.out.push_back(Output::Changed);
            self.tell_finished(upto);
        }
    }

    fn tell_finished(&mut self, upto: u32) {
        // What was told the last time could be looked at until now; the newest of it still can.
        let finished = self.told.finished;
        self.told.ends.retain(|&game, _| game >= finished);
        let now_final = self.told.ends.iter().filter(|&(&game, &(index, _))| game > finished && index <= upto);
        let games: Vec<u32> = now_final.map(|(&game, _)| game).collect();
        for game in games {
            self.told.finished = game;
            self.out.push_back(Output::Finished { game });
        }
    }

    /// Queues an event of now.
    pub(super) fn event(&mut self, kind: EventKind) {
        let (index, head) = self.head().unwrap_or((0, Hash([0; 32])));
        self.out.push_back(Output::Event(Box::new(Event { index, head, kind })));
    }
}

/// What telling of an entry takes from the state before it.
pub(super) struct Before {
    /// The newest roll named this device.
    pub named: bool,
    playing: bool,
    /// The running or last game.
    game: u32,
    resigned: usize,
    offers: Vec<Hash>,
}

impl Before {
    fn of(state: &State, me: DeviceId) -> Before {
        Before {
            named: state.named.contains(&me),
            playing: state.playing(),
            game: state.game_number(),
            resigned: resigned(state),
            offers: state.offers.iter().map(|offer| offer.id).collect(),
        }
    }
}

/// How many have resigned in the running or last game.
fn resigned(state: &State) -> usize {
    state.current.as_ref().map_or(0, |current| current.resigned.len())
}

/// The game that ended between two states.
fn ended<'a>(before: &Before, now: &'a State) -> Option<&'a Current> {
    let current = now.current.as_ref().filter(|current| current.game.result().is_some())?;
    let was_running = before.playing && before.game == current.number;
    was_running.then_some(current)
}

/// What an entry does to what is asked.
fn told_offers(entry: &Entry, before: &Before, now: &State) -> Vec<EventKind> {
    let mut kinds = Vec::new();
    let known = |id: Hash| before.offers.contains(&id);
    let closed = now.closed.iter().map(|settled| &settled.offer);
    for offer in closed.chain(&now.offers).filter(|offer| !known(offer.id)) {
        kinds.push(EventKind::Asked { id: offer.id, seat: offer.seat, what: offer.what.clone() });
    }
    if let Body::Act(sealed) = &entry.body
        && let Some(Intent { seat, act: Act::Answer { offer, yes }, .. }) = sealed.open()
    {
        kinds.push(EventKind::Answered { id: offer, seat, yes });
    }
    for settled in &now.closed {
        kinds.push(EventKind::AskClosed { id: settled.offer.id, why: settled.why });
        match (&settled.offer.what, settled.why) {
            (Asked::Undo, Closed::Agreed) => {
                let ply = now.current.as_ref().map_or(0, |current| current.game.ply());
                kinds.push(EventKind::Undone { ply });
            }
            (Asked::Options(_), Closed::Agreed) => kinds.push(EventKind::Agreed),
            (Asked::Draw | Asked::Resign, Closed::Agreed) => {}
            (_, Closed::Refused | Closed::Gone | Closed::Moved) => {}
        }
    }
    kinds
}

fn end_of(state: &State, current: &Current) -> Option<EventKind> {
    Some(EventKind::End {
        result: current.game.result()?.clone(),
        rules: *current.game.rules(),
        actions: current.game.actions().to_vec(),
        starter: current.starter,
        resigned: current.resigned.clone(),
        credited: state.credited(),
    })
}
