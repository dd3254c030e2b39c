//! Invites: how to reach a device's table where mDNS does not. A *link* has everything; a *code* is short enough to be
//! typed, and holds only what the network and the device itself do not tell. Text in, values out; nothing here dials.
//!
//! Both are written with 32 letters and digits, five bits each: the digits, and the letters without I, L, O and U. They
//! are read whatever their case, with spaces and dashes anywhere, and with those four letters for what they look like.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use table::{DeviceId, TableId};

use crate::addresses::reachable;
use crate::limits::{ADDRESSES_MAX, INVITE_CHARS_MAX, PORT_PREFERRED};

const SCHEME: &str = "capturefive:";
const SYMBOLS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const SYMBOL_BITS: usize = 5;
/// Of links; another one is a newer program's.
const VERSION: u8 = 1;
/// Bytes at the end of a link that tell whether it is whole.
const LINK_CHECK_BYTES: usize = 4;
/// A code for this network: 16 bits of the address, 40 of the device's id, 4 to check.
const NEAR_SYMBOLS: usize = 12;
const NEAR_CHECK_BITS: u32 = 4;
/// A code with the whole address and the port: 32, 16, 40, 12.
const FAR_SYMBOLS: usize = 20;
const FAR_CHECK_BITS: u32 = 12;
/// Letters of a code between two dashes.
const GROUP: usize = 4;

/// The beginning of a device's id, as a code holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(pub [u8; 5]);

impl Fingerprint {
    pub fn of(device: &DeviceId) -> Fingerprint {
        Fingerprint(std::array::from_fn(|i| device.0[i]))
    }
}

/// Where a code leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a network of the reader's: the last two bytes of an IPv4 address, at the usual port.
    Near([u8; 2]),
    At(Ipv4Addr, u16),
}

/// An invite as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invite {
    Link { table: TableId, device: DeviceId, addresses: Vec<SocketAddr> },
    Code { fingerprint: Fingerprint, place: Place },
}

/// Why a text is no invite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InviteError {
    #[error("this is no invite: a code has 12 or 20 letters and digits, a link starts with {SCHEME}")]
    NoInvite,
    /// It has the form of one, but its check does not fit.
    #[error("there is a mistake in this invite: compare it with the other screen, letter by letter")]
    Mistyped,
    #[error("this invite was made by a newer version: update this program")]
    Newer,
}

impl Invite {
    /// Reads a link or a code as a person typed or pasted it.
    pub fn read(text: &str) -> Result<Invite, InviteError> {
        if text.chars().nth(INVITE_CHARS_MAX).is_some() {
            return Err(InviteError::NoInvite);
        }
        let text: String = text.trim().chars().map(plain).collect();
        let (is_link, body) = match text.get(..SCHEME.len()) {
            Some(head) if head.eq_ignore_ascii_case(SCHEME) => (true, text[SCHEME.len()..].trim_start_matches('/')),
            Some(_) | None => (false, text.as_str()),
        };
        // What begins as a link is meant as one.
        let other = if is_link { InviteError::Mistyped } else { InviteError::NoInvite };
        let mut symbols = Vec::new();
        for letter in body.chars().filter(|letter| !is_between(*letter)) {
            symbols.push(symbol(letter).ok_or(other)?);
        }
        match symbols.len() {
            NEAR_SYMBOLS | FAR_SYMBOLS if !is_link => code_from(&symbols),
            _ => link_from(&bytes_from(&symbols).ok_or(other)?, other),
        }
    }

    /// The text that [`Invite::read`] reads. At most [`ADDRESSES_MAX`] addresses go into a link.
    pub fn write(&self) -> String {
        match self {
            Invite::Link { table, device, addresses } => link_text(*table, *device, addresses),
            Invite::Code { fingerprint, place } => code_text(*fingerprint, *place),
        }
    }

    /// The addresses to try, for a reader with these own addresses.
    pub fn addresses(&self, own: &[IpAddr]) -> Vec<SocketAddr> {
        match self {
            Invite::Link { addresses, .. } => addresses.clone(),
            Invite::Code { place: Place::At(address, port), .. } => vec![(*address, *port).into()],
            Invite::Code { place: Place::Near([c, d]), .. } => {
                let mut near: Vec<SocketAddr> = Vec::new();
                for address in own {
                    // Whatever is asked within loopback's network is this device itself.
                    let IpAddr::V4(address) = address else { continue };
                    if address.is_loopback() {
                        continue;
                    }
                    let [a, b, _, _] = address.octets();
                    let there = SocketAddr::from((Ipv4Addr::new(a, b, *c, *d), PORT_PREFERRED));
                    if reachable(there.ip()) && !near.contains(&there) {
                        near.push(there);
                    }
                }
                near
            }
        }
    }

    /// Whether this device is the one that invited.
    pub fn is_by(&self, found: &DeviceId) -> bool {
        match self {
            Invite::Link { device, .. } => device == found,
            Invite::Code { fingerprint, .. } => *fingerprint == Fingerprint::of(found),
        }
    }
}

/// Full-width letters, as East Asian keyboards type them, are the plain ones.
fn plain(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
        _ => letter,
    }
}

/// Spaces and whatever looks like a dash.
fn is_between(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, '-' | '_' | '\u{ad}' | '\u{200b}' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{30fc}')
}

fn symbol(letter: char) -> Option<u8> {
    let letter = match letter.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        'U' => 'V',
        other => other,
    };
    SYMBOLS.iter().position(|symbol| char::from(*symbol) == letter).map(|at| at as u8)
}

fn letter(symbol: u8) -> char {
    char::from(SYMBOLS[usize::from(symbol & 31)])
}

/// The bytes that these symbols spell; `None` where something is left over.
fn bytes_from(symbols: &[u8]) -> Option<Vec<u8>> {
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0u32, 0);
    for symbol in symbols {
        held = held << SYMBOL_BITS | u32::from(*symbol);
        bits += SYMBOL_BITS;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    (held == 0 && bits < SYMBOL_BITS).then_some(bytes)
}

fn symbols_of(bytes: &[u8]) -> String {
    let (mut text, mut held, mut bits) = (String::new(), 0u32, 0);
    for byte in bytes {
        held = held << 8 | u32::from(*byte);
        bits += 8;
        while bits >= SYMBOL_BITS {
            bits -= SYMBOL_BITS;
            text.push(letter((held >> bits) as u8));
            held &= (1 << bits) - 1;
        }
    }
    if bits > 0 {
        text.push(letter((held << (SYMBOL_BITS - bits)) as u8));
    }
    text
}

fn link_check(bytes: &[u8]) -> [u8; LINK_CHECK_BYTES] {
    let hash = blake3::hash(&[b"c5/1/link".as_slice(), bytes].concat());
    std::array::from_fn(|i| hash.as_bytes()[i])
}

fn link_text(table: TableId, device: DeviceId, addresses: &[SocketAddr]) -> String {
    let mut bytes = vec![VERSION];
    bytes.extend(table.0);
    bytes.extend(device.0);
    for address in addresses.iter().take(ADDRESSES_MAX) {
        match address.ip() {
            IpAddr::V4(v4) => {
                bytes.push(4);
                bytes.extend(v4.octets());
            }
            IpAddr::V6(v6) => {
                bytes.push(6);
                bytes.extend(v6.octets());
            }
        }
        bytes.extend(address.port().to_be_bytes());
    }
    bytes.extend(link_check(&bytes));
    format!("{SCHEME}{}", symbols_of(&bytes))
}

/// `other`: why it is no link, where it has not the form of one.
fn link_from(bytes: &[u8], other: InviteError) -> Result<Invite, InviteError> {
    let (body, check) = bytes.split_last_chunk::<LINK_CHECK_BYTES>().ok_or(other)?;
    let (version, body_rest) = body.split_first().ok_or(other)?;
    if link_check(body) != *check {
        return Err(InviteError::Mistyped);
    }
    if *version != VERSION {
        return Err(InviteError::Newer);
    }
    let link = || {
        let (table, rest) = body_rest.split_first_chunk::<16>()?;
        let (device, mut rest) = rest.split_first_chunk::<32>()?;
        let mut addresses = Vec::new();
        while !rest.is_empty() && addresses.len() < ADDRESSES_MAX {
            let (address, more) = address_from(rest)?;
            addresses.push(address);
            rest = more;
        }
        let sound = rest.is_empty() && !addresses.is_empty();
        sound.then_some(Invite::Link { table: TableId(*table), device: DeviceId(*device), addresses })
    };
    link().ok_or(other)
}

/// One address, and what follows it.
fn address_from(bytes: &[u8]) -> Option<(SocketAddr, &[u8])> {
    let (kind, rest) = bytes.split_first()?;
    let (ip, rest) = match kind {
        4 => rest.split_first_chunk::<4>().map(|(ip, rest)| (IpAddr::V4(Ipv4Addr::from(*ip)), rest))?,
        6 => rest.split_first_chunk::<16>().map(|(ip, rest)| (IpAddr::V6(Ipv6Addr::from(*ip)), rest))?,
        _ => return None,
    };
    let (port, rest) = rest.split_first_chunk::<2>()?;
    let port = u16::from_be_bytes(*port);
    (port != 0 && reachable(ip)).then_some((SocketAddr::new(ip, port), rest))
}

/// A code's last bits, from those before.
fn code_check(value: u128, bits: u32) -> u128 {
    let hash = blake3::hash(&[b"c5/1/code".as_slice(), &value.to_be_bytes()].concat());
    let first = u32::from_be_bytes(std::array::from_fn(|i| hash.as_bytes()[i]));
    u128::from(first >> (32 - bits))
}

fn code_text(fingerprint: Fingerprint, place: Place) -> String {
    let append = |value: u128, bytes: &[u8]| bytes.iter().fold(value, |value, byte| value << 8 | u128::from(*byte));
    let (value, check, symbols) = match place {
        Place::Near(end) => (append(0, &end), NEAR_CHECK_BITS, NEAR_SYMBOLS),
        Place::At(ip, port) => (append(append(0, &ip.octets()), &port.to_be_bytes()), FAR_CHECK_BITS, FAR_SYMBOLS),
    };
    let value = append(value, &fingerprint.0);
    let value = value << check | code_check(value, check);
    let mut text = String::new();
    for at in 0..symbols {
        if at > 0 && at % GROUP == 0 {
            text.push('-');
        }
        text.push(letter((value >> ((symbols - 1 - at) * SYMBOL_BITS)) as u8 & 31));
    }
    text
}

fn code_from(symbols: &[u8]) -> Result<Invite, InviteError> {
    let value = symbols.iter().fold(0u128, |value, symbol| value << SYMBOL_BITS | u128::from(*symbol));
    let near = symbols.len() == NEAR_SYMBOLS;
    let check = if near { NEAR_CHECK_BITS } else { FAR_CHECK_BITS };
    let (value, read) = (value >> check, value & ((1 << check) - 1));
    if code_check(value, check) != read {
        return Err(InviteError::Mistyped);
    }
    let bytes = value.to_be_bytes();
    let fingerprint = Fingerprint(std::array::from_fn(|i| bytes[11 + i]));
    let place = if near {
        Place::Near([bytes[9], bytes[10]])
    } else {
        let ip = Ipv4Addr::new(bytes[5], bytes[6], bytes[7], bytes[8]);
        let port = u16::from_be_bytes([bytes[9], bytes[10]]);
        if port == 0 || !reachable(ip.into()) {
            return Err(InviteError::NoInvite);
        }
        Place::At(ip, port)
    };
    Ok(Invite::Code { fingerprint, place })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn address() -> impl Strategy<Value = SocketAddr> {
        let ip = prop_oneof![
            any::<[u8; 4]>().prop_map(|ip| IpAddr::V4(ip.into())),
            any::<[u8; 16]>().prop_map(|ip| IpAddr::V6(ip.into())),
        ];
        (ip.prop_filter("a device can be there", |ip| reachable(*ip)), 1u16..)
            .prop_map(|(ip, port)| SocketAddr::new(ip, port))
    }

    fn invite() -> impl Strategy<Value = Invite> {
        let link = (any::<[u8; 16]>(), any::<[u8; 32]>(), prop::collection::vec(address(), 1..=ADDRESSES_MAX));
        let far = any::<[u8; 4]>().prop_map(Ipv4Addr::from).prop_filter("reachable", |ip| reachable((*ip).into()));
        let place = prop_oneof![
            any::<[u8; 2]>().prop_map(Place::Near),
            (far, 1u16..).prop_map(|(ip, port)| Place::At(ip, port)),
        ];
        prop_oneof![
            link.prop_map(|(table, device, addresses)| Invite::Link {
                table: TableId(table),
                device: DeviceId(device),
                addresses
            }),
            (any::<[u8; 5]>(), place).prop_map(|(id, place)| Invite::Code { fingerprint: Fingerprint(id), place }),
        ]
    }

    /// The same text as somebody might type it: each letter's number chooses what becomes of it.
    fn typed(text: &str, ways: &[u8]) -> String {
        let (head, body) = text.split_at(text.find(':').map_or(0, |colon| colon + 1));
        let mut out = head.to_owned();
        for (letter, way) in body.chars().zip(ways.iter().cycle()) {
            match (way % 8, letter) {
                (0, '0') => out.push('o'),
                (1, '0') => out.push('O'),
                (0, '1') => out.push('l'),
                (1, '1') => out.push('I'),
                (0, 'V') => out.push('u'),
                (2, letter) => out.push(letter.to_ascii_lowercase()),
                (3, letter) if letter.is_ascii_alphanumeric() => {
                    out.push(char::from_u32(letter as u32 + 0xfee0).unwrap_or(letter));
                }
                (4, '-') => out.push('\u{2013}'),
                (5, '-') => {}
                (6, letter) => out.extend([' ', letter, '\u{3000}']),
                (_, letter) => out.push(letter),
            }
        }
        out
    }

    proptest! {
        #[test]
        fn an_invite_is_read_as_it_was_meant(invite in invite(), ways in prop::collection::vec(any::<u8>(), 1..40)) {
            let text = invite.write();
            prop_assert!(text.chars().count() <= INVITE_CHARS_MAX);
            prop_assert_eq!(Invite::read(&text), Ok(invite.clone()));
            prop_assert_eq!(Invite::read(&text.to_uppercase()), Ok(invite.clone()));
            prop_assert_eq!(Invite::read(&text.to_lowercase()), Ok(invite.clone()));
            let typed = typed(&text, &ways);
            // Spaces count: nobody types so many.
            if typed.chars().count() <= INVITE_CHARS_MAX {
                prop_assert_eq!(Invite::read(&typed), Ok(invite));
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>(), bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = Invite::read(&text);
            let _ = Invite::read(&format!("{SCHEME}{text}"));
            let spelled = symbols_of(&bytes);
            if let Ok(invite) = Invite::read(&spelled) {
                prop_assert_eq!(Invite::read(&invite.write()), Ok(invite));
            }
            if let Some(read) = bytes_from(&spelled.chars().filter_map(symbol).collect::<Vec<_>>()) {
                prop_assert_eq!(read, bytes);
            }
        }

        /// What passes the check by chance is still an invite of its form, and leads to another device.
        #[test]
        fn a_wrong_letter_is_a_mistake_or_another_invite(invite in invite(), at in any::<prop::sample::Index>(), by in 1u8..32) {
            let text = invite.write();
            let start = if text.starts_with(SCHEME) { SCHEME.len() } else { 0 };
            let at = start + at.index(text.len() - start);
            let right = text[at..].chars().next().and_then(symbol);
            prop_assume!(right.is_some());
            let wrong = letter(right.unwrap_or(0) ^ by);
            let changed = format!("{}{wrong}{}", &text[..at], &text[at + 1..]);
            prop_assert_ne!(Invite::read(&changed), Ok(invite));
        }
    }

    #[test]
    fn of_all_single_mistakes_in_a_code_about_one_in_sixteen_gets_through() {
        let code = Invite::Code { fingerprint: Fingerprint([1, 2, 3, 4, 5]), place: Place::Near([7, 9]) };
        let text = code.write();
        assert_eq!(text.len(), NEAR_SYMBOLS + 2);
        let (mut through, mut all) = (0, 0);
        for at in (0..text.len()).filter(|at| text.as_bytes()[*at] != b'-') {
            for other in SYMBOLS.iter().filter(|other| **other != text.as_bytes()[at]) {
                let changed = format!("{}{}{}", &text[..at], char::from(*other), &text[at + 1..]);
                all += 1;
                through += usize::from(Invite::read(&changed).is_ok());
            }
        }
        assert!(through * 8 < all, "{through} of {all}");
    }

    #[test]
    fn texts_that_are_no_invites_say_so() {
        let link = Invite::Link {
            table: TableId([1; 16]),
            device: DeviceId([2; 32]),
            addresses: vec![SocketAddr::from(([192, 168, 1, 2], 40515))],
        };
        let text = link.write();
        for bad in ["", " ", "Anna", "0123456789AB!", "http://x", "----"] {
            assert_eq!(Invite::read(bad), Err(InviteError::NoInvite), "{bad:?}");
        }
        assert_eq!(Invite::read(&"0".repeat(INVITE_CHARS_MAX + 1)), Err(InviteError::NoInvite));
        // Cut short, or with a letter too many.
        for length in SCHEME.len()..text.len() {
            assert_eq!(Invite::read(&text[..length]), Err(InviteError::Mistyped), "{length}");
        }
        // It begins as a link.
        for bad in ["", "\u{4e94}", "!"] {
            assert_eq!(Invite::read(&format!("{SCHEME}{bad}")), Err(InviteError::Mistyped), "{bad:?}");
        }
        let last = text.len() - 1;
        for other in SYMBOLS.iter().filter(|other| **other != text.as_bytes()[last]) {
            let changed = format!("{}{}", &text[..last], char::from(*other));
            assert_eq!(Invite::read(&changed), Err(InviteError::Mistyped), "{changed}");
        }
        assert!(Invite::read(&format!("{text}0")).is_err());
        let mut newer = vec![VERSION + 1, 9, 9];
        newer.extend(link_check(&newer));
        assert_eq!(Invite::read(&format!("{SCHEME}{}", symbols_of(&newer))), Err(InviteError::Newer));
        let mut nobody = vec![VERSION];
        nobody.extend([0; 48]);
        nobody.extend(link_check(&nobody));
        assert_eq!(Invite::read(&symbols_of(&nobody)), Err(InviteError::NoInvite));
    }

    #[test]
    fn a_short_code_is_for_the_networks_that_the_reader_is_in() {
        let code = Invite::Code { fingerprint: Fingerprint([0; 5]), place: Place::Near([4, 9]) };
        let own = ["127.0.0.1", "192.168.7.1", "192.168.4.2", "10.1.2.3", "fd00::1"].map(|ip| ip.parse().unwrap());
        let expected: [SocketAddr; 2] =
            [([192, 168, 4, 9], PORT_PREFERRED).into(), ([10, 1, 4, 9], PORT_PREFERRED).into()];
        assert_eq!(code.addresses(&own), expected);
        assert_eq!(code.addresses(&[]), []);
    }
}
