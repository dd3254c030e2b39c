//! What a browser may ask for at most.

use std::time::Duration;

/// Longest message from the page, in bytes.
pub const MESSAGE_BYTES_MAX: usize = 64 * 1024;
/// Commands of one page that may be on their way; further ones wait.
pub const CALLS_MAX: usize = 32;
/// Open pages.
pub const SOCKETS_MAX: usize = 16;
/// A page that takes no message for so long is let go; it comes back by itself and asks anew.
pub const SEND_WAIT: Duration = Duration::from_secs(10);
/// When the door closes, pages and requests that are still there after this are cut off.
pub const CLOSE_WAIT: Duration = Duration::from_secs(2);
/// How long a browser is known, should the door be open so long: it may be closed and come back meanwhile.
pub const KNOWN_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);
