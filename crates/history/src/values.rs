//! Small values by name, in one plain file that is replaced whole.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::disk::{read_file, set_aside, write_whole};
use crate::lines::{Format, State, hex, scan, unhex};
use crate::{OpenError, Warning, error::unwritable};

/// Longest value, in bytes.
pub const VALUE_BYTES_MAX: usize = 64 * 1024;
/// Longest name of a value, in bytes.
pub const VALUE_NAME_BYTES_MAX: usize = 64;

pub(crate) const FORMAT: Format = Format {
    title: "capture-five values",
    version: 1,
    payload_bytes_max: VALUE_NAME_BYTES_MAX + 1 + 2 * VALUE_BYTES_MAX,
    placed: false,
};
const FILE: &str = "values";

#[derive(Debug)]
pub(crate) struct Values {
    path: PathBuf,
    values: BTreeMap<String, Vec<u8>>,
}

impl Values {
    pub fn open(folder: &Path, warnings: &mut Vec<Warning>) -> Result<Values, OpenError> {
        let path = folder.join(FILE);
        let content = match read_file(&path) {
            Ok(content) => content,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Values { path, values: BTreeMap::new() });
            }
            Err(error) => return Err(unwritable(&path)(error)),
        };
        let mut values = BTreeMap::new();
        let found = scan(&FORMAT, content.as_slice(), |line| values.extend(parse(line.payload)));
        let state = found.map_err(unwritable(&path))?.state;
        let values = Values { path, values };
        match state {
            State::Whole => {}
            State::Newer => return Err(OpenError::Newer(values.path)),
            // The file is never appended to, so a torn one is a damaged one.
            State::Torn | State::Damaged => {
                let aside = set_aside(&values.path, || values.write(&values.values));
                let aside = aside.map_err(unwritable(&values.path))?;
                warnings.push(Warning::FileDamaged { aside });
            }
        }
        Ok(values)
    }

    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        self.values.get(name).cloned()
    }

    pub fn set(&mut self, name: &str, value: &[u8]) -> io::Result<()> {
        let plain = |byte: u8| byte.is_ascii_graphic();
        if name.is_empty() || name.len() > VALUE_NAME_BYTES_MAX || !name.bytes().all(plain) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{name:?} is no name for a value")));
        }
        if value.len() > VALUE_BYTES_MAX {
            let about = format!("a value of {} bytes is too large", value.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, about));
        }
        if self.values.get(name).is_some_and(|old| old == value) {
            return Ok(());
        }
        let mut values = self.values.clone();
        values.insert(name.to_owned(), value.to_owned());
        self.write(&values)?;
        self.values = values;
        Ok(())
    }

    fn write(&self, values: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
        let mut content = FORMAT.header().into_bytes();
        for (name, value) in values {
            content.extend(FORMAT.line(0, format!("{name} {}", hex(value)).as_bytes())?.0);
        }
        write_whole(&self.path, &content)
    }
}

fn parse(payload: &[u8]) -> Option<(String, Vec<u8>)> {
    let (name, value) = std::str::from_utf8(payload).ok()?.split_once(' ')?;
    Some((name.to_owned(), unhex(value.as_bytes())?))
}
