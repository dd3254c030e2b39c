//! The messages: each in every language, none left in English, and each that the code asks for there.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::Tree;

const FOLDER: &str = "ui/src/i18n/";
/// The language that the others are translated from.
const ENGLISH: &str = "en";
const TRANSLATIONS: &[&str] = &["zh-TW", "ja"];
/// The keys whose translation may be the English text: names, abbreviations.
const SAME_ALLOWED: &str = "ui/src/i18n/same-allowed.json";

/// The messages of one language by key, with the file that each is in.
type Messages<'a> = BTreeMap<String, (&'a str, String)>;

/// Missing, surplus and untranslated messages, and placeholders that nothing fills in.
pub fn check(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    let english = read(tree, ENGLISH, &mut found);
    let same_allowed: BTreeSet<String> = match tree.text(SAME_ALLOWED).map(serde_json::from_str) {
        None => BTreeSet::new(),
        Some(Ok(keys)) => keys,
        Some(Err(error)) => {
            found.push(format!("{SAME_ALLOWED} is no list of keys: {error}"));
            BTreeSet::new()
        }
    };
    let strange = same_allowed.iter().filter(|key| !english.contains_key(*key));
    found.extend(strange.map(|key| format!("{SAME_ALLOWED} names {key:?}, which is no message")));
    for language in TRANSLATIONS {
        let translated = read(tree, language, &mut found);
        let missing = english.iter().filter(|(key, _)| !translated.contains_key(*key));
        found.extend(missing.map(|(key, (file, _))| format!("{FOLDER}{language}/{file} lacks {key:?}")));
        for (key, (file, text)) in &translated {
            let place = format!("{FOLDER}{language}/{file}: {key:?}");
            match english.get(key) {
                None => found.push(format!("{place} is in no English file")),
                Some((there, _)) if there != file => found.push(format!("{place} is in {there} in English")),
                Some((_, original)) => {
                    if text == original && has_words(text) && !same_allowed.contains(key) {
                        found.push(format!("{place} is still the English text"));
                    }
                    // A language may need fewer facts, and has its own plurals, but is given no more.
                    for unknown in placeholders(text).difference(&placeholders(original)) {
                        found.push(format!("{place} has a placeholder {{{unknown}}} that the English text has not"));
                    }
                }
            }
        }
    }
    found
}

fn read<'a>(tree: &'a Tree, language: &str, found: &mut Vec<String>) -> Messages<'a> {
    let folder = format!("{FOLDER}{language}/");
    let mut messages = Messages::new();
    for (path, text) in tree.under(&folder).filter(|(path, _)| path.ends_with(".json")) {
        let file = &path[folder.len()..];
        match serde_json::from_str::<BTreeMap<String, String>>(text) {
            Err(error) => found.push(format!("{path} is no flat list of messages: {error}")),
            Ok(entries) => {
                for (key, text) in entries {
                    if let Some((other, _)) = messages.insert(key.clone(), (file, text)) {
                        found.push(format!("{path}: {key:?} is in {other} as well"));
                    }
                }
            }
        }
    }
    if messages.is_empty() {
        found.push(format!("{folder} has no messages"));
    }
    messages
}

/// Whether there is anything to translate outside the placeholders.
fn has_words(text: &str) -> bool {
    let mut depth = 0;
    text.chars().any(|letter| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0 && letter.is_alphabetic()
    })
}

/// The names in `{name}` and `{name|one|many}`.
fn placeholders(text: &str) -> BTreeSet<&str> {
    let inside = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    inside.map(|(name, _)| name.split('|').next().unwrap_or(name)).collect()
}

/// Keys that the code asks for and that no catalogue has.
pub fn keys_in_code(tree: &Tree) -> Vec<String> {
    let english = read(tree, ENGLISH, &mut Vec::new());
    let mut found = Vec::new();
    for (path, text) in tree.under("ui/src/").filter(|(path, _)| path.ends_with(".ts") || path.ends_with(".svelte")) {
        for (number, line) in text.lines().enumerate() {
            for key in asked_for(line) {
                let known = match &key {
                    Key::Whole(key) => english.contains_key(*key),
                    Key::StartsWith(start) => english.keys().any(|key| key.starts_with(start)),
                };
                if !known {
                    found.push(format!("{path}:{}: there is no message {key}", number + 1));
                }
            }
        }
    }
    found
}

/// What a call of `t` or `text` says of the key.
#[derive(Debug, PartialEq, Eq)]
enum Key<'a> {
    Whole(&'a str),
    /// A template literal, up to what is filled in.
    StartsWith(&'a str),
}

impl std::fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Key::Whole(key) => write!(f, "{key:?}"),
            Key::StartsWith(start) => write!(f, "that starts with {start:?}"),
        }
    }
}

fn asked_for(line: &str) -> Vec<Key<'_>> {
    let mut keys = Vec::new();
    for call in ["t(", "text("] {
        for (at, _) in line.match_indices(call) {
            let is_longer_name = line[..at].ends_with(|c: char| c.is_alphanumeric() || "_.$#".contains(c));
            let argument = line[at + call.len()..].trim_start();
            let Some(quote) = argument.chars().next().filter(|c| "\"'`".contains(*c) && !is_longer_name) else {
                continue;
            };
            let Some((literal, _)) = argument[1..].split_once(quote) else { continue };
            keys.push(match literal.split_once("${") {
                Some((start, _)) if quote == '`' => Key::StartsWith(start),
                _ => Key::Whole(literal),
            });
        }
    }
    keys
}

/// Error codes that the UI has no words for. The generated type is the list of codes.
pub fn error_codes(tree: &Tree) -> Vec<String> {
    const TYPE: &str = "ui/src/bindings/ErrorCode.ts";
    let english = read(tree, ENGLISH, &mut Vec::new());
    let Some(text) = tree.text(TYPE) else { return vec![format!("{TYPE} is missing")] };
    let Some((_, codes)) = text.split_once("ErrorCode =") else { return vec![format!("{TYPE} has no list of codes")] };
    let keys = codes.split('"').skip(1).step_by(2).map(|code| format!("error.{code}"));
    keys.filter(|key| !english.contains_key(key)).map(|key| format!("{FOLDER}{ENGLISH}/ lacks {key:?}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EN: &str =
        r#"{"home.new": "New game", "home.near": "{n|table|tables} near", "title": "Capture Five", "n": "{n}"}"#;

    fn tree_with(zh: &str, ja: &str) -> Tree {
        Tree::of(&[
            ("ui/src/i18n/en/home.json", EN),
            ("ui/src/i18n/zh-TW/home.json", zh),
            ("ui/src/i18n/ja/home.json", ja),
            (SAME_ALLOWED, r#"["title"]"#),
        ])
    }
    const ZH: &str = r#"{"home.new": "新對局", "home.near": "附近 {n} 桌", "title": "Capture Five", "n": "{n}"}"#;
    const JA: &str = r#"{"home.new": "新しい対局", "home.near": "近くに {n} 卓", "title": "Capture Five", "n": "{n}"}"#;

    #[test]
    fn whole_catalogues_pass() {
        assert_eq!(check(&tree_with(ZH, JA)), Vec::<String>::new());
    }

    #[test]
    fn each_fault_is_found() {
        for (ja, fault) in [
            (r#"{"home.near": "近くに {n} 卓", "title": "Capture Five", "n": "{n}"}"#, "lacks \"home.new\""),
            (&JA.replace("新しい対局", "New game"), "still the English text"),
            (&JA.replace("{n} 卓", "{count} 卓"), "placeholder {count}"),
            (&JA.replace("\"n\":", "\"m\": \"余り\", \"n\":"), "in no English file"),
            ("{}", "has no messages"),
            (r#"{"home": {"new": "新しい対局"}}"#, "no flat list"),
        ] {
            let found = check(&tree_with(ZH, ja));
            assert!(
                found.iter().any(|finding| finding.contains(fault) && finding.contains("ja")),
                "{fault}: {found:?}"
            );
        }
    }

    #[test]
    fn the_allowlist_must_name_messages() {
        let tree = Tree::of(&[("ui/src/i18n/en/a.json", EN), (SAME_ALLOWED, r#"["gone"]"#)]);
        assert!(check(&tree).iter().any(|finding| finding.contains("\"gone\"")));
    }

    #[test]
    fn calls_are_read() {
        assert_eq!(asked_for("{t('home.new')} {t(\"a.b\", { n })}"), [Key::Whole("home.new"), Key::Whole("a.b")]);
        assert_eq!(asked_for("text(`error.${code}`)"), [Key::StartsWith("error.")]);
        assert_eq!(asked_for("list('x'); start('y'); view.t('z'); t(key); context('w')"), []);
    }

    #[test]
    fn an_unknown_key_in_the_code_is_found() {
        let tree = Tree::of(&[
            ("ui/src/i18n/en/home.json", EN),
            ("ui/src/Home.svelte", "<h1>{t('title')}</h1>\n<p>{t('home.old')}</p>\n{text(`away.${why}`)}"),
        ]);
        let found = keys_in_code(&tree);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("Home.svelte:2") && found[1].contains("away."));
    }

    #[test]
    fn an_error_without_words_is_found() {
        let codes = ("ui/src/bindings/ErrorCode.ts", "export type ErrorCode = \"full\" | \"version\";");
        let tree = Tree::of(&[codes, ("ui/src/i18n/en/a.json", r#"{"error.full": "The table is full."}"#)]);
        assert_eq!(error_codes(&tree), ["ui/src/i18n/en/ lacks \"error.version\""]);
    }
}
