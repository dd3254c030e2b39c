//! What happened at a table besides moves, for the one quiet line that tells it.

use std::collections::BTreeMap;

use rules::{Action, FirstStart};
use table::{Asked, Closed, Event, EventKind, Hash, Made, Millis, Offer, Presence, Table, asked_to_stand};

use crate::api::table::{NoticeKind, NoticeView, OfferKind};

/// Notices that are shown at a time; older ones have been told.
const NOTICES_MAX: usize = 4;
/// What a split cost is known when the moves that still fit have been entered again.
const CARRY_OVER_MS: Millis = 1_500;

/// What a notice is about. A newer one about the same takes the place of the older: one is told how a thing stands now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    /// Who plays there.
    Seat(Option<u8>),
    Keeper,
    Split,
    /// What was asked, and what became of it.
    Asked,
    Start,
    Clock,
    /// What somebody says.
    Said(Option<u8>),
}

const fn thing(notice: &NoticeView) -> Thing {
    match notice.what {
        NoticeKind::Back | NoticeKind::Taken => Thing::Seat(notice.seat),
        NoticeKind::Keeper => Thing::Keeper,
        NoticeKind::Rewound => Thing::Split,
        NoticeKind::Undone | NoticeKind::Refused | NoticeKind::Agreed | NoticeKind::Lapsed => Thing::Asked,
        NoticeKind::Toss => Thing::Start,
        NoticeKind::Clock => Thing::Clock,
        NoticeKind::Said | NoticeKind::StandUp => Thing::Said(notice.seat),
    }
}

/// An open offer: who asks, and for what.
type Open = (u8, OfferKind);

/// The last notices, and what is needed to see that something is worth one.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    last: Vec<NoticeView>,
    told: u32,
    presences: Vec<Presence>,
    keeper: Option<u8>,
    /// The open offers that this device's person has made or agreed to.
    asked: BTreeMap<Hash, Open>,
    /// The others.
    others: BTreeMap<Hash, Open>,
    /// The moves of the game as they were last seen.
    moves: Moves,
    /// After the log went back: what the game was before, and when to look at what is left of it.
    rewound: Option<(Moves, Millis)>,
}

/// A game's number, and who made which move.
type Moves = (u32, Vec<(u8, Action)>);

impl Notices {
    /// Takes up an event of the table.
    pub(crate) fn hear(&mut self, event: &Event, table: &Table, now: Millis) {
        match &event.kind {
            EventKind::Seat { seat, presence } => self.seat(*seat, *presence, &table.own_seats()),
            EventKind::Keeper { seat, .. } => {
                if self.keeper.replace(*seat).is_some_and(|before| before != *seat) {
                    self.tell(NoticeKind::Keeper, Some(*seat));
                }
            }
            EventKind::Start { game: 1, starter, rules, .. } if rules.options().first_start == FirstStart::Random => {
                self.tell(NoticeKind::Toss, Some(*starter));
            }
            EventKind::Asked { id, seat, what } => {
                let offers = if table.own_seats().contains(seat) { &mut self.asked } else { &mut self.others };
                offers.insert(*id, (*seat, kind_of(what)));
            }
            EventKind::Answered { id, seat, yes: true } => {
                if table.own_seats().contains(seat)
                    && let Some(open) = self.others.remove(id)
                {
                    self.asked.insert(*id, open);
                }
            }
            EventKind::Answered { id, seat, yes: false } => {
                if let Some((_, what)) = self.asked.remove(id) {
                    self.tell_asked(NoticeKind::Refused, Some(*seat), what);
                }
            }
            EventKind::AskClosed { id, why } => {
                self.others.remove(id);
                let Some((asker, what)) = self.asked.remove(id) else { return };
                match why {
                    Closed::Gone | Closed::Moved => self.tell_asked(NoticeKind::Lapsed, Some(asker), what),
                    // Nobody's no has taken it off before.
                    Closed::Refused => self.tell_asked(NoticeKind::Refused, None, what),
                    Closed::Agreed => {}
                }
            }
            EventKind::Move { seat, by: Made::Clock, .. } => {
                if table.own_seats().contains(seat) {
                    self.tell(NoticeKind::Clock, Some(*seat));
                }
            }
            EventKind::Said { seat, phrase } => {
                let (what, phrase) = match asked_to_stand(*phrase) {
                    Some(asked) => (NoticeKind::StandUp, asked),
                    None => (NoticeKind::Said, *phrase),
                };
                self.add(NoticeView { n: 0, what, seat: Some(*seat), asked: None, phrase: Some(phrase) });
            }
            EventKind::Undone { .. } => self.tell(NoticeKind::Undone, None),
            EventKind::Agreed => self.tell(NoticeKind::Agreed, None),
            EventKind::Rewound { .. } => {
                let before = match self.rewound.take() {
                    Some((before, _)) => before,
                    None => self.moves.clone(),
                };
                self.rewound = Some((before, now + CARRY_OVER_MS));
            }
            EventKind::Table
            | EventKind::Start { .. }
            | EventKind::Move { by: Made::Hand | Made::Cpu, .. }
            | EventKind::YourTurn { .. }
            | EventKind::Resigned { .. }
            | EventKind::Halted
            | EventKind::Final { .. }
            | EventKind::Link { .. }
            | EventKind::End { .. } => {}
        }
    }

    /// Looks at the table once its events are heard. True when there is something new to show.
    pub(crate) fn look(&mut self, table: &Table, now: Millis) -> bool {
        let Some(state) = table.state() else { return false };
        self.presences = (0..state.seats.len() as u8).map(|seat| table.presence(seat)).collect();
        self.keeper.get_or_insert(state.keeper_seat);
        let own = table.own_seats();
        let mine = |offer: &&Offer| own.iter().any(|own| offer.seat == *own || offer.agreed.contains(own));
        let (own, others): (Vec<_>, Vec<_>) = state.offers.iter().partition(mine);
        let open = |offer: &Offer| (offer.id, (offer.seat, kind_of(&offer.what)));
        self.asked = own.into_iter().map(open).collect();
        self.others = others.into_iter().map(open).collect();
        self.moves = state.current.as_ref().map_or_else(Moves::default, |current| {
            (current.number, current.moves.iter().map(|made| (made.seat, made.action.clone())).collect())
        });
        let told = self.told;
        if let Some((before, until)) = &self.rewound
            && now >= *until
        {
            let still = before.0 == self.moves.0 && self.moves.1.starts_with(&before.1);
            self.rewound = None;
            if !still {
                self.tell(NoticeKind::Rewound, None);
            }
        }
        self.told != told
    }

    /// When to look again at the latest.
    pub(crate) fn wake_at(&self) -> Option<Millis> {
        self.rewound.as_ref().map(|(_, until)| *until)
    }

    /// The oldest first.
    pub(crate) fn last(&self) -> &[NoticeView] {
        &self.last
    }

    fn seat(&mut self, seat: u8, presence: Presence, own: &[u8]) {
        let before = self.presences.get(usize::from(seat)).copied();
        if let Some(known) = self.presences.get_mut(usize::from(seat)) {
            *known = presence;
        }
        if own.contains(&seat) {
            return;
        }
        match (before, presence) {
            (Some(Presence::Away | Presence::Taken), Presence::Here) => self.tell(NoticeKind::Back, Some(seat)),
            (Some(Presence::Away), Presence::Taken) => self.tell(NoticeKind::Taken, Some(seat)),
            (Some(_) | None, _) => {}
        }
    }

    fn tell(&mut self, what: NoticeKind, seat: Option<u8>) {
        self.add(NoticeView { n: 0, what, seat, asked: None, phrase: None });
    }

    fn tell_asked(&mut self, what: NoticeKind, seat: Option<u8>, asked: OfferKind) {
        self.add(NoticeView { n: 0, what, seat, asked: Some(asked), phrase: None });
    }

    /// The notice gets the next number.
    fn add(&mut self, notice: NoticeView) {
        self.told += 1;
        let notice = NoticeView { n: self.told, ..notice };
        self.last.retain(|older| thing(older) != thing(&notice));
        self.last.push(notice);
        if self.last.len() > NOTICES_MAX {
            self.last.remove(0);
        }
    }
}

const fn kind_of(what: &Asked) -> OfferKind {
    match what {
        Asked::Undo => OfferKind::Undo,
        Asked::Draw => OfferKind::Draw,
        Asked::Options(_) => OfferKind::Options,
        Asked::Resign => OfferKind::Resign,
    }
}

#[cfg(test)]
mod tests {
    use rules::{OptionName, Preset};

    use super::*;
    use crate::script::Script;

    fn told(notices: &Notices) -> Vec<(NoticeKind, Option<u8>)> {
        notices.last().iter().map(|notice| (notice.what, notice.seat)).collect()
    }

    fn hear(notices: &mut Notices, script: &Script, kind: EventKind, now: Millis) {
        notices.hear(&Event { index: 1, head: Hash([0; 32]), kind }, &script.table, now);
    }

    fn seat(seat: u8, presence: Presence) -> EventKind {
        EventKind::Seat { seat, presence }
    }

    #[test]
    fn who_comes_back_is_told_and_who_was_silent_for_a_moment_is_not() {
        let script = Script::open(Preset::Gomoku, 2, &[]).start();
        let mut notices = Notices::default();
        notices.look(&script.table, 0);
        for presence in [Presence::Silent, Presence::Here] {
            hear(&mut notices, &script, seat(1, presence), 0);
        }
        assert_eq!(told(&notices), []);
        for presence in [Presence::Away, Presence::Taken, Presence::Here] {
            hear(&mut notices, &script, seat(1, presence), 0);
        }
        assert_eq!(told(&notices), [(NoticeKind::Back, Some(1))], "what was told before about that seat is over");
        for presence in [Presence::Away, Presence::Here] {
            hear(&mut notices, &script, seat(0, presence), 0);
        }
        assert_eq!(notices.last().len(), 1, "the own seat's coming and going is no news");
    }

    #[test]
    fn another_keeper_is_told_and_the_same_one_is_not() {
        let script = Script::open(Preset::Gomoku, 3, &[]).start();
        let mut notices = Notices::default();
        notices.look(&script.table, 0);
        hear(&mut notices, &script, EventKind::Keeper { term: 2, seat: 0 }, 0);
        assert_eq!(told(&notices), []);
        hear(&mut notices, &script, EventKind::Keeper { term: 3, seat: 2 }, 0);
        assert_eq!(told(&notices), [(NoticeKind::Keeper, Some(2))]);
    }

    #[test]
    fn a_no_to_somebody_elses_offer_is_theirs() {
        let script = Script::open(Preset::Gomoku, 2, &[]).start();
        let mut notices = Notices::default();
        let ask = |id: u8, seat: u8| EventKind::Asked { id: Hash([id; 32]), seat, what: table::Asked::Draw };
        let no = |id: u8, seat: u8| EventKind::Answered { id: Hash([id; 32]), seat, yes: false };
        for kind in [ask(1, 1), no(1, 0), ask(2, 0), no(2, 1)] {
            hear(&mut notices, &script, kind, 0);
        }
        hear(&mut notices, &script, EventKind::AskClosed { id: Hash([2; 32]), why: Closed::Refused }, 0);
        assert_eq!(told(&notices), [(NoticeKind::Refused, Some(1))]);
        assert_eq!(notices.last()[0].asked, Some(OfferKind::Draw));
        assert!(notices.asked.is_empty());
    }

    #[test]
    fn of_what_was_asked_the_newest_outcome_is_told() {
        let script = Script::open(Preset::Gomoku, 2, &[]).start();
        let mut notices = Notices::default();
        hear(&mut notices, &script, EventKind::Keeper { term: 1, seat: 0 }, 0);
        hear(&mut notices, &script, EventKind::Keeper { term: 2, seat: 1 }, 0);
        let ask = |id: u8| EventKind::Asked { id: Hash([id; 32]), seat: 0, what: table::Asked::Undo };
        for id in 1..4 {
            let no = EventKind::Answered { id: Hash([id; 32]), seat: 1, yes: false };
            for kind in [ask(id), no, EventKind::AskClosed { id: Hash([id; 32]), why: Closed::Refused }] {
                hear(&mut notices, &script, kind, 0);
            }
        }
        assert_eq!(told(&notices), [(NoticeKind::Keeper, Some(1)), (NoticeKind::Refused, Some(1))]);
        for kind in [ask(4), EventKind::AskClosed { id: Hash([4; 32]), why: Closed::Agreed }] {
            hear(&mut notices, &script, kind, 0);
        }
        hear(&mut notices, &script, EventKind::Undone { ply: 3 }, 0);
        assert_eq!(told(&notices), [(NoticeKind::Keeper, Some(1)), (NoticeKind::Undone, None)]);
    }

    #[test]
    fn what_cannot_be_granted_is_told_as_well() {
        let script = Script::open(Preset::Gomoku, 2, &[]).start();
        let mut notices = Notices::default();
        let id = Hash([1; 32]);
        hear(&mut notices, &script, EventKind::Asked { id, seat: 0, what: table::Asked::Undo }, 0);
        hear(&mut notices, &script, EventKind::AskClosed { id, why: Closed::Refused }, 0);
        assert_eq!(told(&notices), [(NoticeKind::Refused, None)]);
    }

    #[test]
    fn what_passes_by_is_told_to_the_asker_and_to_those_who_agreed() {
        let script = Script::open(Preset::Gomoku, 3, &[]).start();
        let id = |id: u8| Hash([id; 32]);
        let mut notices = Notices::default();
        for (number, seat) in [(1, 0), (2, 1), (3, 2)] {
            hear(&mut notices, &script, EventKind::Asked { id: id(number), seat, what: table::Asked::Draw }, 0);
        }
        hear(&mut notices, &script, EventKind::Answered { id: id(2), seat: 0, yes: true }, 0);
        for number in 1..4 {
            hear(&mut notices, &script, EventKind::AskClosed { id: id(number), why: Closed::Moved }, 0);
        }
        assert_eq!(notices.told, 2, "to somebody who had not answered, nothing lapses");
        assert_eq!(told(&notices), [(NoticeKind::Lapsed, Some(1))]);
        assert!(notices.others.is_empty());
    }

    #[test]
    fn of_what_somebody_says_the_newest_is_told() {
        let script = Script::open(Preset::Gomoku, 3, &[]).start();
        let mut notices = Notices::default();
        for (seat, phrase) in [(1, 2), (2, 3), (1, 5)] {
            hear(&mut notices, &script, EventKind::Said { seat, phrase }, 0);
        }
        let said: Vec<_> = notices.last().iter().map(|notice| (notice.what, notice.seat, notice.phrase)).collect();
        assert_eq!(said, [(NoticeKind::Said, Some(2), Some(3)), (NoticeKind::Said, Some(1), Some(5))]);
    }

    #[test]
    fn who_let_the_clock_run_out_is_told() {
        let script = Script::open(Preset::Gomoku, 2, &[]).start();
        let mut notices = Notices::default();
        for (seat, by) in [(0, Made::Hand), (1, Made::Clock), (0, Made::Clock)] {
            let action = Action::place("H8".parse().expect("a point"));
            let (took, lost) = (Vec::new(), Vec::new());
            hear(&mut notices, &script, EventKind::Move { ply: 1, seat, by, action, took, lost }, 0);
        }
        assert_eq!(told(&notices), [(NoticeKind::Clock, Some(0))]);
    }

    #[test]
    fn a_split_is_told_only_where_it_cost_a_move() {
        let played = Script::open(Preset::Gomoku, 2, &[]).start().play("H8 I8");
        let mut notices = Notices::default();
        notices.look(&played.table, 0);
        hear(&mut notices, &played, EventKind::Rewound { index: 3 }, 10);
        assert_eq!(notices.wake_at(), Some(10 + CARRY_OVER_MS));
        assert!(!notices.look(&played.table, 10 + CARRY_OVER_MS), "everything stands again");
        assert_eq!((told(&notices), notices.wake_at()), (vec![], None));

        let other = Script::open(Preset::Gomoku, 2, &[]).start().play("H8");
        hear(&mut notices, &other, EventKind::Rewound { index: 3 }, 20);
        assert!(!notices.look(&other.table, 30));
        assert!(notices.look(&other.table, 20 + CARRY_OVER_MS));
        assert_eq!(told(&notices), [(NoticeKind::Rewound, None)]);
    }

    #[test]
    fn a_lot_is_told_and_a_seat_that_starts_by_rule_is_not() {
        let start = |first: &str| {
            let script = Script::open(Preset::Custom, 2, &[(OptionName::FirstStart, first)]).start();
            let state = script.table.state().expect("a state");
            let (starter, rules) = (1, state.rules);
            let mut notices = Notices::default();
            let order = vec![1, 0];
            hear(&mut notices, &script, EventKind::Start { game: 1, starter, order, rules }, 0);
            told(&notices)
        };
        assert_eq!(start("random"), [(NoticeKind::Toss, Some(1))]);
        assert_eq!(start("first-seat"), []);
    }

    #[test]
    fn only_the_last_few_are_kept() {
        let script = Script::open(Preset::Gomoku, 4, &[]).start();
        let mut notices = Notices::default();
        notices.look(&script.table, 0);
        for number in [1, 2, 3] {
            for presence in [Presence::Away, Presence::Here] {
                hear(&mut notices, &script, seat(number, presence), 0);
            }
        }
        hear(&mut notices, &script, EventKind::Undone { ply: 0 }, 0);
        hear(&mut notices, &script, EventKind::Keeper { term: 2, seat: 1 }, 0);
        let numbers: Vec<u32> = notices.last().iter().map(|notice| notice.n).collect();
        assert_eq!(numbers, [2, 3, 4, 5]);
    }
}
