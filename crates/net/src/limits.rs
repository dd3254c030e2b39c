//! Every bound of the network, with its unit.

use std::time::Duration;

/// The UDP port that is taken where it is free, so that people can open it in a firewall.
pub const PORT_PREFERRED: u16 = 40515;
/// The largest message, in bytes.
pub const MESSAGE_BYTES_MAX: usize = 64 * 1024;
/// The largest opening or answer, in bytes.
pub const GREETING_BYTES_MAX: usize = 512;
/// A program's version, in bytes.
pub const PROGRAM_BYTES_MAX: usize = 40;

/// A link without a sign of life for so long is lost.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(3);
pub const KEEP_ALIVE: Duration = Duration::from_secs(1);
/// A first guess that suits a local network; QUIC's own is for the internet, and makes a lost first packet dear.
pub const INITIAL_RTT: Duration = Duration::from_millis(20);

/// Handshakes under way, in all and from one IP address; the oldest makes way.
pub const PENDING_MAX: usize = 64;
pub const PENDING_PER_ADDRESS_MAX: usize = 16;
/// With more handshakes than this under way, a newcomer first proves that its address is its own.
pub const PENDING_UNPROVEN_MAX: usize = 16;
/// Connections of any kind, those included that are over and still told so: beyond, a newcomer is not answered, and
/// comes again by itself.
pub const CONNECTIONS_MAX: usize = 512;
/// From the first packet to the link.
pub const PENDING_TIMEOUT: Duration = Duration::from_secs(5);

/// Addresses of devices of another version that the app is told of.
pub const TURNED_AWAY_MAX: usize = 64;

/// Links of a table to devices that the app named as owners, and to others.
pub const OWNER_LINKS_MAX: usize = 8;
pub const OTHER_LINKS_MAX: usize = 32;
/// A device that was cut off on purpose stays out for so long.
pub const BARRED: Duration = Duration::from_secs(30);
/// Devices of a table that are remembered as barred, or for the link they had last.
pub const REMEMBERED_DEVICES_MAX: usize = 128;
/// Sessions of a table that a newer process of the same device replaced.
pub const SUPERSEDED_MAX: usize = 64;

/// What waits to be sent on one link; a peer that takes it up more slowly loses the link.
pub const QUEUE_MESSAGES_MAX: usize = 1024;
pub const QUEUE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// What a peer may send ahead of our reading, in bytes.
pub const RECEIVE_WINDOW_BYTES: u32 = 512 * 1024;
/// Events that the app has not taken yet; beyond, the links' reading waits.
pub const EVENTS_MAX: usize = 256;
/// How long a goodbye may take to be taken up by the other side.
pub const GOODBYE: Duration = Duration::from_millis(500);
/// How long `shutdown` waits for all goodbyes.
pub const SHUTDOWN: Duration = Duration::from_secs(1);

/// Dialling again: the first wait and the longest.
pub const REDIAL_FIRST: Duration = Duration::from_millis(50);
pub const REDIAL_LONGEST: Duration = Duration::from_secs(2);
/// Rounds of dialling one device that may be under way at once: on a slow link one takes seconds, and a fresh packet
/// finds a device that is just back much sooner than the retransmissions of an old round.
pub const ROUNDS_MAX: usize = 3;
/// How long other devices wait for their turn while an owner of a seat is dialled and not linked yet: enough for its
/// handshake on a busy machine, and for two lost packets.
pub const OWNERS_FIRST: Duration = Duration::from_millis(500);
/// How much longer a worse kind of address waits for its turn in a round.
pub const WORSE_ADDRESS_WAIT: Duration = Duration::from_millis(150);
/// The wait after `NoSuchTable` and after `Full`.
pub const REFUSED_PAUSE: Duration = Duration::from_secs(2);
/// Devices that one table dials, beside [`OWNER_LINKS_MAX`] owners, and addresses that are tried for one.
pub const TARGETS_MAX: usize = 64;
pub const ADDRESSES_PER_TARGET_MAX: usize = 16;
/// A device that linked to us, is not announced and not dialled by the app, is forgotten after so long without a link.
pub const MET_FORGOTTEN: Duration = Duration::from_secs(600);
/// Between two lines of log about the same trouble.
pub const LOG_INTERVAL: Duration = Duration::from_secs(30);
/// Between two tries to open a socket or the mDNS service that failed.
pub const REOPEN_LONGEST: Duration = Duration::from_secs(2);

/// Tables listed, and announcements held in memory.
pub const LISTED_MAX: usize = 64;
pub const ROWS_MAX: usize = 256;
/// Hidden tables of one device that are announced: what fits into one property of a record.
pub const HIDDEN_MAX: usize = 7;
/// Characters of an announced table's or preset's name.
pub const NAME_CHARS_MAX: usize = 40;
pub const SEATS_MAX: u8 = 8;
/// Addresses in a row, and of this device.
pub const ADDRESSES_MAX: usize = 8;
/// Between two probes of a listed device, and how long it may stay silent before its tables go.
pub const PROBE_INTERVAL: Duration = Duration::from_secs(1);
pub const PROBE_SILENCE: Duration = Duration::from_millis(3500);
/// When announcements are repeated after a change; the last is repeated for ever.
pub const REANNOUNCE: [Duration; 3] = [Duration::from_millis(1500), Duration::from_secs(5), Duration::from_secs(30)];
/// A name that was taken back is announced again no sooner: the goodbye, which is sent twice and counts after a second,
/// would take the new announcement with it.
pub const TAKEN_BACK: Duration = Duration::from_millis(1500);
/// mDNS is asked for all that it has so often, in case that one of its messages was lost; and so often while a record
/// lacks an address. What it does not show within the moment after is gone.
pub const BROWSE_AGAIN: Duration = Duration::from_secs(60);
pub const BROWSE_INCOMPLETE: Duration = Duration::from_secs(2);
pub const BROWSE_MOMENT: Duration = Duration::from_secs(1);
/// How long mDNS asks for a record that is doubted.
pub const VERIFY: Duration = Duration::from_secs(3);
/// Characters of an invite as it is typed or pasted.
pub const INVITE_CHARS_MAX: usize = 1024;
/// Devices that were at a table of ours, and are asked at their last addresses whether they announce one, so often.
pub const KNOWN_MAX: usize = 32;
pub const KNOWN_INTERVAL: Duration = Duration::from_secs(10);
/// Two looks at the clocks that are further apart than this, or between which the clock that counts sleep went on by
/// so much more than the one that does not, mean that the device slept.
pub const SLEPT: Duration = Duration::from_secs(3);
/// The endpoint is not opened anew again within this time, however often the network changes.
pub const RENEW_PAUSE: Duration = Duration::from_secs(2);
/// How long the old port is waited for before another one will do, and between two tries.
pub const PORT_WAIT: Duration = Duration::from_secs(1);
pub const PORT_RETRY: Duration = Duration::from_millis(25);
/// Between two looks at this device's interfaces.
pub const INTERFACES_INTERVAL: Duration = Duration::from_secs(1);
