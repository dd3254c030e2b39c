//! What can go wrong while opening, and what was put right.

use std::path::PathBuf;

/// Why the folder was not opened. Nothing in it has been changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it: end that one, or take another folder.
    #[error("another Capture Five uses {0}: close it, or choose another folder with --data")]
    InUse(PathBuf),
    /// It could not be made, read or written: mend its permissions, make space, or take another folder.
    #[error("{path} cannot be written ({source}): make it writable, or choose another folder with --data")]
    Unwritable { path: PathBuf, source: std::io::Error },
    /// This program is too old for it.
    #[error("{0} was written by a newer version of Capture Five: update this program")]
    Newer(PathBuf),
}

/// Something that was mended or could not be read while opening; told to the user, never fatal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The index would not open; it was set aside under this name and rebuilt from the plain files.
    IndexRebuilt { aside: PathBuf },
    /// A plain file was damaged in the middle; a copy was set aside, what was good is kept.
    FileDamaged { aside: PathBuf },
    /// The folder comes from another machine, or its key could not be read: a new device key was made.
    NewKey,
}

/// For `map_err`: an error of this file or folder that keeps the whole from being opened.
pub(crate) fn unwritable(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> OpenError {
    move |source| OpenError::Unwritable { path: path.to_owned(), source }
}
