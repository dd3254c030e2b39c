//! Running tables' journals: torn, damaged, on a full disk.

use std::fs;

use proptest::prelude::*;

use super::samples::*;
use crate::*;

fn write(folder: &Path, table: TableId, records: &[&[u8]]) {
    let history = open(folder);
    let mut journal = history.create_journal(table).unwrap();
    records.iter().for_each(|record| journal.append(record).unwrap());
}

#[test]
fn records_come_back_in_order() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), table(1), &[b"one", b"", b"three\n\0"]);
    let history = open(folder.path());
    let (mut journal, records) = history.open_journal(table(1)).unwrap();
    assert_eq!(records, [&b"one"[..], b"", b"three\n\0"]);
    journal.append(b"four").unwrap();
    assert_eq!(history.read_journal(table(1)).unwrap()[3], b"four");
}

#[test]
fn one_journal_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let history = open(folder.path());
    let journal = history.create_journal(table(1)).unwrap();
    assert!(history.create_journal(table(1)).is_err());
    assert_eq!(history.open_journal(table(1)).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
    drop(journal);
    assert_eq!(history.create_journal(table(1)).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    history.open_journal(table(1)).unwrap();
    assert_eq!(history.open_journal(table(2)).unwrap_err().kind(), io::ErrorKind::NotFound);
    history.create_journal(table(2)).unwrap();
}

#[test]
fn a_stop_within_the_last_line_costs_nothing_that_counted() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), table(1), &[b"one", b"two", b"the last record"]);
    let path = journal_file(folder.path(), table(1));
    let whole = fs::read(&path).unwrap();
    let last = line_starts(&whole)[3];
    for end in last..=whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        let history = open(folder.path());
        let (mut journal, records) = history.open_journal(table(1)).unwrap();
        let kept = if end == whole.len() { 3 } else { 2 };
        assert_eq!(records.len(), kept, "cut at {end}");
        journal.append(b"next").unwrap();
        drop((journal, history));
        let records = open(folder.path()).read_journal(table(1)).unwrap();
        assert_eq!((records.len(), &records[kept][..]), (kept + 1, &b"next"[..]), "cut at {end}");
    }
}

#[test]
fn a_stop_while_a_journal_is_made_leaves_none() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), table(1), &[b"first"]);
    let path = journal_file(folder.path(), table(1));
    let whole = fs::read(&path).unwrap();
    for end in 0..whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        let history = open(folder.path());
        assert_eq!(history.running(), [], "cut at {end}");
        drop(history.create_journal(table(1)).unwrap());
    }
}

#[test]
fn zeros_behind_the_last_line_are_cut() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), table(1), &[b"one"]);
    let path = journal_file(folder.path(), table(1));
    for zeros in [1, 4096, 2 * RECORD_BYTES_MAX + 100, 1 << 20] {
        let mut content = fs::read(&path).unwrap();
        content.resize(content.len() + zeros, 0);
        fs::write(&path, content).unwrap();
        let history = open(folder.path());
        let (_journal, records) = history.open_journal(table(1)).unwrap();
        assert_eq!(records, [b"one"]);
        assert_eq!(fs::read(&path).unwrap().last(), Some(&b'\n'));
    }
}

/// A power cut can leave a file its length and take its content.
#[test]
fn a_file_that_holds_no_line_at_all_is_told_and_kept() {
    let longer_than_a_line = 2 * RECORD_BYTES_MAX + 100;
    for content in [vec![0], vec![0; 4096], vec![0; longer_than_a_line], b"garbage".to_vec(), b"capture-\0\0".to_vec()]
    {
        for file in ["running/01010101010101010101010101010101.journal", "archive/games.c5a"] {
            let folder = tempfile::tempdir().unwrap();
            write(folder.path(), table(1), &[b"one"]);
            let path = folder.path().join(file);
            fs::write(&path, &content).unwrap();
            let (history, warnings) = open_warned(folder.path());
            let [Warning::FileDamaged { aside }] = &warnings[..] else { panic!("{file}: {warnings:?}") };
            assert_eq!(fs::read(aside).unwrap(), content, "{file}");
            assert!(aside.starts_with(path.parent().unwrap()), "{file}");
            drop(history);
            assert!(open_warned(folder.path()).1.is_empty(), "{file}: told once");
        }
    }
}

#[test]
fn what_is_no_file_stays_and_is_told_as_that() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), table(1), &[b"one"]);
    let path = journal_file(folder.path(), table(2));
    fs::create_dir(&path).unwrap();
    #[cfg(unix)]
    {
        let pipe = journal_file(folder.path(), table(3));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    }
    let history = open(folder.path());
    for n in if cfg!(unix) { 2..=3 } else { 2..=2 } {
        assert!(history.running().contains(&table(n)));
        assert_eq!(history.read_journal(table(n)).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(history.open_journal(table(n)).unwrap_err().kind(), io::ErrorKind::IsADirectory);
    }
    assert_eq!(history.journal_path(table(2)), path);
    assert!(path.is_dir());
    history.open_journal(table(1)).unwrap();
}

#[test]
fn a_journal_is_where_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), table(1), &[b"one"]);
    let history = open(folder.path());
    assert_eq!(history.journal_path(table(1)), journal_file(folder.path(), table(1)));
    history.retire(table(1)).unwrap();
    assert_eq!(history.journal_path(table(1)), folder.path().join(format!("closed/{}.journal", table(1))));
    assert_eq!(history.journal_path(table(2)), journal_file(folder.path(), table(2)), "nowhere");
}

#[test]
fn an_empty_file_is_no_loss() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), table(1), &[b"one"]);
    fs::write(journal_file(folder.path(), table(1)), "").unwrap();
    assert_eq!(open(folder.path()).running(), []);
    assert_eq!(names_with(&folder.path().join("running"), ""), [""; 0]);
}

/// Every byte of the file in turn: what is before the damaged line is kept, and a copy of all.
#[test]
fn a_damaged_byte_costs_what_follows_it_and_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let records: [&[u8]; 4] = [b"one", b"two", b"three", b"four"];
    write(folder.path(), table(1), &records);
    let path = journal_file(folder.path(), table(1));
    let whole = fs::read(&path).unwrap();
    let starts = line_starts(&whole);
    for at in (0..whole.len()).filter(|&at| whole[at] != b'\n') {
        fs::write(&path, &whole).unwrap();
        spoil(&path, at);
        let damaged = fs::read(&path).unwrap();
        let (history, warnings) = open_warned(folder.path());
        let [Warning::FileDamaged { aside }] = &warnings[..] else { panic!("byte {at}: {warnings:?}") };
        assert_eq!(fs::read(aside).unwrap(), damaged);
        // Under a damaged title every line is known good by its own checksum.
        let line = starts.iter().rposition(|&start| start <= at).unwrap();
        let kept = if line == 0 { 4 } else { line - 1 };
        if kept == 0 {
            assert_eq!(history.running(), [], "byte {at}");
        } else {
            let (mut journal, found) = history.open_journal(table(1)).unwrap();
            assert_eq!(found, &records[..kept], "byte {at}");
            journal.append(b"next").unwrap();
        }
        drop(history);
        assert!(open_warned(folder.path()).1.is_empty(), "byte {at}: told once");
        fs::remove_file(aside).unwrap();
    }
}

#[test]
fn damage_that_comes_while_running_is_mended_too() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), table(1), &[b"one", b"two", b"three"]);
    let history = open(folder.path());
    let path = journal_file(folder.path(), table(1));
    let starts = line_starts(&fs::read(&path).unwrap());
    spoil(&path, starts[2]);
    assert_eq!(history.read_journal(table(1)).unwrap(), [b"one"]);
    assert_eq!(history.open_journal(table(1)).unwrap().1, [b"one"]);
    assert_eq!(names_with(&folder.path().join("running"), ".damaged-").len(), 1);
}

#[test]
fn lines_have_a_bound() {
    let folder = tempfile::tempdir().unwrap();
    let history = open(folder.path());
    let mut journal = history.create_journal(table(1)).unwrap();
    let largest = vec![1; RECORD_BYTES_MAX];
    journal.append(&largest).unwrap();
    assert_eq!(journal.append(&[1; RECORD_BYTES_MAX + 1]).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    journal.append(b"next").unwrap();
    assert_eq!(history.read_journal(table(1)).unwrap(), [largest, b"next".to_vec()]);
}

#[test]
fn retired_journals_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let history = open(folder.path());
    for content in [&b"first"[..], b"second", b"third"] {
        history.create_journal(table(1)).unwrap().append(content).unwrap();
        history.retire(table(1)).unwrap();
        assert_eq!(history.running(), []);
    }
    assert_eq!(names_with(&folder.path().join("closed"), ".journal").len(), 3);
    assert_eq!(history.retire(table(1)).unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[test]
fn the_last_written_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let history = open(folder.path());
    for (n, seconds) in [(1, 200), (2, 300), (3, 100)] {
        history.create_journal(table(n)).unwrap().append(b"x").unwrap();
        let file = fs::File::options().write(true).open(journal_file(folder.path(), table(n))).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds)).unwrap();
    }
    fs::write(folder.path().join("running/notes.txt"), "").unwrap();
    assert_eq!(history.running(), [table(2), table(1), table(3)]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_records_come_back(records in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..300), 1..12)) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), table(1), &records.iter().map(Vec::as_slice).collect::<Vec<_>>());
        prop_assert_eq!(open(folder.path()).open_journal(table(1)).unwrap().1, records);
    }

    /// Whatever happens to a file: it opens, keeps only records that were written, in order from the first.
    #[test]
    fn no_damage_makes_up_records(at in any::<prop::sample::Index>(), bytes in proptest::collection::vec(any::<u8>(), 0..40), cut in any::<prop::sample::Index>()) {
        let records: [&[u8]; 4] = [b"one", b"two", b"three", b"four"];
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), table(1), &records);
        let path = journal_file(folder.path(), table(1));
        let mut content = fs::read(&path).unwrap();
        let at = at.index(content.len());
        let end = (at + cut.index(8)).min(content.len());
        content.splice(at..end, bytes);
        fs::write(&path, content).unwrap();
        let (history, _) = open_warned(folder.path());
        let found = history.open_journal(table(1)).map(|(_, found)| found).unwrap_or_default();
        prop_assert!(records.starts_with(&found.iter().map(Vec::as_slice).collect::<Vec<_>>()), "{found:?}");
    }
}

/// Nothing that is written to a file without a name is kept: that is no less than a full disk.
#[cfg(unix)]
#[test]
fn a_folder_that_is_deleted_in_use_keeps_nothing_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let history = open(&data);
    let mut journal = history.create_journal(table(1)).unwrap();
    journal.append(b"one").unwrap();
    history.archive(&game(table(1), 1)).unwrap();
    // As a file manager does it: out of sight first.
    let trash = folder.path().join("trash");
    fs::rename(&data, &trash).unwrap();
    journal.append(b"two").unwrap();
    fs::remove_dir_all(&trash).unwrap();
    for _ in 0..2 {
        assert_eq!(journal.append(b"three").unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(history.archive(&game(table(1), 2)).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
    history.set_value("name", b"Anna").unwrap_err();
    history.create_journal(table(2)).unwrap_err();
}
