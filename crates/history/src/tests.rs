use super::*;

fn seed() -> io::Result<[u8; 32]> {
    Ok([7; 32])
}

#[test]
fn a_new_folder_opens_and_reopens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/data");
    let table = TableId([3; 16]);
    let (history, warnings) = History::open_on(&path, Some("machine"), seed).unwrap();
    assert_eq!(warnings, []);
    history.set_value("profile", b"Mei").unwrap();
    let mut journal = history.create_journal(table).unwrap();
    journal.append(b"one").unwrap();
    journal.append(b"").unwrap();
    assert!(matches!(History::open_on(&path, Some("machine"), seed), Err(OpenError::InUse(_))));
    drop((history, journal));
    let (history, warnings) = History::open_on(&path, Some("machine"), || panic!("there is a key")).unwrap();
    assert_eq!(warnings, []);
    assert_eq!(history.secret(), [7; 32]);
    assert_eq!(history.value("profile").unwrap(), b"Mei");
    assert_eq!(history.running(), [table]);
    let (mut journal, records) = history.open_journal(table).unwrap();
    assert_eq!(records, [b"one".to_vec(), Vec::new()]);
    journal.append(b"three").unwrap();
    assert_eq!(history.read_journal(table).unwrap().len(), 3);
    history.retire(table).unwrap();
    assert_eq!(history.running(), []);
}
