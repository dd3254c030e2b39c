//! The map in the crate's docs leads from every section of RULES.md to modules that say which section they keep.

use std::path::Path;

#[test]
fn every_section_of_the_page_has_its_place() {
    let page = include_str!("../RULES.md");
    let sections: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let docs = include_str!("../src/lib.rs");
    let rows = docs.lines().filter_map(|line| line.strip_prefix("//! | ")).skip(1);
    let rows: Vec<(&str, &str)> = rows.filter_map(|row| row.trim_end_matches(" |").split_once(" | ")).collect();
    assert_eq!(rows.iter().map(|(section, _)| *section).collect::<Vec<_>>(), sections);
    for (section, modules) in rows {
        let (number, _) = section.split_once('.').expect("a numbered section");
        let files: Vec<&str> = modules.split('`').filter(|text| text.ends_with(".rs")).collect();
        assert!(!files.is_empty(), "section {section}");
        for file in files {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
            let source = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
            let about: String =
                source.lines().map_while(|line| line.strip_prefix("//! ")).collect::<Vec<_>>().join(" ");
            let (sentence, _) = about.split_once(")").unwrap_or((&about, ""));
            assert!(sentence.contains("(RULES.md, section"), "{file} does not name its section first");
            assert!(names(sentence, number), "{file} does not name section {number}: {sentence}");
        }
    }
}

/// Whether `section 6`, `sections 4.4 and 6` or `sections 4 to 8` names a section.
fn names(sentence: &str, number: &str) -> bool {
    let sections = sentence.split_once("section").map_or("", |(_, sections)| sections);
    let numbers = |text: &str| -> Vec<u8> {
        let words = text.split(|other: char| !other.is_ascii_digit() && other != '.');
        words.filter_map(|word| word.split('.').next()?.parse().ok()).collect()
    };
    let wanted: u8 = number.parse().expect("a number");
    match sections.split_once(" to ") {
        Some((from, to)) => match (numbers(from).last(), numbers(to).first()) {
            (Some(from), Some(to)) => (*from..=*to).contains(&wanted),
            (None | Some(_), None | Some(_)) => false,
        },
        None => numbers(sections).contains(&wanted),
    }
}
