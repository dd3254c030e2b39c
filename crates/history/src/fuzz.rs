//! The readers of files on the disk, for whoever feeds them with any bytes. They answer nothing: what should hold of what
//! was read is asserted here.

use crate::game::Finished;
use crate::index::Extent;
use crate::journal;
use crate::lines::{Format, State, hex, scan, unhex};
use crate::{archive, key, values};

/// A file of lines, taken for each kind in turn: a journal, the archive, the values, the key. The good lines before any
/// damage, written anew, are the good bytes at the file's beginning.
pub fn lines(content: &[u8]) {
    for format in [&journal::FORMAT, &archive::FORMAT, &values::FORMAT, &key::FORMAT] {
        reread(format, content);
    }
    if let Some(game) = Finished::from_line(content) {
        assert_eq!(Finished::from_line(&game.to_line()).as_ref(), Some(&game));
    }
    if let Some(extent) = Extent::from_bytes(content) {
        assert_eq!(extent.to_bytes(), content);
    }
}

fn reread(format: &Format, content: &[u8]) {
    let mut written = format.header().into_bytes();
    let mut place = 0;
    let found = scan(format, content, |line| {
        if let Some(record) = unhex(line.payload) {
            assert_eq!(hex(&record).as_bytes(), line.payload);
        }
        drop(Finished::from_line(line.payload));
        if !line.after_damage {
            written.extend(format.line(place, line.payload).expect("it was a line").0);
            place += 1;
        }
    });
    let found = found.expect("reading memory does not fail");
    if matches!(found.state, State::Whole | State::Torn) && found.good_bytes > 0 {
        assert_eq!(written, content[..found.good_bytes as usize]);
    }
}
