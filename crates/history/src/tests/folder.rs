//! The folder as a whole: its lock, version, key and values.

use std::fs;

use super::samples::*;
use crate::*;

#[test]
fn a_second_process_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let history = open(folder.path());
    let error = History::open(folder.path()).unwrap_err();
    assert!(matches!(&error, OpenError::InUse(path) if path == folder.path()), "{error}");
    drop(history);
    // A file left behind is no lock.
    assert!(folder.path().join("lock").exists());
    open(folder.path());
}

#[test]
fn an_open_journal_keeps_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let history = open(folder.path());
    let journal = history.create_journal(table(1)).unwrap();
    drop(history);
    assert!(matches!(History::open(folder.path()), Err(OpenError::InUse(_))));
    drop(journal);
    open(folder.path());
}

#[test]
fn a_path_through_a_file_is_refused_with_the_file_s_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = History::open(&file).unwrap_err();
    assert!(matches!(&error, OpenError::NotAFolder(told) if *told == file), "{error:?}");
    for path in ["data", "data/of/mine"].map(|path| file.join(path)) {
        let error = History::open(&path).unwrap_err();
        assert!(matches!(&error, OpenError::InTheWay(told) if *told == file), "{error:?}");
    }
}

/// Neither permission nor space helps where a name is taken: it is said which, and everything stays as it is.
#[test]
fn what_lies_in_the_way_is_told() {
    let folder_for = |path: &Path| fs::create_dir(path);
    let file_for = |path: &Path| fs::write(path, "mine");
    let files =
        ["lock", "probe.tmp", "version", "version.tmp", "device.key", "device.key.tmp", "values", "archive/games.c5a"];
    let folders = ["running", "closed", "archive"];
    let cases = files.map(|name| (name, true)).into_iter().chain(folders.map(|name| (name, false)));
    for (name, by_folder) in cases {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if by_folder { folder_for(&path) } else { file_for(&path) }.unwrap();
        let error = History::open_on(folder.path(), MACHINE, seed).unwrap_err();
        assert!(matches!(&error, OpenError::InTheWay(told) if *told == path), "{name}: {error:?}");
        let words = error.to_string();
        assert!(words.contains(path.to_str().unwrap()) && words.contains("move it away"), "{words}");
        assert_eq!(path.is_dir(), by_folder, "{name} stays");
        if by_folder { fs::remove_dir(&path) } else { fs::remove_file(&path) }.unwrap();
        open(folder.path());
    }
}

/// A pipe would be waited for.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_file() {
    for name in ["lock", "probe.tmp", "version", "device.key", "values", "archive/games.c5a"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let error = History::open_on(folder.path(), MACHINE, seed).unwrap_err();
        assert!(matches!(&error, OpenError::InTheWay(told) if *told == path), "{name}: {error:?}");
    }
}

/// What is kept may lie on a disk that is not there now: nothing is made in its place, a new key least of all.
#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_in_the_way() {
    let (table, none) = (TableId([7; 16]), Path::new("of/a/disk/that/is/not/there"));
    let files =
        ["lock", "probe.tmp", "version", "version.tmp", "device.key", "device.key.tmp", "values", "archive/games.c5a"];
    for name in files {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(none, &path).unwrap();
        let error = History::open_on(folder.path(), MACHINE, seed).unwrap_err();
        assert!(matches!(&error, OpenError::InTheWay(told) if *told == path), "{name}: {error:?}");
        assert_eq!(fs::read_link(&path).unwrap(), none, "{name} stays");
    }
    let folder = tempfile::tempdir().unwrap();
    let history = open(folder.path());
    std::os::unix::fs::symlink(none, history.journal_path(table)).unwrap();
    for error in [history.read_journal(table).unwrap_err(), history.open_journal(table).unwrap_err()] {
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory, "{error}");
    }
}

/// Also root is refused here: no file can be made in /proc.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_files_is_refused_with_its_name() {
    for path in ["/proc", "/proc/data"] {
        let error = History::open(Path::new(path)).unwrap_err();
        assert!(matches!(&error, OpenError::Unwritable { .. }), "{error:?}");
        assert!(error.to_string().starts_with(path), "{error}");
    }
}

#[test]
fn a_newer_folder_is_left_alone() {
    for (file, content) in [
        ("version", "capture-five data 2\n"),
        ("device.key", "capture-five device key 2\nwhatever"),
        ("values", "capture-five values 7\n"),
        ("archive/games.c5a", "capture-five archive 2\n"),
        ("running/01010101010101010101010101010101.journal", "capture-five journal 2\n??\n"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        drop(open(folder.path()));
        let path = folder.path().join(file);
        fs::write(&path, content).unwrap();
        let error = History::open_on(folder.path(), MACHINE, seed).unwrap_err();
        assert!(matches!(error, OpenError::Newer(_)), "{file}: {error:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
}

#[test]
fn a_damaged_version_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    fs::write(folder.path().join("version"), "capture-").unwrap();
    let (_, warnings) = open_warned(folder.path());
    assert!(matches!(warnings[..], [Warning::FileDamaged { .. }]), "{warnings:?}");
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_the_key() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    drop(open(&data));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&data.join("device.key")), 0o600);
    assert_eq!(mode(&data), 0o700);
}

#[test]
fn the_key_is_bound_to_its_machine() {
    const NEW: [u8; 32] = [9; 32];
    // Machine at the first start, at the second; the key then, and whether the user is told.
    for (first, second, key, told) in [
        (Some("one machine"), Some("one machine"), SEED, false),
        (Some("one machine"), Some("another machine"), NEW, true),
        (Some("one machine"), None, SEED, false),
        (None, Some("another machine"), SEED, false),
        (None, None, SEED, false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let case = format!("{first:?} then {second:?}");
        drop(History::open_on(folder.path(), first, seed).unwrap());
        let (history, warnings) = History::open_on(folder.path(), second, || Ok(NEW)).unwrap();
        assert_eq!((history.secret(), warnings.iter().any(is_new_key)), (key, told), "{case}");
        assert_eq!(names_with(folder.path(), "device.key.other-machine").len(), usize::from(told), "{case}");
        drop(history);
        // From then on it is this machine's.
        let (history, warnings) = History::open_on(folder.path(), second, || panic!("{case}: there is a key")).unwrap();
        assert_eq!((history.secret(), warnings), (key, vec![]), "{case}");
    }
}

#[test]
fn a_key_made_without_a_machine_id_is_bound_when_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    for (machine, warned) in [(None, false), (Some("one machine"), false), (Some("another machine"), true)] {
        let (_, warnings) = History::open_on(folder.path(), machine, seed).unwrap();
        assert_eq!(warnings.iter().any(is_new_key), warned, "{machine:?}");
    }
}

#[test]
fn the_key_file_names_neither_machine_nor_shows_in_debug() {
    let folder = tempfile::tempdir().unwrap();
    let history = open(folder.path());
    assert!(!fs::read_to_string(folder.path().join("device.key")).unwrap().contains(MACHINE.unwrap()));
    assert!(!format!("{history:?}").contains("7, 7"));
}

#[test]
fn a_damaged_key_is_kept_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    spoil(&folder.path().join("device.key"), 60);
    let (history, warnings) = History::open_on(folder.path(), MACHINE, || Ok([9; 32])).unwrap();
    assert_eq!(history.secret(), [9; 32]);
    assert!(matches!(&warnings[..], [Warning::KeyDamaged { aside: Some(aside) }] if aside.exists()));
}

#[test]
fn values_stay() {
    let folder = tempfile::tempdir().unwrap();
    let history = open(folder.path());
    assert_eq!(history.value("settings"), None);
    let large = vec![0xab; VALUE_BYTES_MAX];
    for (name, value) in [("settings", &b"first"[..]), ("settings", b"\n\0 second"), ("empty", b""), ("large", &large)]
    {
        history.set_value(name, value).unwrap();
        assert_eq!(history.value(name).unwrap(), value);
    }
    for (name, value) in [("", &b""[..]), ("two words", b""), ("line\nend", b""), ("large", &[0; VALUE_BYTES_MAX + 1])]
    {
        assert_eq!(history.set_value(name, value).unwrap_err().kind(), io::ErrorKind::InvalidInput, "{name:?}");
    }
    drop(history);
    let history = open(folder.path());
    assert_eq!(history.value("settings").unwrap(), b"\n\0 second");
    assert_eq!(history.value("empty").unwrap(), b"");
    assert_eq!(history.value("large").unwrap(), large);
}

#[test]
fn a_damaged_value_costs_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let history = open(folder.path());
    for name in ["a", "b", "c"] {
        history.set_value(name, name.as_bytes()).unwrap();
    }
    drop(history);
    let path = folder.path().join("values");
    let lines = line_starts(&fs::read(&path).unwrap());
    spoil(&path, lines[2] + 3);
    let (history, warnings) = open_warned(folder.path());
    assert!(matches!(&warnings[..], [Warning::FileDamaged { aside }] if aside.exists()));
    assert_eq!(["a", "b", "c"].map(|name| history.value(name).is_some()), [true, false, true]);
    drop(history);
    open(folder.path());
}

#[test]
fn nothing_left_of_a_stopped_write_is_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["device.key.tmp", "values.tmp", "version.tmp", "probe.tmp"] {
        fs::write(folder.path().join(name), "half").unwrap();
    }
    let history = open(folder.path());
    history.set_value("a", b"b").unwrap();
    assert_eq!(names_with(folder.path(), ".tmp"), Vec::<String>::new());
}

#[test]
fn a_key_that_is_gone_is_told_where_tables_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let lose_key = || std::fs::remove_file(folder.path().join("device.key")).unwrap();
    drop(History::open(folder.path()).unwrap());
    lose_key();
    let (history, warnings) = History::open(folder.path()).unwrap();
    assert_eq!(warnings, []);
    history.create_journal(table::TableId([7; 16])).unwrap().append(b"a record").unwrap();
    drop(history);
    lose_key();
    let (_, warnings) = History::open(folder.path()).unwrap();
    assert_eq!(warnings, [Warning::KeyDamaged { aside: None }]);
}

fn is_new_key(warning: &Warning) -> bool {
    matches!(warning, Warning::NewKey { aside } if aside.exists())
}
