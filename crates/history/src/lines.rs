//! Files of checksummed lines: a title line with the version, then `CHECKSUM PAYLOAD` a line.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom};

use crate::fail;

/// One kind of file of lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// What the first line starts with; the version follows. Also makes the checksums this kind's own.
    pub title: &'static str,
    pub version: u32,
    /// Longest payload, in bytes.
    pub payload_bytes_max: usize,
    /// A line is good only at its place in the file, so that lines that are gone are noticed. Without it a line is good
    /// wherever it stands.
    pub placed: bool,
}

/// Bytes of a checksum in the file: 16 hex digits and a space.
const SUM_BYTES: usize = 17;

/// The first 8 bytes of the payload's hash.
pub(crate) type Sum = [u8; 8];

impl Format {
    pub fn header(&self) -> String {
        format!("{} {}\n", self.title, self.version)
    }

    fn sum(&self, place: u64, payload: &[u8]) -> Sum {
        let mut hasher = blake3::Hasher::new_derive_key(self.header().trim_end());
        if self.placed {
            hasher.update(&place.to_be_bytes());
        }
        hasher.update(payload);
        hasher.finalize().as_bytes()[..8].try_into().unwrap_or_default()
    }

    /// The payload as it stands in the file, after `place` other lines. It must hold no line end.
    pub fn line(&self, place: u64, payload: &[u8]) -> io::Result<(Vec<u8>, Sum)> {
        if payload.len() > self.payload_bytes_max || payload.contains(&b'\n') {
            let about = format!("a record of {} bytes does not fit into a line", payload.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, about));
        }
        let sum = self.sum(place, payload);
        let mut line = hex(&sum).into_bytes();
        line.push(b' ');
        line.extend_from_slice(payload);
        line.push(b'\n');
        Ok((line, sum))
    }

    /// The payload of a line without its end, if it is as it was written.
    fn payload<'a>(&self, place: u64, line: &'a [u8]) -> Option<(&'a [u8], Sum)> {
        let (front, payload) = line.split_at_checked(SUM_BYTES)?;
        let sum = self.sum(place, payload);
        (front.split_last() == Some((&b' ', hex(&sum).as_bytes()))).then_some((payload, sum))
    }

    /// The version in a title line of this kind of file.
    fn version_in(&self, line: &[u8]) -> Option<u32> {
        let text = std::str::from_utf8(line).ok()?;
        text.strip_prefix(self.title)?.strip_prefix(' ')?.parse().ok()
    }
}

/// How a file was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Whole,
    /// The last line has no end: it was being written when the process or the machine stopped, and never counted.
    Torn,
    /// A line that once counted is not as it was written, or the whole is nothing that was ever written here.
    Damaged,
    /// Of a later version than this program knows.
    Newer,
}

/// What reading a file found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan {
    pub state: State,
    /// Bytes up to the end of the last good line before any bad one.
    pub good_bytes: u64,
}

/// A good line.
pub(crate) struct Line<'a> {
    pub payload: &'a [u8],
    pub sum: Sum,
    /// A bad line comes before it, other than the title.
    pub after_damage: bool,
}

/// Reads a whole file and gives every good line.
pub(crate) fn scan(format: &Format, mut from: impl BufRead, mut each: impl FnMut(Line<'_>)) -> io::Result<Scan> {
    let line_bytes_max = (SUM_BYTES + format.payload_bytes_max).max(format.header().len());
    let mut found = Scan { state: State::Whole, good_bytes: 0 };
    let mut line = Vec::new();
    let mut after_damage = false;
    for number in 0u64.. {
        line.clear();
        let (bytes, ended) = read_line(&mut from, &mut line, line_bytes_max)?;
        if bytes == 0 && number > 0 {
            break;
        }
        if !ended {
            // A title that never was one, as the zeros that a power cut leaves, stands where lines once were.
            let torn = number > 0 || format.header().as_bytes().starts_with(&line);
            if found.state == State::Whole {
                found.state = if torn { State::Torn } else { State::Damaged };
            }
            break;
        }
        let good = if number == 0 {
            let version = format.version_in(&line);
            if version.is_some_and(|version| version > format.version) {
                return Ok(Scan { state: State::Newer, good_bytes: 0 });
            }
            version == Some(format.version)
        } else if let Some((payload, sum)) = format.payload(number - 1, &line) {
            each(Line { payload, sum, after_damage });
            true
        } else {
            after_damage = true;
            false
        };
        match found.state {
            State::Whole if good => found.good_bytes += bytes,
            State::Whole | State::Torn | State::Damaged | State::Newer => found.state = State::Damaged,
        }
    }
    Ok(found)
}

/// Reads up to and with a line end; keeps at most `max` bytes (a longer line cannot be good). Returns the bytes read, and
/// whether the line has its end.
fn read_line(from: &mut impl BufRead, line: &mut Vec<u8>, max: usize) -> io::Result<(u64, bool)> {
    let mut bytes = from.by_ref().take(max as u64 + 1).read_until(b'\n', line)? as u64;
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok((bytes, true));
    }
    if line.len() <= max {
        return Ok((bytes, false));
    }
    loop {
        let chunk = from.fill_buf()?;
        let (length, ended) = match chunk.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (chunk.len(), false),
        };
        from.consume(length);
        bytes += length as u64;
        if ended || length == 0 {
            return Ok((bytes, ended));
        }
    }
}

/// What lines are appended to: a file, or in tests one that fails.
pub(crate) trait Medium {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;
    fn cut(&mut self, length: u64) -> io::Result<()>;
    /// Returns when everything written is on the disk.
    fn sync(&mut self) -> io::Result<()>;
}

impl Medium for File {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(offset))?;
        fail::write_all(self, bytes)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()?;
        fail::step();
        still_there(self)
    }
}

/// A file that was deleted while it is open takes all that is written to it, and keeps nothing.
#[cfg(unix)]
fn still_there(file: &File) -> io::Result<()> {
    match std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) {
        0 => Err(io::Error::new(io::ErrorKind::NotFound, "the file was deleted while it was in use")),
        1.. => Ok(()),
    }
}

/// Elsewhere an open file cannot be deleted.
#[cfg(not(unix))]
fn still_there(_: &File) -> io::Result<()> {
    Ok(())
}

/// The end of a file of lines.
#[derive(Debug)]
pub(crate) struct Appender<M = File> {
    medium: M,
    /// Bytes that are on the disk and good.
    good: u64,
    /// There may be part of a line behind them.
    untidy: bool,
}

impl<M: Medium> Appender<M> {
    /// `good` as a scan found it; what is behind it is cut before the next line.
    pub fn new(medium: M, good: u64) -> Appender<M> {
        Appender { medium, good, untidy: true }
    }

    /// Appends whole lines and waits until they are on the disk. After an error none of them counts, and the file goes
    /// on from where it was.
    pub fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        self.tidy()?;
        self.untidy = true;
        // After a failed sync the system may hold the bytes for written: they must be written anew, so they are cut too.
        if let Err(error) = self.medium.write_at(self.good, lines).and_then(|()| self.medium.sync()) {
            let _ = self.tidy();
            return Err(error);
        }
        self.untidy = false;
        self.good += lines.len() as u64;
        Ok(())
    }

    fn tidy(&mut self) -> io::Result<()> {
        if self.untidy {
            self.medium.cut(self.good)?;
            self.untidy = false;
        }
        Ok(())
    }
}

/// Lower-case hex digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Reads what [`hex`] writes.
pub(crate) fn unhex(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |c: &u8| match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        _ => None,
    };
    let (pairs, []) = text.as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk in memory that fails where it is told to.
    #[derive(Clone, Debug, Default)]
    struct Faulty {
        content: Vec<u8>,
        /// Bytes that fit on the disk; what does not is written in part.
        space: usize,
        sync_fails: bool,
        cut_fails: bool,
    }

    impl Medium for Faulty {
        fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
            let offset = offset as usize;
            assert!(offset <= self.content.len(), "a hole");
            let fits = bytes.len().min(self.space.saturating_sub(offset));
            self.content.truncate(offset);
            self.content.extend(&bytes[..fits]);
            if fits < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }

        fn cut(&mut self, length: u64) -> io::Result<()> {
            if self.cut_fails {
                return Err(io::ErrorKind::ReadOnlyFilesystem.into());
            }
            self.content.truncate(length as usize);
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            if self.sync_fails { Err(io::Error::other("sync")) } else { Ok(()) }
        }
    }

    #[test]
    fn a_failed_append_leaves_nothing_behind() {
        for fault in ["space", "sync", "space and cut", "sync and cut"] {
            let mut end = Appender::new(Faulty { space: 100, ..Faulty::default() }, 0);
            end.append(b"first\n").unwrap();
            end.medium.space = if fault.contains("space") { 9 } else { 100 };
            end.medium.sync_fails = fault.contains("sync");
            end.medium.cut_fails = fault.contains("cut");
            end.append(b"second\n").unwrap_err();
            if fault.contains("cut") {
                end.append(b"second\n").unwrap_err();
            } else {
                assert_eq!(end.medium.content, b"first\n", "{fault}");
            }
            end.medium = Faulty { space: 100, sync_fails: false, cut_fails: false, ..end.medium };
            end.append(b"3\n").unwrap();
            assert_eq!(end.medium.content, b"first\n3\n", "{fault}");
        }
    }

    #[test]
    fn hex_is_read_as_written() {
        assert_eq!(hex(&[0, 0x9f, 0xff]), "009fff");
        assert_eq!(unhex(b"009fff"), Some(vec![0, 0x9f, 0xff]));
        for text in ["0", "0g", "FF", " 0"] {
            assert_eq!(unhex(text.as_bytes()), None, "{text:?}");
        }
    }

    /// A checksum is good for its own kind of file and version only.
    #[test]
    fn lines_of_another_kind_are_not_taken() {
        let ours = Format { title: "ours", version: 1, payload_bytes_max: 9, placed: true };
        let (line, _) = ours.line(0, b"x").unwrap();
        for (format, expected) in
            [(ours, 1), (Format { version: 2, ..ours }, 0), (Format { title: "theirs", ..ours }, 0)]
        {
            let mut lines = 0;
            let content = [format.header().as_bytes(), &line].concat();
            scan(&format, content.as_slice(), |_| lines += 1).unwrap();
            assert_eq!(lines, expected, "{format:?}");
        }
    }
}
