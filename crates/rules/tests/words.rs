//! The rules in words: every option is heard, every sentence has its text, no text is left over.

use std::collections::{BTreeMap, BTreeSet};

use rules::words::{Arg, Section, Sentence, sentences, special};
use rules::{Colour, OptionName, Options, Preset, Rules};

/// The catalogues, by language.
const CATALOGUES: [(&str, &str); 3] = [
    ("en", include_str!("../../../ui/src/i18n/en/rules.json")),
    ("zh-TW", include_str!("../../../ui/src/i18n/zh-TW/rules.json")),
    ("ja", include_str!("../../../ui/src/i18n/ja/rules.json")),
];

/// Options that change nothing in a game's course: each is heard in a sentence of its own.
const ASIDE: &[OptionName] = &[
    OptionName::Board,
    OptionName::FirstStart,
    OptionName::PassStart,
    OptionName::MoveLimit,
    OptionName::ShowCoordinates,
];

type Catalogue = BTreeMap<String, String>;

fn catalogues() -> Vec<(&'static str, Catalogue)> {
    CATALOGUES.map(|(language, text)| (language, serde_json::from_str(text).expect("a flat catalogue"))).to_vec()
}

fn text_of(sentence: &Sentence, catalogue: &Catalogue) -> String {
    let text = sentence.text(|key| catalogue.get(key).map(String::as_str));
    text.unwrap_or_else(|| panic!("no text for {sentence:?}"))
}

fn rendered(rules: &Rules, catalogue: &Catalogue) -> String {
    sentences(rules).iter().map(|sentence| text_of(sentence, catalogue)).collect::<Vec<_>>().join("\n")
}

/// All coherent sets of options that differ in what happens in a game; of the others, the usual values.
fn games() -> Vec<Rules> {
    let mut games = vec![Options::DEFAULT];
    for name in OptionName::ALL.into_iter().filter(|name| !ASIDE.contains(name)) {
        let with_each = |options: &Options| name.values().iter().map(|value| changed(*options, name, value)).collect();
        games = games.iter().flat_map(|options| -> Vec<_> { with_each(options) }).collect();
    }
    games.into_iter().filter_map(coherent).collect()
}

/// The same with every value of the options aside, one at a time.
fn variants(rules: &Rules) -> impl Iterator<Item = Rules> {
    let values = ASIDE.iter().flat_map(|&name| name.values().iter().map(move |value| (name, *value)));
    values.filter_map(|(name, value)| coherent(changed(*rules.options(), name, value)))
}

fn changed(mut options: Options, name: OptionName, value: &str) -> Options {
    options.set(name.name(), value).expect("one of its values");
    options
}

fn coherent(options: Options) -> Option<Rules> {
    options.check(Preset::Custom).ok()
}

/// Colours can mix only where there are several enemies to capture from.
fn matters(name: OptionName, rules: &Rules) -> bool {
    name != OptionName::MixedCaptures || (rules.options().captures && rules.sides() > 2)
}

fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).map(|rest| rest.split_once('}').expect("closed").0).collect()
}

#[test]
fn every_option_is_heard_in_every_language() {
    let games = games();
    for (language, catalogue) in catalogues() {
        let texts: BTreeMap<Vec<u8>, String> =
            games.iter().map(|rules| (rules.to_bytes(), rendered(rules, &catalogue))).collect();
        let mut pairs = BTreeMap::new();
        let mut check = |name: OptionName, rules: &Rules, other: &Rules, text: &str, other_text: &str| {
            *pairs.entry((rules.options().get(name), other.options().get(name), name)).or_insert(0) += 1;
            assert_ne!(text, other_text, "{language}: {name:?} is not heard, {rules:?} and {other:?}");
        };
        for (number, rules) in games.iter().enumerate() {
            let text = &texts[&rules.to_bytes()];
            for name in OptionName::ALL.into_iter().filter(|name| !ASIDE.contains(name) && matters(*name, rules)) {
                let others = name.values().iter().filter(|value| **value != rules.options().get(name));
                for other in others.filter_map(|value| coherent(changed(*rules.options(), name, value))) {
                    check(name, rules, &other, text, &texts[&other.to_bytes()]);
                }
            }
            // Their sentences depend on little else: a part of the games is enough.
            if number % 61 == 0 {
                let variants: Vec<_> = variants(rules).collect();
                for (a, b) in variants.iter().flat_map(|a| variants.iter().map(move |b| (a, b))) {
                    let differing = |name: &&OptionName| a.options().get(**name) != b.options().get(**name);
                    let [name] = ASIDE.iter().filter(differing).collect::<Vec<_>>()[..] else { continue };
                    check(*name, a, b, &rendered(a, &catalogue), &rendered(b, &catalogue));
                }
            }
        }
        for name in OptionName::ALL {
            let heard = pairs.keys().filter(|(_, _, of)| *of == name).count();
            let values = name.values().len();
            assert_eq!(heard, values * (values - 1), "{language}: pairs of values of {name:?} that were compared");
        }
    }
}

#[test]
fn every_sentence_has_a_text_with_its_arguments_and_no_text_is_left_over() {
    let games = games();
    for (language, catalogue) in catalogues() {
        let mut used: BTreeSet<String> = Section::ALL.iter().map(|section| section.key().to_owned()).collect();
        for rules in games.iter().copied().chain(games.iter().step_by(61).flat_map(variants)) {
            for sentence in sentences(&rules) {
                let pattern = catalogue.get(sentence.key).unwrap_or_else(|| panic!("{language} lacks {sentence:?}"));
                let names: BTreeSet<_> = sentence.args.iter().map(|(name, _)| *name).collect();
                assert_eq!(placeholders(pattern), names, "{language}: {}", sentence.key);
                let text = text_of(&sentence, &catalogue);
                assert!(!text.contains(['{', '}']), "{language}: {text}");
                used.insert(sentence.key.to_owned());
                used.extend(sentence.args.iter().filter_map(|(_, arg)| arg.word()));
            }
        }
        assert_eq!(catalogue.into_keys().collect::<BTreeSet<_>>(), used, "{language}");
    }
}

#[test]
fn sections_stand_in_their_order_and_say_nothing_twice() {
    for rules in games() {
        let said = sentences(&rules);
        assert!(said.is_sorted_by_key(|sentence| sentence.section), "{rules:?}");
        let keys: BTreeSet<_> = said.iter().map(|sentence| sentence.key).collect();
        assert_eq!(keys.len(), said.len(), "{rules:?}");
        let section = |sentence: &Sentence| format!("rules.{}.", sentence.section.name());
        assert!(said.iter().all(|sentence| sentence.key.starts_with(&section(sentence))), "{rules:?}");
    }
}

/// The keys said at a table of this preset with these options, without `rules.`.
fn keys(preset: Preset, options: &[(&str, &str)]) -> Vec<&'static str> {
    let said = sentences(&rules(preset, options));
    said.iter().map(|sentence| sentence.key.strip_prefix("rules.").expect("a key of the rules")).collect()
}

fn rules(preset: Preset, options: &[(&str, &str)]) -> Rules {
    let mut chosen = preset.options();
    for (name, value) in options {
        chosen.set(name, value).expect("a value");
    }
    chosen.check(preset).expect("coherent")
}

#[test]
fn presets_are_told_as_they_are() {
    assert_eq!(
        keys(Preset::Pente, &[]),
        [
            "goal.line-or-more",
            "goal.captures",
            "players.two",
            "players.colours-two",
            "turns.two",
            "turns.not-allowed",
            "opening.centre",
            "opening.centre-away",
            "captures.pair",
            "captures.forced",
            "captures.leave",
            "captures.edge",
            "captures.safe",
            "draws.full-board",
            "series.first-seat",
            "series.pass",
        ]
    );
    assert_eq!(
        keys(Preset::Gomoku, &[]),
        [
            "goal.line-or-more",
            "goal.no-captures",
            "players.two",
            "players.colours-two",
            "players.coordinates",
            "turns.two",
            "turns.not-allowed",
            "draws.full-board",
            "series.first-seat",
            "series.pass",
        ]
    );
}

#[test]
fn sentences_say_which_stones_and_how_many() {
    let args = |preset: Preset, options: &[(&str, &str)], key: &str| {
        let said = sentences(&rules(preset, options));
        said.into_iter().find(|sentence| sentence.key == key).unwrap_or_else(|| panic!("{key} is said")).args
    };
    let three = &[("seats", "3")][..];
    assert_eq!(args(Preset::CaptureFive, three, "rules.goal.captures"), [("goal", Arg::Count(8))]);
    assert_eq!(
        args(Preset::CaptureFive, three, "rules.goal.line-exact"),
        [("line", Arg::Count(4)), ("longer", Arg::Count(5))]
    );
    let teams = &[("seats", "4"), ("teams", "true")][..];
    assert_eq!(args(Preset::CaptureFive, teams, "rules.goal.captures-teams"), [("goal", Arg::Count(10))]);
    let white = [("first", Arg::Colour(Colour::White)), ("second", Arg::Colour(Colour::Black))];
    assert_eq!(args(Preset::Pente, &[], "rules.players.colours-two"), white);
    assert_eq!(
        args(Preset::Custom, &[("opening", "place-three"), ("colours", "white-first")], "rules.opening.three"),
        white
    );
    let j10 = Arg::Point("J10".parse().expect("a point"));
    assert_eq!(args(Preset::Pente, &[], "rules.opening.centre"), [("point", j10)]);
    assert_eq!(
        args(Preset::Custom, &[("opening", "centre-far")], "rules.opening.centre-away"),
        [("square", Arg::Number(7)), ("distance", Arg::Count(4))]
    );
}

#[test]
fn what_is_special_is_what_the_preset_does_not_say() {
    let special = |preset, options: &[(&str, &str)]| -> Vec<_> {
        special(&rules(preset, options)).iter().map(|sentence| sentence.key).collect()
    };
    for preset in Preset::ALL {
        assert_eq!(special(preset, &[]), [""; 0], "{preset:?}");
    }
    assert_eq!(
        special(Preset::CaptureFive, &[("seats", "4"), ("teams", "true")]),
        [""; 0],
        "the party is no house rule"
    );
    assert_eq!(special(Preset::Pente, &[("move_limit_s", "60")]), ["rules.time.limit", "rules.time.limit-three"]);
    assert_eq!(special(Preset::CaptureFive, &[("board", "9")]), ["rules.players.two"]);
    assert_eq!(
        special(Preset::CaptureFive, &[("seats", "3"), ("mixed_captures", "false")]),
        ["rules.captures.one-colour"]
    );
}
