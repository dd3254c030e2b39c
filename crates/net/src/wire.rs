//! What is said on a link before its messages, and how messages are framed.
//!
//! The dialler opens the connection's one stream with an [`Opening`], the acceptor says [`Answer`]. An opening that
//! only asks what there is to come to ([`Wants`]) is answered, and the connection is over. Of a pair of
//! devices the one with the lower id decides which of several connections is their link: if it is the acceptor, its
//! answer is the decision; if it is the dialler, eight bytes after the answer are. Then both send messages, each with
//! its length before it as four bytes, little end first.
//!
//! Magic, protocol version and program version keep their places in every version for ever, so that two versions can
//! tell each other what they are.

use table::TableId;

use crate::Announcement;
use crate::limits::{GREETING_BYTES_MAX, MESSAGE_BYTES_MAX, NAME_CHARS_MAX, PROGRAM_BYTES_MAX, SEATS_MAX};

const MAGIC: [u8; 4] = *b"c5ln";

/// Sixteen random bytes that name a process.
pub(crate) type Session = [u8; 16];

/// Names one link of two devices; never 0.
pub(crate) type LinkId = u64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    pub protocol: u32,
    pub program: String,
}

/// What the dialler is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wants {
    /// A link for this table.
    Link(TableId),
    /// To be told a table that is announced, if there is one.
    Listed,
    /// To be told the table that a code leads to, announced or hidden.
    Invited,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    pub wants: Wants,
    pub session: Session,
    /// The link with this device that was lost last; 0 for none. It tells a device that has not noticed yet from one
    /// that has just made a link which the dialler does not know of.
    pub lost: LinkId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Accepted,
    Version,
    NoSuchTable,
    Full,
    Elsewhere,
    /// There is a link already.
    Duplicate,
    /// Cut off on purpose a short while ago.
    Barred,
    /// The table that was asked for follows.
    Told,
}

const CODES: [Code; 8] = [
    Code::Accepted,
    Code::Version,
    Code::NoSuchTable,
    Code::Full,
    Code::Elsewhere,
    Code::Duplicate,
    Code::Barred,
    Code::Told,
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub code: Code,
    pub session: Session,
    /// The new link's id if the acceptor decides, else 0.
    pub link: LinkId,
    /// With `Code::Told` and only there.
    pub table: Option<Announcement>,
}

/// The other side does not keep to this page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

impl Version {
    fn write(&self) -> Vec<u8> {
        let program = self.program.as_bytes();
        let program = &program[..program.len().min(PROGRAM_BYTES_MAX)];
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.protocol.to_le_bytes());
        bytes.push(program.len() as u8);
        bytes.extend(program);
        bytes
    }

    fn read(from: &mut Reader<'_>) -> Result<Version, Malformed> {
        if from.array()? != MAGIC {
            return Err(Malformed);
        }
        let protocol = u32::from_le_bytes(from.array()?);
        let [length] = from.array()?;
        let program = from.take(usize::from(length))?;
        let program = String::from_utf8_lossy(program);
        let program = program.chars().filter(|c| !c.is_control()).take(PROGRAM_BYTES_MAX).collect();
        Ok(Version { protocol, program })
    }
}

impl Opening {
    pub fn write(&self, own: &Version) -> Vec<u8> {
        let mut bytes = own.write();
        let (kind, table) = match self.wants {
            Wants::Link(table) => (0, table),
            Wants::Listed => (1, TableId([0; 16])),
            Wants::Invited => (2, TableId([0; 16])),
        };
        bytes.push(kind);
        bytes.extend(table.0);
        bytes.extend(self.session);
        bytes.extend(self.lost.to_le_bytes());
        bytes
    }

    /// The dialler's version, and the rest if that is `protocol`.
    pub fn read(bytes: &[u8], protocol: u32) -> Result<(Version, Option<Opening>), Malformed> {
        let mut from = Reader(bytes);
        let version = Version::read(&mut from)?;
        if version.protocol != protocol {
            return Ok((version, None));
        }
        let [kind] = from.array()?;
        let table = TableId(from.array()?);
        let wants = match (kind, table.0 == [0; 16]) {
            (0, _) => Wants::Link(table),
            (1, true) => Wants::Listed,
            (2, true) => Wants::Invited,
            _ => return Err(Malformed),
        };
        let opening = Opening { wants, session: from.array()?, lost: u64::from_le_bytes(from.array()?) };
        from.end()?;
        Ok((version, Some(opening)))
    }
}

impl Answer {
    pub fn write(&self, own: &Version) -> Vec<u8> {
        let mut bytes = own.write();
        bytes.push(CODES.iter().position(|code| *code == self.code).unwrap_or_default() as u8);
        bytes.extend(self.session);
        bytes.extend(self.link.to_le_bytes());
        if let Some(table) = &self.table {
            write_table(&mut bytes, table);
        }
        bytes
    }

    /// The acceptor's version, and the rest if that is `protocol`.
    pub fn read(bytes: &[u8], protocol: u32) -> Result<(Version, Option<Answer>), Malformed> {
        let mut from = Reader(bytes);
        let version = Version::read(&mut from)?;
        if version.protocol != protocol {
            return Ok((version, None));
        }
        let [code] = from.array()?;
        let code = *CODES.get(usize::from(code)).ok_or(Malformed)?;
        let (session, link) = (from.array()?, u64::from_le_bytes(from.array()?));
        let table = if code == Code::Told { Some(read_table(&mut from)?) } else { None };
        let answer = Answer { code, session, link, table };
        from.end()?;
        Ok((version, Some(answer)))
    }
}

fn write_table(bytes: &mut Vec<u8>, table: &Announcement) {
    bytes.extend(table.table.0);
    bytes.extend([table.taken, table.seats, u8::from(table.locked)]);
    for text in [&table.name, &table.preset] {
        let cut: String = text.chars().take(NAME_CHARS_MAX).collect();
        bytes.push(cut.len() as u8);
        bytes.extend(cut.into_bytes());
    }
}

fn read_table(from: &mut Reader<'_>) -> Result<Announcement, Malformed> {
    let table = TableId(from.array()?);
    let [taken, seats, locked] = from.array()?;
    let mut text = || {
        let [length] = from.array()?;
        let text = std::str::from_utf8(from.take(usize::from(length))?).map_err(|_| Malformed)?;
        Ok(text.chars().filter(|c| !c.is_control()).take(NAME_CHARS_MAX).collect::<String>())
    };
    let (name, preset) = (text()?, text()?);
    if taken > seats || seats > SEATS_MAX || locked > 1 {
        return Err(Malformed);
    }
    Ok(Announcement { table, name, preset, taken, seats, locked: locked == 1 })
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let (head, tail) = self.0.split_at_checked(length).ok_or(Malformed)?;
        self.0 = tail;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        self.take(N)?.try_into().map_err(|_| Malformed)
    }

    fn end(&self) -> Result<(), Malformed> {
        if self.0.is_empty() { Ok(()) } else { Err(Malformed) }
    }
}

/// Why no more frames come.
#[derive(Debug)]
pub(crate) enum FrameEnd {
    /// The other side has finished, between two frames.
    Finished,
    Malformed,
    Lost,
}

impl From<Malformed> for FrameEnd {
    fn from(_: Malformed) -> FrameEnd {
        FrameEnd::Malformed
    }
}

/// A message with its length before it.
pub(crate) fn frame(message: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4 + message.len());
    bytes.extend((message.len() as u32).to_le_bytes());
    bytes.extend(message);
    bytes
}

/// The next message. Memory is taken only for a length that is allowed.
pub(crate) async fn read_frame(stream: &mut quinn::RecvStream, most: usize) -> Result<Vec<u8>, FrameEnd> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).await.map_err(|error| match error {
        quinn::ReadExactError::FinishedEarly(0) => FrameEnd::Finished,
        quinn::ReadExactError::FinishedEarly(_) => FrameEnd::Malformed,
        quinn::ReadExactError::ReadError(_) => FrameEnd::Lost,
    })?;
    let length = u32::from_le_bytes(length) as usize;
    if length > most {
        return Err(FrameEnd::Malformed);
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).await.map_err(|error| match error {
        quinn::ReadExactError::FinishedEarly(_) => FrameEnd::Malformed,
        quinn::ReadExactError::ReadError(_) => FrameEnd::Lost,
    })?;
    Ok(bytes)
}

pub(crate) async fn read_greeting(stream: &mut quinn::RecvStream) -> Result<Vec<u8>, FrameEnd> {
    read_frame(stream, GREETING_BYTES_MAX).await
}

pub(crate) async fn read_message(stream: &mut quinn::RecvStream) -> Result<Vec<u8>, FrameEnd> {
    read_frame(stream, MESSAGE_BYTES_MAX).await
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn version(protocol: u32) -> Version {
        Version { protocol, program: "0.1.0".into() }
    }

    /// With the longest names that there can be.
    fn announcement() -> Announcement {
        let long = |letter: char| std::iter::repeat_n(letter, NAME_CHARS_MAX).collect::<String>();
        let (name, preset) = (long('\u{1f3b2}'), long('p'));
        Announcement { table: TableId([8; 16]), name, preset, taken: 1, seats: 4, locked: true }
    }

    fn opening() -> Opening {
        Opening { wants: Wants::Link(TableId([3; 16])), session: [4; 16], lost: 5 }
    }

    #[test]
    fn greetings_come_back_as_they_went() {
        for wants in [Wants::Link(TableId([3; 16])), Wants::Listed, Wants::Invited] {
            let opening = Opening { wants, session: [4; 16], lost: 5 };
            let bytes = opening.write(&version(7));
            assert_eq!(Opening::read(&bytes, 7), Ok((version(7), Some(opening))));
        }
        for code in CODES {
            let table = (code == Code::Told).then(announcement);
            let answer = Answer { code, session: [9; 16], link: 77, table };
            assert_eq!(Answer::read(&answer.write(&version(7)), 7), Ok((version(7), Some(answer))));
        }
    }

    #[test]
    fn another_version_is_told_from_the_head_alone() {
        let mut bytes = opening().write(&version(8));
        bytes.truncate(20);
        assert_eq!(Opening::read(&bytes, 7), Ok((version(8), None)));
        assert_eq!(Answer::read(&bytes, 7), Ok((version(8), None)));
    }

    #[test]
    fn anything_cut_short_or_too_long_is_malformed() {
        let opening = opening().write(&version(7));
        for length in 0..opening.len() {
            assert_eq!(Opening::read(&opening[..length], 7), Err(Malformed));
        }
        assert_eq!(Opening::read(&[&opening[..], &[0]].concat(), 7), Err(Malformed));
        let full = Answer { code: Code::Full, session: [9; 16], link: 77, table: None };
        let told = Answer { code: Code::Told, session: [9; 16], link: 0, table: Some(announcement()) };
        for answer in [full.write(&version(7)), told.write(&version(7))] {
            for length in 0..answer.len() {
                assert_eq!(Answer::read(&answer[..length], 7), Err(Malformed));
            }
            assert_eq!(Answer::read(&[&answer[..], &[0]].concat(), 7), Err(Malformed));
        }
        let long = Version { protocol: 1, program: "x".repeat(1000) };
        assert!(told.write(&long).len() <= GREETING_BYTES_MAX);
    }

    proptest! {
        /// Whatever comes is read or refused, and what is read comes back from what it is written as.
        #[test]
        fn any_bytes_are_a_greeting_or_malformed(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            at in any::<prop::sample::Index>(),
            by in any::<u8>(),
        ) {
            crate::fuzz::greetings(&bytes);
            let told = Answer { code: Code::Told, session: [9; 16], link: 0, table: Some(announcement()) };
            let own = Version { protocol: crate::fuzz::PROTOCOL, program: "0.1.0".into() };
            for mut changed in [opening().write(&own), told.write(&own)] {
                let at = at.index(changed.len());
                changed[at] ^= by;
                crate::fuzz::greetings(&changed);
            }
        }
    }
}
