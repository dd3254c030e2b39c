//! The fuzz targets' corpus, and inputs made to ask for much memory: no panic, and no more memory than is stated. It
//! is one test, so that nothing else allocates meanwhile.

use std::path::Path;

use c5::referee::VALUE_BYTES_MAX;
use peak_alloc::PeakAlloc;
use rules::notation::TEXT_BYTES_MAX;
use tests::fuzz::{INPUT_BYTES_MAX, TARGETS, Target, devices};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

#[test]
fn the_corpus_and_greedy_inputs_stay_within_their_bounds() {
    for target in TARGETS {
        let corpus = corpus(target.name);
        assert!(corpus.len() >= CORPUS_FILES_MIN, "{}: {} files", target.name, corpus.len());
        let bytes: usize = corpus.iter().map(|(_, input)| input.len()).sum();
        assert!(bytes <= CORPUS_BYTES_MAX, "{}: {bytes} bytes", target.name);
        for (name, input) in corpus.into_iter().chain(greedy()) {
            check(&target, &name, &input);
        }
    }
}

/// Files in each target's corpus at least, and bytes in all of them at most.
const CORPUS_FILES_MIN: usize = 20;
const CORPUS_BYTES_MAX: usize = 75_000;

fn check(target: &Target, name: &str, input: &[u8]) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    (target.run)(input);
    let allocated = ALLOCATOR.peak_usage() - before;
    assert!(
        allocated <= target.allocated_bytes_max,
        "{} allocated {allocated} bytes for {name}, which has {}",
        target.name,
        input.len()
    );
    assert_eq!(ALLOCATOR.current_usage(), before, "{} kept something of {name}", target.name);
}

fn corpus(name: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = files.map(|file| file.expect("a file of the corpus").path());
    paths.map(|path| (path.display().to_string(), std::fs::read(&path).expect("a file of the corpus"))).collect()
}

/// Inputs as long as they may be, each of many small parts or one large one.
fn greedy() -> Vec<(String, Vec<u8>)> {
    let rules = r#""rules":{"preset":"custom"}"#;
    let wrapped = [
        (format!(r#"{{"id":1,{rules},"actions":["#), "0,", "0]}"),
        (format!(r#"{{"id":1,{rules},"actions":["#), r#"{"at":"A1","take":[]},"#, "0]}"),
        (format!(r#"{{"id":1,{rules},"actions":["#), "[[[", "0]}"),
        (format!(r#"{{"id":1,{rules},"actions":[["#), r#"{"":0},"#, "0]]}"),
        (r#"{"id":"#.to_owned(), "[", "]}"),
        (r#"{"id":[0,"#.to_owned(), r#"{"":0},"#, r#"0],"actions":[]}"#),
        (r#"{"actions":[],"rules":{"preset":"pente","more":["#.to_owned(), r#"{"":0},"#, "0]}}"),
        ("{".to_owned(), r#""":0,"#, r#""":0}"#),
        ("[".to_owned(), "{},", "0]"),
        (r#"["custom",{"board":["#.to_owned(), "0,", "0]}]"),
        ("\u{feff}".to_owned(), "\n", ""),
        ("{}\n".to_owned(), "{}\n", ""),
        ("c5-game 1 custom\n".to_owned(), "A1 ", "\n"),
        ("c5-game 1 custom ".to_owned(), "board=9 ", "\n"),
        ("c5-game 1 custom\nH8[".to_owned(), "A1,", "]"),
        ("c5-game 1 custom\nH8".to_owned(), "[A1]", ""),
        ("c5-game 1 custom\nsetup turn=black ".to_owned(), "swapped ", "\n"),
        ("c5-game 1 custom\nsetup turn=black captured=".to_owned(), "black:1,", "\n"),
        ("c5-game 1 custom\nsetup turn=black\n".to_owned(), "B", "\n"),
        ("c5-game 1 ".to_owned(), "x", ""),
    ];
    let mut inputs = Vec::new();
    for (head, part, tail) in wrapped {
        for bytes in [VALUE_BYTES_MAX, TEXT_BYTES_MAX, INPUT_BYTES_MAX] {
            let room = bytes - head.len() - tail.len();
            inputs.push((format!("{head}…"), format!("{head}{}{tail}", part.repeat(room / part.len())).into_bytes()));
        }
    }
    let keys: Vec<String> = (0..90_000).map(|number| format!(r#""{number}":0"#)).collect();
    inputs.push(("many keys".to_owned(), format!("{{{}}}", keys.join(",")).into_bytes()));
    inputs.extend(liars());
    inputs
}

/// Messages, and records of a journal, that say of themselves that very much follows.
fn liars() -> Vec<(String, Vec<u8>)> {
    let lengths = [u64::from(u32::MAX), u64::MAX >> 1, 1 << 20, 40_000];
    let mut inputs = vec![("nothing, many times".to_owned(), vec![0; INPUT_BYTES_MAX])];
    for (length, variant) in lengths.into_iter().flat_map(|length| (0..8u8).map(move |variant| (length, variant))) {
        for before in [0, 32, 65] {
            let bytes = [&[variant], &vec![0; before][..], &varint(length), &vec![1; 60_000]].concat();
            let record = [&[table::limits::PROTOCOL_VERSION as u8], &bytes[..]].concat();
            let name = format!("{length} after {before} of {variant}");
            inputs.push((format!("{name}, many times"), devices::joined(&vec![bytes.clone(); 16])));
            inputs.push((format!("{name}, as a record"), devices::joined(&[record])));
            inputs.push((name, bytes));
        }
    }
    inputs
}

/// A number as postcard writes it.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}
