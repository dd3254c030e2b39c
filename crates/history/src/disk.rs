//! Files that are written whole or not at all, names for what is set aside, and the lock on the folder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::OpenError;
use crate::error::unwritable;
use crate::fail;

/// The whole folder is one process's as long as this lives. The system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    pub fn take(folder: &Path) -> Result<Lock, OpenError> {
        let path = folder.join("lock");
        let open = || OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = no_other(&path).and_then(|()| open()).map_err(unwritable(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(OpenError::InUse(folder.to_owned())),
            Err(TryLockError::Error(source)) => Err(OpenError::Unwritable { path, source }),
        }
    }
}

/// Makes a folder with all above it, closed to other users of this machine.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => sync_folder(parent),
        Some(_) | None => Ok(()),
    }
}

/// Whether files can be made here. A full disk is no reason to say no: old games can still be shown.
pub(crate) fn probe(folder: &Path) -> Result<(), OpenError> {
    let path = folder.join("probe.tmp");
    no_other(&path).map_err(unwritable(&path))?;
    match File::create(&path).and_then(|_| fs::remove_file(&path)) {
        Err(error) if error.kind() != io::ErrorKind::StorageFull => Err(unwritable(folder)(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Replaces a file's content: after a crash there is the old or the new one, whole.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let temporary = temporary(path);
    // What is not ours stays.
    no_other(&temporary)?;
    let written = private(&temporary).and_then(|mut file| {
        fail::write_all(&mut file, content)?;
        file.sync_all()?;
        fail::step();
        Ok(())
    });
    if let Err(error) = written.and_then(|()| fs::rename(&temporary, path)) {
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    fail::step();
    sync_parent(path)
}

/// Where a file's next content is written before it takes its place.
pub(crate) fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}

/// Whatever is no file is refused as a folder is, on every system: one can be opened and not read, and a pipe would be
/// waited for. So is a link that leads nowhere, for what is kept may lie on a disk that is not there now. Where there is
/// nothing, nothing is in the way.
pub(crate) fn no_other(path: &Path) -> io::Result<()> {
    let in_the_way = |what| Err(io::Error::new(io::ErrorKind::IsADirectory, what));
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => in_the_way("it is no file"),
        Err(error) if error.kind() == io::ErrorKind::NotFound && fs::symlink_metadata(path).is_ok() => {
            in_the_way("it is a link that leads nowhere")
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// A file to read.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    no_other(path).and_then(|()| File::open(path))
}

/// A file's content.
pub(crate) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    no_other(path).and_then(|()| fs::read(path))
}

/// A file that only its owner can read.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Keeps a copy of a damaged file beside it, and has the file written anew. Where there is no space for both, the file
/// stays as it was found, and nothing is left beside it.
pub(crate) fn set_aside(path: &Path, write: impl FnOnce() -> io::Result<()>) -> io::Result<PathBuf> {
    let aside = copy_aside(path, "damaged")?;
    if let Err(error) = write() {
        if is_copy(path, &aside) {
            let _ = fs::remove_file(&aside);
        }
        return Err(error);
    }
    Ok(aside)
}

/// A copy that is whole, or none.
fn copy_aside(path: &Path, why: &str) -> io::Result<PathBuf> {
    let aside = aside(path, why);
    let copied = fs::copy(path, &aside).and_then(|_| {
        fail::step();
        File::open(&aside)?.sync_all()
    });
    if let Err(error) = copied {
        let _ = fs::remove_file(&aside);
        return Err(error);
    }
    sync_parent(&aside)?;
    Ok(aside)
}

/// The file may have been replaced before something failed; then the copy is all that is left of what it was.
fn is_copy(path: &Path, aside: &Path) -> bool {
    match (fs::read(path), fs::read(aside)) {
        (Ok(file), Ok(copy)) => file == copy,
        (Ok(_) | Err(_), Ok(_) | Err(_)) => false,
    }
}

/// Moves a damaged file or folder out of the way.
pub(crate) fn move_aside(path: &Path, why: &str) -> io::Result<PathBuf> {
    let aside = aside(path, why);
    fail::step();
    fs::rename(path, &aside)?;
    fail::step();
    sync_parent(&aside)?;
    Ok(aside)
}

/// A name that is free: `games.c5a.damaged-2026-07-31`, then `games.c5a.damaged-2026-07-31-2`.
fn aside(path: &Path, why: &str) -> PathBuf {
    let name = format!("{}.{why}-{}", path.file_name().unwrap_or_default().to_string_lossy(), date(now()));
    free(path, |n| if n == 1 { name.clone() } else { format!("{name}-{n}") })
}

/// The first of these names that nothing beside `path` has.
pub(crate) fn free(path: &Path, name: impl Fn(u32) -> String) -> PathBuf {
    (1..).map(|n| path.with_file_name(name(n))).find(|path| fs::symlink_metadata(path).is_err()).unwrap_or_default()
}

/// What a folder holds is on the disk after this (a file's name is its folder's content).
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

pub(crate) fn sync_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), sync_folder)
}

/// Since 1970. The date is part of names for people to read; nothing is decided by it.
#[allow(clippy::disallowed_methods)]
fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// The day in UTC, as `2026-07-31`.
fn date(since_1970: Duration) -> String {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut day = since_1970.as_secs() / 86_400;
    let mut year = 1970;
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= months[month] {
        day -= months[month];
        month += 1;
    }
    format!("{year:04}-{:02}-{:02}", month + 1, day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_735_689_599, "2024-12-31"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(date(Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn nothing_set_aside_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut names = std::collections::BTreeSet::new();
        for content in ["one", "two", "three"] {
            write_whole(&path, content.as_bytes()).unwrap();
            let aside = set_aside(&path, || Ok(())).unwrap();
            assert_eq!(fs::read_to_string(&aside).unwrap(), content);
            assert!(names.insert(aside));
        }
    }

    #[test]
    fn what_cannot_be_mended_stays_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "damaged").unwrap();
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        assert_eq!(set_aside(&path, || Err(full())).unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read_to_string(&path).unwrap(), "damaged");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // The file was replaced, and only then something failed: the copy is all that there is.
        set_aside(&path, || write_whole(&path, b"mended").and(Err(full()))).unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        // What is no file cannot be copied.
        copy_aside(&folder.path().join("none"), "damaged").unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
