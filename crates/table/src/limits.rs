//! Every bound and every span of time of the protocol (PROTOCOL.md), with its unit.

use crate::Millis;

/// Version of messages, entries and journal records. Devices of different versions do not link.
pub const PROTOCOL_VERSION: u32 = 3;
/// Raised with every change of the rules crate that changes how any game goes.
pub const RULES_REVISION: u32 = 1;

/// Bytes of one message.
pub const MESSAGE_BYTES_MAX: usize = 64 * 1024;
/// Bytes of entries in one `Push`; the rest is room for the message around them.
pub const PAGE_BYTES_MAX: usize = 60 * 1024;
/// Bytes of one entry.
pub const ENTRY_BYTES_MAX: usize = 16 * 1024;
/// Bytes of entries that are held back while their roll has not come.
pub const HELD_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bytes of other devices' branches that a journal takes; further ones are kept in memory only.
pub const ASIDE_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Entries that a peer lacks and is sent without asking.
pub const UNASKED_MAX: u32 = 32;
/// Hashes of one's own log in a `Want`.
pub const WANT_HASHES_MAX: usize = 32;
/// No `start` at this index or above, and nobody sits down any more: what is left is for the game that runs.
pub const START_INDEX_MAX: u32 = 60_000;
/// Entries of a log: far above what games and comings and goings make of it, so that no keeper fills a memory.
pub const ENTRIES_MAX: u32 = 100_000;
/// Characters of a name.
pub const NAME_CHARS_MAX: usize = 40;
/// Seats of a table.
pub const SEATS_MIN: usize = 2;
pub const SEATS_MAX: usize = 4;
/// The CPU's levels go from 1 to this.
pub const LEVEL_MAX: u8 = 8;
/// Answers in one roll: an owner for each seat, and as many who sat down where logs had parted.
pub const ANSWERS_MAX: usize = 2 * SEATS_MAX;
/// Chains kept beside the log; those with the fewest acts of people go first.
pub const BRANCHES_MAX: usize = 64;
/// A promise above the term is a reason to call only after this: the call that it answers may be under way.
pub const PROMISED_MS: Millis = 2_000;
/// A device that hears a reason for a call which nobody calls for calls itself after this, each later seat a little
/// later.
pub const OVERDUE_MS: Millis = 2_000;
pub const OVERDUE_SEAT_MS: Millis = 300;
/// Own calls in a row that nobody was to make: the wait doubles with each up to so many times.
pub const OVERDUE_DOUBLINGS_MAX: u32 = 3;
/// An act that the keeper has not entered for this long goes to everybody.
pub const ACT_TO_ALL_MS: Millis = 2_000;
/// A keeper that has not entered a valid act for this long is blamed.
pub const BLAME_AFTER_MS: Millis = 4_000;
/// A blamed keeper does not keep or call for this long.
pub const BLAME_MS: Millis = 60_000;
/// Between two looks at them.
pub const WATCH_EVERY_MS: Millis = 500;
/// Own addresses in a `Hello`.
pub const ADDRESSES_MAX: usize = 8;
/// Devices in a `Hello`'s list of those heard.
pub const HEARD_MAX: usize = 16;
/// Links of a device at a table to devices without a seat there.
pub const SPECTATORS_MAX: usize = 32;
/// Characters of a PIN.
pub const PIN_CHARS_MAX: usize = 32;
/// Tries at the PIN from one address: so many at once, and another after each of these spans.
pub const PIN_TRIES_AT_ONCE: u64 = 5;
pub const PIN_TRY_MS: Millis = 60_000;
/// Addresses whose tries are counted apart.
pub const PIN_ADDRESSES_MAX: usize = 256;
/// A link that has not given the PIN is closed after this.
pub const PIN_WAIT_MS: Millis = 120_000;
/// Between two answers to a device that asks for the PIN again and again.
pub const PIN_AGAIN_MS: Millis = 1_000;
/// Devices that are remembered to have been let in.
pub const ADMITTED_MAX: usize = 256;
/// Letters whose hashes are kept, so that each is taken and passed on once.
pub const LETTERS_KNOWN_MAX: usize = 2048;
/// Processes of one origin whose letters are told apart.
pub const SESSIONS_KNOWN_MAX: usize = 4;
/// A term or promise further than this above one's own is ignored.
pub const TERM_LEAP_MAX: u64 = 1 << 20;
/// So often in a process one's own promise is raised for a device that says it has promised more than that above it:
/// by [`TERM_LEAP_MAX`], then by twice as much each time. Somebody who called one of two again and again does not keep
/// them apart.
pub const LEAPS_MAX: u8 = 16;
/// From one roll of a log to the next: many calls that came to nothing lie between, and no log comes to the end of numbers.
pub const TERM_STEP_MAX: u64 = 1 << 40;
/// Numbers of own acts that one journal record reserves.
pub const SEQ_BLOCK: u64 = 64;
/// Offers of one kind that a seat may make while play stands at one place.
pub const OFFERS_MAX: u8 = 3;
/// Times that somebody sits down while play stands at one place, all devices together: changing seats fills no log.
pub const SITS_MAX: u16 = 256;
/// Times that the budget of one move starts again in full, because a roll came.
pub const RESTARTS_MAX: u8 = 3;
/// Moves in a row that the clock made, after which a seat's player counts as not there.
pub const CLOCK_MOVES_MAX: u8 = 3;
/// Acts of branches that are tried again after a roll, those of the newest branches first.
pub const CARRIED_MAX: usize = 4_096;
/// The ready phrases have the numbers from 1 to this. What each says, the programs know in their people's languages.
pub const PHRASES_MAX: u8 = 10;
/// Between two phrases of one device; what it says sooner is not heard.
pub const SAY_EVERY_MS: Millis = 1_500;
/// Wishes of this device's person that are on their way.
pub const WISHES_MAX: usize = 8;

/// `Act`s of one origin: a second, and at once.
pub const ACTS_PER_SECOND: u64 = 10;
pub const ACTS_BURST: u64 = 40;
/// `Call`s of one origin.
pub const CALLS_PER_SECOND: u64 = 2;
pub const CALLS_BURST: u64 = 8;
/// `Hello`s of one origin. The burst allows for a link that delivers several at once.
pub const HELLOS_PER_SECOND: u64 = 10;
pub const HELLOS_BURST: u64 = 40;
/// `Want`s of one link, each of which is answered with a page.
pub const WANTS_PER_SECOND: u64 = 50;
pub const WANTS_BURST: u64 = 200;
/// `Ack`s, `Here`s and `Fault`s of one origin, and `Push`es and letters passed on of one link.
pub const OTHERS_PER_SECOND: u64 = 200;
pub const OTHERS_BURST: u64 = 2000;
/// A link is closed when this many times its limit comes for [`FLOOD_MS`].
pub const FLOOD_TIMES: u64 = 10;
pub const FLOOD_MS: Millis = 5_000;

/// What time alone changes is looked at this often at most while messages come.
pub const SETTLE_MS: Millis = 100;
/// Between two `Hello`s.
pub const HELLO_MS: Millis = 1_000;
/// Between two `Hello`s that tell of changes.
pub const HELLO_MIN_MS: Millis = 100;
/// A device that has not been heard for this long is silent.
pub const SILENT_MS: Millis = 3_000;
/// A device counts as heard directly for this long: little more than the time between two `Hello`s, so that the
/// others pass on what a broken link loses before anybody is silent.
pub const HEARD_MS: Millis = 1_500;
/// Own inputs this far apart mean that the device slept.
pub const SLEPT_MS: Millis = 3_000;
/// A caller waits this long for answers.
pub const CALL_MS: Millis = 800;
/// A caller waits this long for a head that it lacks.
pub const FETCH_MS: Millis = 2_000;
/// And this long for those of a device that is blamed, or whose last head could not be had for [`BLAME_MS`].
pub const FETCH_FAILED_MS: Millis = 500;
/// Between two calls.
pub const CALL_AGAIN_MS: Millis = 500;
/// A device that is heard but did not answer a call is not called for again for this long.
pub const UNANSWERED_MS: Millis = 2_000;
/// After a start or a wake-up a device that is not the only owner waits this long before it calls alone.
pub const ALONE_MS: Millis = 5_000;
/// A device that causes more than this many rolls in [`UNSTEADY_MS`] is left out for [`UNSTEADY_MS`].
pub const UNSTEADY_ROLLS: usize = 20;
pub const UNSTEADY_MS: Millis = 30_000;
/// Rolls in [`UNSTEADY_MS`] that bring back devices without a seat, all of them together, whose logs nobody goes on with.
pub const STRANDED_ROLLS_MAX: usize = 3;
/// A device whose own call has shown that it owns no seat where the log goes on leaves calling to others for this long.
pub const SEATLESS_MS: Millis = 4_000;
/// A device whose calls come to nothing this often in [`UNSTEADY_MS`], one after the other, is not answered for
/// [`BLAME_MS`].
pub const VAIN_CALLS_MAX: u8 = 4;
/// So often in a row a device is believed that it has a log of a newer roll, which then does not come.
pub const VAIN_CLAIMS_MAX: u8 = 3;
/// Calls answered in time that a device remembers.
pub const ANSWERED_MAX: usize = 16;
/// Rolls in a row, [`UNANSWERED_MS`] apart, without an answer that their caller was given in time, after which its calls
/// are not answered for [`BLAME_MS`].
pub const IGNORED_MAX: u8 = 5;
/// Rolls that left this device out though it was there, and that it remembers.
pub const REFUSED_MAX: usize = 64;
/// An act that is not in the log yet is sent again after this.
pub const ACT_AGAIN_MS: Millis = 1_000;
/// A `Want` that was not answered is sent again after this.
pub const WANT_AGAIN_MS: Millis = 2_000;
/// Between two `Dial`s of the same device.
pub const DIAL_AGAIN_MS: Millis = 5_000;
/// What could not be written is tried again after this.
pub const WRITE_AGAIN_MS: Millis = 2_000;
/// When the budget is over for this long, the keeper has the roll called.
pub const LATE_MS: Millis = 3_000;
/// A seat that does not reveal its part of the toss for this long is left out of the roll.
pub const REVEAL_MS: Millis = 5_000;
/// Bytes of one letter's note.
pub const NOTE_BYTES_MAX: usize = 8 * 1024;
/// Between two `Fault`s about the same.
pub const FAULT_AGAIN_MS: Millis = 10_000;
