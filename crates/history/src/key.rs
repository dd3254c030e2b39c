//! The device's secret key, bound to the machine it was made on.

use std::fs;
use std::io;
use std::path::Path;

use crate::disk::{move_aside, read_file, set_aside, write_whole};
use crate::lines::{Format, State, hex, scan, unhex};
use crate::{OpenError, Warning, error::unwritable};

pub(crate) const FORMAT: Format =
    Format { title: "capture-five device key", version: 1, payload_bytes_max: 256, placed: false };
const FILE: &str = "device.key";
/// Stands for the machine where the system tells no id.
const NO_MACHINE: &str = "-";

/// An Ed25519 seed. Never shown, also not by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(pub [u8; 32]);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// Reads the key, or makes one: at the first start, on another machine, or where it cannot be read. `machine` is the
/// system's id of this machine, if it has one.
pub(crate) fn open(
    folder: &Path,
    machine: Option<&str>,
    seed: impl FnOnce() -> io::Result<[u8; 32]>,
    warnings: &mut Vec<Warning>,
) -> Result<Secret, OpenError> {
    let path = folder.join(FILE);
    let here = machine.map_or_else(|| NO_MACHINE.to_owned(), bound);
    let write = |secret: &Secret| {
        let line = FORMAT.line(0, format!("{} {here}", hex(&secret.0)).as_bytes())?.0;
        write_whole(&path, &[FORMAT.header().as_bytes(), &line].concat())
    };
    match read(&path).map_err(unwritable(&path))? {
        Found::Key { secret, machine } if machine == here || here == NO_MACHINE => return Ok(secret),
        Found::Key { secret, machine } if machine == NO_MACHINE => {
            // Now that the machine has an id, the key is bound to it. If that fails, the next start does it.
            if let Err(error) = write(&secret) {
                tracing::warn!(%error, "the device key could not be bound to this machine");
            }
            return Ok(secret);
        }
        Found::Key { .. } => {
            let aside = move_aside(&path, "other-machine").map_err(unwritable(&path))?;
            warnings.push(Warning::NewKey { aside });
        }
        Found::Damaged => {
            let secret = Secret(seed().map_err(unwritable(&path))?);
            let aside = set_aside(&path, || write(&secret)).map_err(unwritable(&path))?;
            warnings.push(Warning::KeyDamaged { aside: Some(aside) });
            return Ok(secret);
        }
        Found::Newer => return Err(OpenError::Newer(path)),
        // Without tables nothing hangs on the key: then it is a first start, or as good as one.
        Found::None if has_tables(folder) => warnings.push(Warning::KeyDamaged { aside: None }),
        Found::None => {}
    }
    let secret = Secret(seed().map_err(unwritable(&path))?);
    write(&secret).map_err(unwritable(&path))?;
    Ok(secret)
}

fn has_tables(folder: &Path) -> bool {
    fs::read_dir(folder.join("running")).is_ok_and(|mut files| files.next().is_some())
}

enum Found {
    None,
    Key { secret: Secret, machine: String },
    Damaged,
    Newer,
}

fn read(path: &Path) -> io::Result<Found> {
    let content = match read_file(path) {
        Ok(content) => content,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::None),
        Err(error) => return Err(error),
    };
    let mut key = None;
    let found = scan(&FORMAT, content.as_slice(), |line| key = parse(line.payload))?;
    Ok(match (found.state, key) {
        (State::Newer, _) => Found::Newer,
        (State::Whole | State::Torn | State::Damaged, Some((secret, machine))) => Found::Key { secret, machine },
        (State::Whole | State::Torn | State::Damaged, None) => Found::Damaged,
    })
}

fn parse(payload: &[u8]) -> Option<(Secret, String)> {
    let (secret, machine) = std::str::from_utf8(payload).ok()?.split_once(' ')?;
    Some((Secret(unhex(secret.as_bytes())?.try_into().ok()?), machine.to_owned()))
}

/// What is kept of a machine's id: enough to know it again, and nothing that names it.
fn bound(machine: &str) -> String {
    hex(&blake3::derive_key("capture-five device key: the machine it is bound to", machine.as_bytes())[..16])
}

/// The system's id of this machine; `None` where there is none (some containers, phones).
pub(crate) fn machine_id() -> Option<String> {
    let id = system_machine_id()?.trim().to_owned();
    // systemd writes "uninitialized" into images that have not been started yet.
    let known = id.len() >= 8 && id != "uninitialized" && id.bytes().any(|byte| byte != b'0');
    known.then_some(id)
}

#[cfg(any(windows, target_os = "macos"))]
fn system_machine_id() -> Option<String> {
    machine_uid::get().ok()
}

#[cfg(not(any(windows, target_os = "macos")))]
fn system_machine_id() -> Option<String> {
    let usable = |path| fs::read_to_string(path).ok().filter(|id| !id.trim().is_empty());
    ["/etc/machine-id", "/var/lib/dbus/machine-id"].into_iter().find_map(usable)
}
