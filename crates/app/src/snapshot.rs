//! What one device sees of one table at one moment, copied out of the table's actor.

use rules::{Action, Preset};
use table::message::FaultCode;
use table::{Countdown, Current, DeviceId, Halt, Hash, Millis, Presence, Sitter, State, Table, TableId};

use crate::api::table::{InviteView, NoticeView, PinView};
use crate::names::{clean_name, with_clean_names};

/// All that there is to see of a table on this device.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub table: TableId,
    /// This device.
    pub me: DeviceId,
    /// `None` while the log is still being fetched.
    pub state: Option<State>,
    /// The newest entry on this disk: its index and the hash of the log up to it.
    pub head: Option<(u32, Hash)>,
    /// All entries up to this index are final.
    pub final_upto: Option<u32>,
    /// Everybody who is here has all entries up to this index on disk.
    pub on_every_disk: Option<u32>,
    /// This device has come back and waits for the roll that takes it in; until then it may lack what came meanwhile.
    pub fresh: bool,
    /// The move of this device's person that is on its way.
    pub ghost: Option<Action>,
    /// Where several people share this device, the seat of the one whose turn it is or comes next.
    pub my_seat: Option<u8>,
    /// All of this device's seats.
    pub own_seats: Vec<u8>,
    /// By seat.
    pub presence: Vec<Presence>,
    /// By seat: whether its owner has said goodbye and nothing since.
    pub goodbyes: Vec<bool>,
    /// By seat: the time left before the CPU takes over, as the table counts it ([`Snapshot::grace_left_of`]).
    pub grace_left: Vec<Option<Millis>>,
    /// The seat that this device's CPU is thinking for.
    pub thinking: Option<u8>,
    /// It hears nobody though others are expected ([`Table::others_expected`]).
    pub cut_off: bool,
    /// Others that are expected.
    pub others_expected: usize,
    pub keeper_gone: bool,
    pub not_saved: bool,
    /// An entry leads to another state here than on the device that made it: the two programs differ.
    pub rules_differ: bool,
    /// The budget of the seat to move.
    pub countdown: Option<Countdown>,
    /// Why play stands still although everybody is there.
    pub halt: Option<Halt>,
    /// What is kept beside the log.
    pub branches: u32,
    /// The preset that was announced, until the log says it.
    pub expected: Preset,
    /// What the actor adds that no table knows of.
    pub(crate) besides: Besides,
}

/// What happened lately, and how others come here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Besides {
    pub(crate) notices: Vec<NoticeView>,
    pub(crate) invite: Option<InviteView>,
    pub(crate) pin: Option<PinView>,
    /// This device has no address at all.
    pub(crate) no_network: bool,
}

impl Snapshot {
    pub(crate) fn of(table: &Table, expected: Preset, now: Millis) -> Snapshot {
        let state = table.state().cloned().map(with_clean_names);
        let seats = 0..state.as_ref().map_or(0, |state| state.seats.len() as u8);
        Snapshot {
            table: table.id(),
            me: table.me(),
            head: table.head(),
            final_upto: table.final_upto(),
            on_every_disk: table.on_every_disk(),
            fresh: table.is_fresh(),
            ghost: table.ghost().cloned(),
            my_seat: table.acting_seat(),
            own_seats: table.own_seats(),
            presence: seats.clone().map(|seat| table.presence(seat)).collect(),
            goodbyes: seats.clone().map(|seat| table.said_goodbye(seat)).collect(),
            grace_left: seats.map(|seat| table.grace_left(seat, now)).collect(),
            thinking: table.thinking(),
            cut_off: table.cut_off(),
            others_expected: table.others_expected().len(),
            keeper_gone: table.keeper_gone(),
            not_saved: table.not_saved(),
            rules_differ: table.fault() == Some(FaultCode::State),
            countdown: table.countdown(now),
            halt: table.halt().cloned(),
            branches: u32::try_from(worth_looking_at(table)).unwrap_or(u32::MAX),
            expected,
            state,
            besides: Besides::default(),
        }
    }

    /// How others come to this table over this device.
    pub fn invite(&self) -> Option<&InviteView> {
        self.besides.invite.as_ref()
    }

    /// Whether several people share this device at the table.
    pub fn is_shared(&self) -> bool {
        self.own_seats.len() > 1
    }

    /// Whether an entry is final for this device.
    pub fn is_final(&self, index: u32) -> bool {
        self.final_upto.is_some_and(|upto| index <= upto)
    }

    pub fn presence_of(&self, seat: u8) -> Presence {
        self.presence.get(usize::from(seat)).copied().unwrap_or(Presence::Open)
    }

    /// Whether this seat's owner has said goodbye, and was not just cut off.
    pub fn said_goodbye(&self, seat: u8) -> bool {
        self.goodbyes.get(usize::from(seat)).copied().unwrap_or(false)
    }

    /// Whether this seat's player is away and the CPU does not play there yet, as it does for whoever has resigned in a
    /// game that goes on.
    pub fn is_waited_for(&self, seat: u8) -> bool {
        let cpu_plays = self.state.as_ref().is_some_and(|state| state.cpu_plays(seat));
        self.presence_of(seat) == Presence::Away && !cpu_plays
    }

    /// The time left before the CPU takes this seat over; `None` where it is not waited for, or without end.
    pub fn grace_left_of(&self, seat: u8) -> Option<Millis> {
        self.grace_left.get(usize::from(seat)).copied().flatten().filter(|_| self.is_waited_for(seat))
    }
}

/// Branches with a stone or a choice in them.
fn worth_looking_at(table: &Table) -> usize {
    table.branches().iter().filter(|branch| branch.moves > 0).count()
}

/// The name of whoever sits there, or gave the seat up in the game that stands; empty for CPUs and other open seats.
pub fn name_of(state: &State, seat: u8) -> &str {
    match state.seats.get(usize::from(seat)).map(|seat| &seat.sitter) {
        Some(Sitter::Person { name, .. } | Sitter::GivenUp { name, .. }) => name,
        Some(Sitter::Nobody) => state.current.as_ref().and_then(|current| current.left_by(seat)).unwrap_or_default(),
        Some(Sitter::Cpu { .. }) | None => "",
    }
}

/// By seat, who played the game that ended, whoever sits there now.
pub(crate) fn players_of(state: &State, game: &Current) -> Vec<String> {
    let name = |seat: u8| game.left_by(seat).map_or_else(|| clean_name(name_of(state, seat)), clean_name);
    (0..state.seats.len() as u8).map(name).collect()
}

/// Every seat's name, in seat order.
pub fn names(state: &State) -> Vec<String> {
    (0..state.seats.len() as u8).map(|seat| clean_name(name_of(state, seat))).collect()
}
