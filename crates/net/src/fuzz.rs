//! What a fuzzer calls with any bytes: every decoder of what other devices send before a link is up.

use std::net::SocketAddr;

use crate::invite::Invite;
use crate::rows::Record;
use crate::wire::{Answer, Opening};

/// The version that the greetings are read as.
pub(crate) const PROTOCOL: u32 = 2;

/// Greetings of both sides, the answer to a probe, and an mDNS record whose lines are its name and its properties.
pub fn greetings(input: &[u8]) {
    // A program's version is only for people: bytes of it that are no text are not kept.
    if let Ok((version, Some(opening))) = Opening::read(input, PROTOCOL) {
        let again = Opening::read(&opening.write(&version), PROTOCOL);
        assert_eq!(again.map(|(_, again)| again), Ok(Some(opening)));
    }
    if let Ok((version, Some(answer))) = Answer::read(input, PROTOCOL) {
        let again = Answer::read(&answer.write(&version), PROTOCOL);
        assert_eq!(again.map(|(_, again)| again), Ok(Some(answer)));
    }
    let _ = crate::probe::token(input);
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut lines = text.lines();
    let fullname = lines.next().unwrap_or_default();
    let properties: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once('=')).collect();
    let property = |key: &str| properties.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
    let _ = Record::parse(fullname, property, std::iter::once(SocketAddr::from(([10, 0, 0, 1], 1))));
}

/// Invites: what is read is written in one form, and read again is the same.
pub fn invite(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(invite) = Invite::read(text) {
        assert_eq!(Invite::read(&invite.write()), Ok(invite));
    }
}
