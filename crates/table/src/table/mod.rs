//! The state machine of one device at one table. This module has what goes in and out, and the order in which a
//! device settles what an input changed; `admit` who may come in, `speak` the links, `follow` entries that come, `disk`
//! what is written, `keep` the keeper's work, `clock` the time that people have, `causes` why a roll is called and
//! `roll` how it is made, `left_out` rolls that call this device away, `wish` this device's own acts, `say` phrases, `tell` what
//! is told and shown.

mod admit;
mod branches;
mod causes;
mod clock;
mod disk;
mod follow;
mod keep;
mod left_out;
#[cfg(feature = "planted")]
mod lie;
mod roll;
pub mod say;
mod setup;
mod speak;
mod tell;
mod view;
mod watch;
mod wish;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::{IpAddr, SocketAddr};

use rules::{Action, Game, Refusal, Rules};
use serde::{Deserialize, Serialize};

use crate::limits::*;
use crate::log::Log;
use crate::message::{Fault, FaultCode, Hello};
use crate::peers::{Known, Peers};
use crate::{DeviceId, Event, Hash, Millis, Port, Proposal, SeatSetup, Settings, TableId};
use admit::Admission;
use branches::Carried;
use clock::Clock;
use disk::Disk;
use follow::Given;
use keep::Thinking;
use roll::{Duty, Overdue, Owed};
use tell::Told;
use watch::Watched;
use wish::Wish;

/// What opens a table. Seat 0 is the opener's.
#[derive(Clone, Debug)]
pub struct Setup {
    pub rules: Rules,
    pub settings: Settings,
    /// One for each seat; the first is taken by the opener whatever it says.
    pub seats: Vec<SeatSetup>,
    /// The opener's name.
    pub name: String,
    /// What whoever comes is asked for; at most 32 characters.
    pub pin: Option<String>,
}

/// What happens to a table from outside.
#[derive(Clone, Debug)]
pub enum Input {
    /// A link to this device is up (mutually authenticated).
    LinkUp {
        peer: DeviceId,
        /// Where from, for counting guesses at the PIN.
        address: Option<IpAddr>,
    },
    LinkDown {
        peer: DeviceId,
    },
    /// Where this device can be reached now (up to 8), for the others to know.
    Addresses(Vec<SocketAddr>),
    /// Bytes of one message from that device.
    Message {
        from: DeviceId,
        bytes: Vec<u8>,
    },
    /// The record of this `Output::Write` is on disk (fsynced). Reports come in the order of the writes.
    Written {
        ticket: u64,
    },
    /// It could not be written (disk full, read-only). Play goes on in memory with a standing warning; the table asks
    /// for the same record again later.
    WriteFailed {
        ticket: u64,
    },
    /// The CPU's answer to `Output::Think`.
    Thought {
        ticket: u64,
        action: Action,
    },
    /// Time has passed `next_wakeup`.
    Tick,
}

/// What the driver must do, in order.
#[derive(Clone, Debug)]
pub enum Output {
    /// Append to the table's journal and fsync, then answer `Written`. Records come back in order at `resume`: after one
    /// that failed nothing newer is written (it fails, too) until that one is asked for again.
    Write {
        ticket: u64,
        record: Vec<u8>,
    },
    Send {
        to: DeviceId,
        bytes: Vec<u8>,
    },
    /// A device of this table was heard of that is not linked: it can be reached here.
    Dial {
        peer: DeviceId,
        addresses: Vec<SocketAddr>,
    },
    /// Let the CPU of this level find a move for the player to act; a newer `Think` or `StopThinking` replaces it.
    Think {
        ticket: u64,
        seat: u8,
        level: u8,
        game: Box<Game>,
    },
    StopThinking,
    /// Tell whoever listens.
    Event(Box<Event>),
    /// Something that is shown has changed.
    Changed,
    /// An intent of this device's person was refused after it was sent (too late, seat taken, table full). Nothing has changed.
    Refused(CommandError),
    /// A game that this device plays in is over and its result is final here: keep it in the archive
    /// ([`Table::ended_game`]). Told again after a resume, for every such game of the log.
    Finished {
        game: u32,
    },
    /// The other side of this link must not be heard again for now (protocol fault).
    Disconnect {
        peer: DeviceId,
        why: &'static str,
    },
    /// The other side of a link asks for the table's PIN ([`Command::Pin`]); the next try is looked at after `wait`.
    Locked {
        wrong: bool,
        wait: Millis,
    },
    /// Nobody owns a seat any more: the table is closed.
    Closed,
}

/// What this device's person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Sits down; without a seat at the first open one. Also changes seats before the start.
    Sit {
        seat: Option<u8>,
        name: String,
    },
    /// Somebody who shares this device sits down there, beside its own person.
    SitHere {
        seat: u8,
        name: String,
    },
    /// Gives up every seat of this device.
    Stand,
    /// Start, or rematch: ready for the next game, with those who are there.
    Ready,
    /// A stone or a choice.
    Play(Action),
    Resign,
    /// Asks the others for something.
    Offer(Proposal),
    /// To an offer, by its id; `None`: to the oldest open one that this device has not answered.
    Answer {
        offer: Option<Hash>,
        yes: bool,
    },
    /// Waits for an away seat without end; `None`: for the only one.
    Hold {
        seat: Option<u8>,
    },
    /// Lets the CPU play for an away seat at once; `None`: for the only one.
    CpuNow {
        seat: Option<u8>,
    },
    /// The person is there: something was touched.
    Touched,
    /// Says one of the ready phrases, by its number.
    Say {
        phrase: u8,
    },
    /// Asks whoever sits there to stand up; before the start only.
    AskToStand {
        seat: u8,
    },
    /// Goes on without the devices that disagree ([`Table::halt`]).
    GoOn,
    /// The PIN of a locked table ([`Output::Locked`]); also before it is asked for.
    Pin(String),
    /// Goodbye; keeps the seat. The driver drops the table after the outputs that follow.
    Leave,
}

/// Why a command was refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("the game has moved on since")]
    Stale,
    #[error("there is no such seat")]
    NoSuchSeat,
    #[error("somebody sits there")]
    SeatTaken,
    #[error("every seat is taken")]
    Full,
    #[error("you have no seat at this table")]
    NotSeated,
    #[error("no game is running")]
    NoGame,
    #[error("this seat has resigned already")]
    Resigned,
    #[error("a game is running")]
    GameRuns,
    #[error("there is nobody to play with yet")]
    Alone,
    #[error("the table is still being fetched")]
    NotReady,
    #[error("there is no such offer, or it is answered")]
    NoSuchOffer,
    #[error("you have asked for something that is not answered yet")]
    OfferOpen,
    #[error("this was asked for too often here")]
    TooOften,
    #[error("a ranked game has no undo")]
    Ranked,
    #[error("there is nobody to agree to it")]
    NobodyToAsk,
    #[error("it would take back a stone of somebody who is away and cannot agree")]
    OwnerAway,
    #[error("there is nothing to take back")]
    NothingToUndo,
    #[error("no seat is away, or several are: name one")]
    NotAway,
    #[error("the devices disagree about the game: go on without one, or open a new table")]
    Halted,
    #[error("there is no phrase of that number")]
    NoSuchPhrase,
    #[error("a phrase was said a moment ago")]
    TooSoon,
    #[error("nothing stands still: the devices agree about the game")]
    NotHalted,
    #[error("a name has at most 40 characters")]
    NameTooLong,
    #[error("the rules refuse this: {0:?}")]
    Rules(Refusal),
}

/// A journal that cannot be gone on with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    #[error("the journal holds no table")]
    Empty,
    #[error("record {0} of the journal is not valid")]
    Invalid(usize),
    #[error("the journal was written by another version")]
    Version,
}

/// The budget of the seat to move, as this device shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Countdown {
    pub seat: u8,
    pub left: Millis,
    /// False while it stands still.
    pub running: bool,
}

/// Devices disagree about the game or the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Halt {
    pub with: DeviceId,
    pub code: FaultCode,
    /// The entry about which they disagree, where it is one.
    pub index: Option<u32>,
    /// The two programs' versions, as far as they are known.
    pub ours: String,
    pub theirs: String,
}

/// Entries that this device once held, or fetched, and that its log does not contain (PROTOCOL.md, section 8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its newest entry.
    pub head: Hash,
    /// Its first entry's index: the log and the branch have everything before in common.
    pub first: u32,
    pub entries: u32,
    /// The game it is of, and the stones and choices people made in it.
    pub game: u32,
    pub moves: u32,
}

/// How much an input changes. Most messages say what is known, and need no further look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum News {
    Nothing,
    /// Only what is on another's disk.
    Acknowledged,
    Much,
}

/// One device's part in one table.
pub struct Table {
    port: Box<dyn Port>,
    me: DeviceId,
    id: TableId,
    /// Of this process at this table.
    session: [u8; 16],
    now: Millis,
    /// When this process started here, or last woke up.
    woke: Millis,
    out: VecDeque<Output>,
    /// What the input at hand changes.
    news: News,
    settled_at: Millis,
    log: Option<Log>,
    disk: Disk,
    peers: Peers,
    letters: Known,
    /// Of the newest letter.
    number: u64,
    addresses: Vec<SocketAddr>,
    hello: Option<(Hello, Millis)>,
    fresh: bool,
    promise: u64,
    /// The newest answer to a call since this process started or woke up.
    answered: Option<Given>,
    /// An answer that waits for the promise to be on disk.
    owed: Option<Owed>,
    duty: Duty,
    /// When it last answered another's call.
    answered_at: Option<Millis>,
    /// Not before then the next call.
    call_after: Millis,
    overdue: Overdue,
    /// When the newest roll that names this device, or the entry that seated it, came into the log here.
    rolled_at: Millis,
    left_out: left_out::LeftOut,
    /// A roll that seems to stand on a wrong entry while proofs are fetched, and since when.
    disputed: Option<(Hash, Millis)>,
    /// When it last called for devices without a seat.
    stranded: VecDeque<Millis>,
    /// Heads of kept branches, the oldest first.
    kept: Vec<Hash>,
    /// Bytes of entries that the journal took for branches alone.
    aside_bytes: usize,
    /// Bytes of entries that are known beside the log and not kept.
    loose_bytes: usize,
    carried: Vec<Carried>,
    /// The log's length when what is carried over was last looked at.
    carried_upto: Option<u32>,
    watched: Vec<Watched>,
    watch_after: Millis,
    /// Keepers that failed, and until when they are passed over.
    blamed: BTreeMap<DeviceId, Millis>,
    halt: Option<Halt>,
    /// Devices that the people chose to go on without.
    shut_out: BTreeSet<DeviceId>,
    /// The highest number that this device has signed an act with.
    seq: u64,
    /// Numbers up to this one are not used again after a restart.
    seq_reserved: u64,
    wishes: Vec<Wish>,
    clock: Clock,
    thinking: Option<Thinking>,
    think_tickets: u64,
    told: Told,
    /// When this device's person last said something.
    said: Option<Millis>,
    fault: Option<Fault>,
    admission: Admission,
    left: bool,
}

impl Table {
    /// Takes an input; then [`Table::poll`] gives what to do.
    pub fn handle(&mut self, input: Input, now: Millis) {
        if self.left {
            self.now = self.now.max(now);
            return;
        }
        self.pass_time(now);
        self.news = News::Much;
        match input {
            Input::LinkUp { peer, address } => self.link_up(peer, address),
            Input::LinkDown { peer } => self.link_down(peer),
            Input::Addresses(mut addresses) => {
                addresses.truncate(ADDRESSES_MAX);
                self.addresses = addresses;
            }
            Input::Message { from, bytes } => self.receive(from, &bytes),
            Input::Written { ticket } => self.written(ticket, true),
            Input::WriteFailed { ticket } => self.written(ticket, false),
            Input::Thought { ticket, action } => self.thought(ticket, action),
            Input::Tick => {}
        }
        self.settle();
    }

    /// A person's command: refused at once, or on its way (then shown as a ghost until it is in the log).
    pub fn command(&mut self, command: Command, now: Millis) -> Result<(), CommandError> {
        if self.left {
            return Err(CommandError::NotSeated);
        }
        self.pass_time(now);
        self.news = News::Much;
        self.touched();
        let done = match command {
            Command::Leave => {
                self.leave();
                return Ok(());
            }
            Command::Sit { seat, name } => self.wish(wish::Want::Sit { seat, name }),
            Command::SitHere { seat, name } => self.wish(wish::Want::SitHere { seat, name }),
            Command::Stand => self.wish_stand(),
            Command::Ready => self.wish_ready(),
            Command::Play(action) => self.wish(wish::Want::Play { action, by_clock: false }),
            Command::Resign => self.wish(wish::Want::Resign),
            Command::GoOn => self.go_on(),
            Command::Offer(proposal) => self.wish(wish::Want::Offer(proposal)),
            Command::Answer { offer, yes } => self.wish_answer(offer, yes),
            Command::Hold { seat } => self.away_seat(seat).and_then(|seat| self.wish(wish::Want::Hold { seat })),
            Command::CpuNow { seat } => self.away_seat(seat).and_then(|seat| self.wish(wish::Want::CpuNow { seat })),
            Command::Say { phrase } => self.say_phrase(phrase),
            Command::AskToStand { seat } => self.ask_to_stand(seat),
            Command::Touched => Ok(()),
            Command::Pin(pin) => {
                self.take_pin(&pin);
                Ok(())
            }
        };
        self.settle();
        done
    }

    /// The next thing to do, until `None`.
    pub fn poll(&mut self) -> Option<Output> {
        self.out.pop_front()
    }

    /// When to send `Input::Tick` at the latest.
    pub fn next_wakeup(&self) -> Millis {
        let mut next = self.now + HELLO_MS;
        let mut wake_at = |time: Millis| {
            if time > self.now {
                next = next.min(time);
            }
        };
        for peer in self.peers.values() {
            peer.heard.into_iter().for_each(|heard| wake_at(heard + SILENT_MS));
            peer.heard_directly.into_iter().for_each(|heard| wake_at(heard + HEARD_MS));
            wake_at(peer.left_out_until);
        }
        self.told.owners_since().for_each(|since| wake_at(since + SILENT_MS));
        if let Some((_, sent)) = &self.hello {
            wake_at(sent + HELLO_MS);
            wake_at(sent + HELLO_MIN_MS);
        }
        if !self.watched.is_empty() {
            wake_at(self.watch_after);
        }
        wake_at(self.call_after);
        self.left_out.due().into_iter().for_each(&mut wake_at);
        self.disputed.into_iter().for_each(|(_, since)| wake_at(since + FETCH_MS));
        wake_at(self.woke + ALONE_MS);
        self.wishes.iter().filter_map(Wish::next_sending).for_each(&mut wake_at);
        self.duty.deadline().into_iter().for_each(&mut wake_at);
        self.overdue_at().into_iter().for_each(&mut wake_at);
        self.disk.retry_at().into_iter().for_each(&mut wake_at);
        self.admission.deadlines().for_each(&mut wake_at);
        self.clock.deadlines().for_each(&mut wake_at);
        self.grace_ends().for_each(&mut wake_at);
        next
    }

    fn pass_time(&mut self, now: Millis) {
        let now = now.max(self.now);
        if now - self.now >= SLEPT_MS {
            self.woke = now;
            if self.log.is_some() {
                self.wake();
            }
        }
        self.now = now;
    }

    /// Follows up whatever has changed, until nothing is left to do now.
    fn settle(&mut self) {
        if self.news != News::Much && self.now < self.settled_at + SETTLE_MS {
            if self.news == News::Acknowledged && self.told.knows_table() {
                self.tell_final();
            }
            return;
        }
        self.settled_at = self.now;
        self.tend_doors();
        self.show();
        self.tend_clock();
        self.tend_wishes();
        self.keep();
        self.tend_calls();
        self.carry_over();
        self.watch_keeper();
        self.push_out();
        self.tell();
        self.greet();
    }

    fn leave(&mut self) {
        self.goodbye();
        if self.thinking.take().is_some() {
            self.out.push_back(Output::StopThinking);
        }
        self.left = true;
    }
}
