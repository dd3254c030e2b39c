//! `c5 rules`: the rules of a table in sentences. The words are the app's own catalogues.

use std::collections::BTreeMap;

use rules::words::{Arg, Section, Sentence, sentences};
use rules::{Clash, OptionName, Options, Preset, Rules as Table};
use serde_json::{Map, Value, json};

use crate::args::Rules;
use crate::referee::rules_to_json;
use crate::{Failure, Output};

/// A language that there are words in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    Chinese,
    Japanese,
}

impl Language {
    pub const ALL: [Language; 3] = [Language::English, Language::Chinese, Language::Japanese];

    /// The tag, as on the command line.
    pub const fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh-TW",
            Language::Japanese => "ja",
        }
    }

    /// By its tag.
    pub fn from_tag(tag: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.tag() == tag)
    }

    /// The one that a POSIX locale asks for, such as `ja_JP.UTF-8`; English where there are no words in its language.
    pub fn from_locale(locale: &str) -> Language {
        match locale.split(['_', '-', '.', '@']).next() {
            Some("zh") => Language::Chinese,
            Some("ja") => Language::Japanese,
            Some(_) | None => Language::English,
        }
    }

    /// The language of this process's environment.
    fn of_environment() -> Language {
        // The first of these that is set decides, in the order of POSIX.
        let set = |name| std::env::var(name).ok().filter(|locale| !locale.is_empty());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
        locale.map_or(Language::English, |locale| Language::from_locale(&locale))
    }

    const fn catalogue(self) -> &'static str {
        match self {
            Language::English => include_str!("../../../ui/src/i18n/en/rules.json"),
            Language::Chinese => include_str!("../../../ui/src/i18n/zh-TW/rules.json"),
            Language::Japanese => include_str!("../../../ui/src/i18n/ja/rules.json"),
        }
    }
}

/// The texts of one language by key.
struct Words(BTreeMap<String, String>);

impl Words {
    fn of(language: Language) -> Result<Words, Failure> {
        let texts = serde_json::from_str(language.catalogue());
        texts.map(Words).map_err(|why| missing(language.tag(), &why.to_string()))
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    fn heading(&self, section: Section) -> Result<&str, Failure> {
        self.get(section.key()).ok_or_else(|| missing(section.key(), "no such text"))
    }

    fn sentence(&self, sentence: &Sentence) -> Result<String, Failure> {
        sentence.text(|key| self.get(key)).ok_or_else(|| missing(sentence.key, "no such text"))
    }
}

/// Tests keep this from happening.
fn missing(what: &str, why: &str) -> Failure {
    Failure::new("internal", format!("the words for {what} are missing ({why}): install this program again"))
}

pub(crate) fn run(asked: &Rules, output: &mut Output) -> Result<(), Failure> {
    let table = table_of(asked)?;
    let language = asked.lang.unwrap_or_else(Language::of_environment);
    let words = Words::of(language)?;
    let said = sentences(&table);
    output.event(&as_json(&table, language, &words, &said)?, Some(&as_text(&words, &said)?));
    Ok(())
}

/// The preset with the options set, or which of them is wrong and what it could be.
fn table_of(asked: &Rules) -> Result<Table, Failure> {
    let bad_rules = |message: String| Failure::usage("bad-rules", message);
    let mut options = asked.preset.options();
    for (name, value) in &asked.set {
        options.set(name, value).map_err(|error| bad_rules(error.to_string()))?;
    }
    options.check(asked.preset).map_err(|clash| bad_rules(advice(options, asked.preset, clash)))
}

/// What clashes, and with which values it would not.
fn advice(options: Options, preset: Preset, clash: Clash) -> String {
    let ways: Vec<String> = [clash.0, clash.1]
        .into_iter()
        .map(|name| (name, values_without(options, preset, clash, name)))
        .filter(|(_, values)| !values.is_empty())
        .map(|(name, values)| format!("{} to {}", name.name(), values.join(" or ")))
        .collect();
    format!("{clash}: set {}", ways.join(", or "))
}

/// The values of one option with which these two do not clash.
fn values_without(options: Options, preset: Preset, clash: Clash, name: OptionName) -> Vec<&'static str> {
    let goes = |value: &str| {
        let mut other = options;
        other.set(name.name(), value).is_ok() && other.check(preset).err() != Some(clash)
    };
    name.values().iter().copied().filter(|value| goes(value)).collect()
}

/// A heading and its sentences, an empty line between sections.
fn as_text(words: &Words, said: &[Sentence]) -> Result<String, Failure> {
    let mut lines = Vec::new();
    for section in said.chunk_by(|a, b| a.section == b.section) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(words.heading(section[0].section)?.to_owned());
        for sentence in section {
            lines.push(format!("- {}", words.sentence(sentence)?));
        }
    }
    Ok(lines.join("\n"))
}

fn as_json(table: &Table, language: Language, words: &Words, said: &[Sentence]) -> Result<Map<String, Value>, Failure> {
    let mut sentences = Vec::new();
    for sentence in said {
        let args: Map<String, Value> =
            sentence.args.iter().map(|(name, arg)| ((*name).to_owned(), value(*arg))).collect();
        sentences.push(json!({
            "section": sentence.section.name(),
            "key": sentence.key,
            "args": args,
            "text": words.sentence(sentence)?,
        }));
    }
    let mut object = Map::new();
    object.insert("lang".to_owned(), language.tag().into());
    object.insert("rules".to_owned(), rules_to_json(table));
    object.insert("sentences".to_owned(), sentences.into());
    Ok(object)
}

fn value(arg: Arg) -> Value {
    match arg {
        Arg::Number(number) | Arg::Count(number) => number.into(),
        Arg::Colour(_) | Arg::Point(_) => arg.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_choose_among_our_languages() {
        for (locale, tag) in [
            ("ja_JP.UTF-8", "ja"),
            ("ja", "ja"),
            ("zh_TW.UTF-8", "zh-TW"),
            ("zh_Hant_TW", "zh-TW"),
            ("zh-CN", "zh-TW"),
            ("en_GB.UTF-8", "en"),
            ("de_DE@euro", "en"),
            ("C", "en"),
            ("POSIX", "en"),
            ("", "en"),
            ("jam_JM", "en"),
        ] {
            assert_eq!(Language::from_locale(locale).tag(), tag, "{locale:?}");
        }
    }

    #[test]
    fn a_clash_says_how_to_end_it() {
        let refused = |set: &[(&str, &str)]| {
            let set = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let asked = Rules { preset: Preset::Custom, set, lang: None };
            table_of(&asked).expect_err("they clash").message
        };
        let seats = refused(&[("opening", "centre"), ("seats", "3")]);
        assert_eq!(seats, "the options opening and seats do not go together: set opening to none, or seats to 2");
        let renju = refused(&[("forbidden", "renju")]);
        assert!(
            renju.contains("forbidden to none or double-three-first or double-three-both, or captures to off"),
            "{renju}"
        );
        let teams = refused(&[("teams", "true")]);
        assert!(teams.ends_with("set teams to false, or seats to 4"), "{teams}");
    }
}
