//! Finished games, and the index that is made from them.

use std::fs;

use proptest::prelude::*;

use super::samples::*;
use crate::*;

/// A folder with so many games, and all of them, newest first.
fn filled(games: u32) -> (tempfile::TempDir, Vec<Finished>) {
    let folder = tempfile::tempdir().unwrap();
    let history = open(folder.path());
    let mut all: Vec<_> = (1..=games).map(|number| game(table(number as u8), number)).collect();
    all.iter().for_each(|game| history.archive(game).unwrap());
    all.reverse();
    (folder, all)
}

fn all(history: &History) -> Vec<Finished> {
    let games = history.finished(0, usize::MAX);
    assert_eq!(games.len(), history.finished_count());
    games
}

#[test]
fn games_are_listed_newest_first() {
    let (folder, games) = filled(5);
    let history = open(folder.path());
    assert_eq!(all(&history), games);
    for (skip, limit) in [(0, 0), (0, 2), (1, 3), (4, 9), (5, 1), (99, 1)] {
        let expected: Vec<_> = games.iter().skip(skip).take(limit).cloned().collect();
        assert_eq!(history.finished(skip, limit), expected, "{skip} {limit}");
    }
}

#[test]
fn a_game_is_kept_once() {
    let (folder, games) = filled(3);
    let before = fs::read(archive_file(folder.path())).unwrap();
    let history = open(folder.path());
    history.archive(&games[1]).unwrap();
    history.archive(&Finished { ended_s: 1, ..games[0].clone() }).unwrap();
    // Somebody else sits there by now, and this device's seat is given up.
    let names = games[0].names.iter().map(|_| "Cid".to_owned()).collect();
    history.archive(&Finished { names, mine: vec![], ..games[0].clone() }).unwrap();
    assert_eq!(fs::read(archive_file(folder.path())).unwrap(), before);
    history.archive(&Finished { number: 77, ..games[0].clone() }).unwrap();
    assert_eq!(history.finished_count(), 4);
}

#[test]
fn a_game_that_ended_anew_takes_the_place_of_what_it_was() {
    let (folder, games) = filled(3);
    let history = open(folder.path());
    let anew = Finished { starter: 1 - games[1].starter, ended_s: games[1].ended_s + 60, ..games[1].clone() };
    history.archive(&anew).unwrap();
    let expected = [&anew, &games[0], &games[2]].map(Clone::clone);
    let check = |history: &History| {
        assert_eq!(all(history), expected);
        assert_eq!(history.finished_count(), 3);
        assert_eq!(history.finished(1, 1), expected[1..2]);
    };
    check(&history);
    drop(history);
    check(&open(folder.path()));
    std::fs::remove_dir_all(folder.path().join("index")).unwrap();
    check(&open(folder.path()));
}

#[test]
fn a_game_larger_than_a_chunk_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let stones = |count| game(table(1), 1).actions.into_iter().cycle().take(count).collect();
    let long = Finished { actions: stones(20_000), ..game(table(1), 1) };
    let history = open(folder.path());
    history.archive(&long).unwrap();
    history.archive(&game(table(2), 1)).unwrap();
    assert_eq!(all(&history)[1], long);
    let endless = Finished { actions: stones(1_000_000), ..game(table(3), 1) };
    assert_eq!(history.archive(&endless).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    drop(history);
    assert_eq!(all(&open(folder.path()))[1], long);
}

#[test]
fn a_stop_within_the_last_line_costs_nothing_that_counted() {
    let (folder, games) = filled(2);
    let path = archive_file(folder.path());
    let whole = fs::read(&path).unwrap();
    let last = line_starts(&whole)[2];
    for end in (last..whole.len()).step_by(7).chain([whole.len() - 1]) {
        // The index as it was before the last game: it is written after the archive.
        fs::remove_dir_all(folder.path().join("index")).unwrap();
        fs::write(&path, &whole[..last]).unwrap();
        drop(open(folder.path()));
        fs::write(&path, &whole[..end]).unwrap();
        let history = open(folder.path());
        assert_eq!(all(&history), games[1..], "cut at {end}");
        history.archive(&games[0]).unwrap();
        drop(history);
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {end}");
    }
}

#[test]
fn an_index_behind_the_archive_catches_up() {
    let (folder, games) = filled(4);
    let path = archive_file(folder.path());
    let whole = fs::read(&path).unwrap();
    let starts = line_starts(&whole);
    for lines in 1..=4 {
        fs::remove_dir_all(folder.path().join("index")).unwrap();
        fs::write(&path, &whole[..starts[lines]]).unwrap();
        drop(open(folder.path()));
        fs::write(&path, &whole).unwrap();
        let history = open(folder.path());
        assert_eq!(all(&history), games);
        history.archive(&games[0]).unwrap();
        assert_eq!(history.finished_count(), 4);
    }
}

#[test]
fn a_missing_index_is_made_anew_without_a_word() {
    let (folder, games) = filled(600);
    fs::remove_dir_all(folder.path().join("index")).unwrap();
    let history = open(folder.path());
    assert_eq!(all(&history), games);
    history.archive(&games[7]).unwrap();
    assert_eq!(history.finished_count(), games.len());
}

#[test]
fn a_damaged_line_costs_nothing_while_the_index_has_it() {
    let (folder, games) = filled(4);
    let path = archive_file(folder.path());
    spoil(&path, line_starts(&fs::read(&path).unwrap())[2] + 30);
    let (history, warnings) = open_warned(folder.path());
    assert!(matches!(&warnings[..], [Warning::FileDamaged { aside }] if aside.exists()));
    let mut found = all(&history);
    found.sort_by_key(|game| std::cmp::Reverse(game.number));
    assert_eq!(found, games);
    drop(history);
    assert_eq!(open(folder.path()).finished_count(), 4);
}

#[test]
fn damaged_lines_alone_are_lost_without_an_index() {
    let (folder, games) = filled(5);
    let path = archive_file(folder.path());
    let starts = line_starts(&fs::read(&path).unwrap());
    fs::remove_dir_all(folder.path().join("index")).unwrap();
    for line in [0, 2, 5] {
        spoil(&path, starts[line] + 5);
    }
    let (history, warnings) = open_warned(folder.path());
    assert!(matches!(&warnings[..], [Warning::FileDamaged { aside }] if aside.exists()));
    assert_eq!(all(&history), [games[1].clone(), games[2].clone(), games[4].clone()]);
}

#[test]
fn an_archive_that_is_gone_comes_back_from_the_index() {
    let (folder, games) = filled(3);
    let path = archive_file(folder.path());
    let whole = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(all(&open(folder.path())), games);
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn an_archive_from_elsewhere_gets_its_own_index() {
    let (folder, mine) = filled(2);
    let (other, theirs) = filled(5);
    fs::copy(archive_file(other.path()), archive_file(folder.path())).unwrap();
    let history = open(folder.path());
    assert_eq!(all(&history), theirs);
    history.archive(&mine[0]).unwrap();
    assert_eq!(history.finished_count(), 5);
}

/// What sled's users report: damaged snapshots, cut or empty database files, a lost configuration.
#[test]
fn an_index_that_does_not_open_is_set_aside() {
    let (folder, games) = filled(3);
    let index = folder.path().join("index");
    let history = open(folder.path());
    history.set_value("settings", b"kept").unwrap();
    drop(history);
    let snapshot = names_with(&index, "snap.").pop().unwrap();
    let cut = |name: &str, length: usize| {
        let path = index.join(name);
        let content = fs::read(&path).unwrap();
        fs::write(&path, &content[..length.min(content.len())]).unwrap();
    };
    let garble = |name: &str| {
        let path = index.join(name);
        let length = fs::read(&path).unwrap().len();
        fs::write(&path, vec![0xa5; length]).unwrap();
    };
    let damages: [(&str, &dyn Fn()); 7] = [
        ("snapshot garbled", &|| garble(&snapshot)),
        ("snapshot cut", &|| cut(&snapshot, 3)),
        ("database garbled", &|| garble("db")),
        ("database cut", &|| cut("db", 700)),
        ("database empty", &|| cut("db", 0)),
        ("configuration garbled", &|| garble("conf")),
        ("a file instead", &|| {
            fs::remove_dir_all(&index).unwrap();
            fs::write(&index, "").unwrap();
        }),
    ];
    let saved = folder.path().join("saved");
    copy_folder(&index, &saved);
    for (name, damage) in damages {
        let _ = fs::remove_dir_all(&index);
        copy_folder(&saved, &index);
        damage();
        let (history, warnings) = open_warned(folder.path());
        assert_eq!(all(&history), games, "{name}: {warnings:?}");
        assert_eq!(history.value("settings").unwrap(), b"kept", "{name}");
        history.archive(&games[1]).unwrap();
        assert_eq!(history.finished_count(), 3, "{name}");
        drop(history);
        let [Warning::IndexRebuilt { aside }] = &warnings[..] else { panic!("{name}: {warnings:?}") };
        assert!(aside.exists(), "{name}");
        assert_eq!(all(&open(folder.path())), games, "{name}: the next start is quiet");
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &to)
        } else {
            fs::copy(entry.path(), to).map(|_| ()).unwrap()
        }
    }
}

#[test]
fn addresses_are_remembered_until_the_table_is_retired() {
    let folder = tempfile::tempdir().unwrap();
    let device = |n| DeviceId([n; 32]);
    let address = |n: u8| SocketAddr::from(([192, 168, 1, n], 40515));
    let v6: SocketAddr = "[fe80::1%3]:40515".parse().unwrap();
    let history = open(folder.path());
    assert_eq!(history.remembered(table(1)), []);
    let first = [(device(1), vec![address(1), v6]), (device(2), (1..=20).map(address).collect())];
    history.remember(table(1), &first);
    history.remember(table(2), &[(device(1), vec![address(9)])]);
    history.remember(table(1), &[(device(1), vec![])]);
    drop(history);
    let history = open(folder.path());
    assert_eq!(
        history.remembered(table(1)),
        [(device(1), vec![]), (device(2), (1..=8).map(address).collect::<Vec<_>>())]
    );
    history.create_journal(table(1)).unwrap();
    history.retire(table(1)).unwrap();
    assert_eq!(history.remembered(table(1)), []);
    assert_eq!(history.remembered(table(2)), [(device(1), vec![address(9)])]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// The same by the index kept all along, and by one made anew.
    #[test]
    fn any_games_come_back(games in proptest::collection::vec(games(), 1..6)) {
        let folder = tempfile::tempdir().unwrap();
        let history = open(folder.path());
        games.iter().for_each(|game| history.archive(game).unwrap());
        let kept = all(&history);
        prop_assert!(kept.iter().all(|game| games.contains(game)));
        drop(history);
        fs::remove_dir_all(folder.path().join("index")).unwrap();
        prop_assert_eq!(all(&open(folder.path())), kept);
    }
}
