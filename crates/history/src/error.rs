//! What can go wrong while opening, and what was put right.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::disk::{no_other, temporary};

/// Why the folder was not opened. Nothing in it has been changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it: end that one, or take another folder.
    #[error("another Capture Five uses {0}: close it, or choose another folder with --data")]
    InUse(PathBuf),
    /// It could not be made, read or written: mend its permissions, make space, or take another folder.
    #[error("{path} cannot be written ({source}): make it writable, or choose another folder with --data")]
    Unwritable { path: PathBuf, source: std::io::Error },
    /// Something else has the name of a file or folder that is kept there: move it away, or take another folder.
    #[error(
        "something else lies at {0}, where Capture Five keeps its own: move it away, or choose another folder with --data"
    )]
    InTheWay(PathBuf),
    /// There is a file, and no folder.
    #[error("{0} is a file and not a folder: choose another folder with --data, or move the file away")]
    NotAFolder(PathBuf),
    /// This program is too old for it.
    #[error("{0} was written by a newer version of Capture Five: update this program")]
    Newer(PathBuf),
}

impl std::fmt::Display for Warning {
    /// One line: what happened, and where what could not be used lies now.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let new_key = "seats in older games cannot be gone on with";
        match self {
            Warning::IndexRebuilt { aside } => {
                write!(f, "the list of finished games was made anew; the old one is kept as {}", aside.display())
            }
            Warning::FileDamaged { aside } => {
                write!(f, "a file was damaged; what was good is kept, and the whole as {}", aside.display())
            }
            Warning::NewKey { aside } => write!(
                f,
                "this folder comes from another device, so a new device key was made and {new_key}; \
                the other key is kept as {}",
                aside.display()
            ),
            Warning::KeyDamaged { aside: Some(aside) } => write!(
                f,
                "the device key was damaged, so a new one was made and {new_key}; the damaged one is kept as {}",
                aside.display()
            ),
            Warning::KeyDamaged { aside: None } => {
                write!(f, "the device key was missing, so a new one was made and {new_key}")
            }
        }
    }
}

/// Something that was mended or could not be read while opening; told to the user, never fatal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The index would not open; it was set aside under this name and rebuilt from the plain files.
    IndexRebuilt { aside: PathBuf },
    /// A plain file was damaged in the middle; a copy was set aside, what was good is kept.
    FileDamaged { aside: PathBuf },
    /// The folder comes from another machine: a new device key was made. The old one was set aside under this name.
    NewKey { aside: PathBuf },
    /// The key could not be read, or is gone though tables are kept here: a new device key was made. What there was
    /// was set aside under this name.
    KeyDamaged { aside: Option<PathBuf> },
}

/// For `map_err`: an error of this file or folder that keeps the whole from being opened.
pub(crate) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> OpenError {
    move |source| match source.kind() {
        // No permission and no space helps here.
        ErrorKind::IsADirectory => OpenError::InTheWay(no_file(path)),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => OpenError::InTheWay(no_folder(path)),
        // Of all others the disk's own words tell most.
        _ => OpenError::Unwritable { path: path.to_owned(), source },
    }
}

/// What is no file: this, or what has the name of its next content.
fn no_file(path: &Path) -> PathBuf {
    let next = temporary(path);
    if no_other(path).is_err() || no_other(&next).is_ok() { path.to_owned() } else { next }
}

/// What is no folder: this, or the nearest above it that is there.
fn no_folder(path: &Path) -> PathBuf {
    path.ancestors().find(|place| std::fs::symlink_metadata(place).is_ok()).unwrap_or(path).to_owned()
}
