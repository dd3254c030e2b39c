//! RULES.md, section 2: options, presets, clashes; and section 1: coordinates.

mod support;

use rules::{BoardSize, Clash, OptionError, OptionName, Options, Point, Preset, RULES_BYTES, Rules, RulesBytesError};

/// A preset's options that differ from the defaults, as `name=value`.
fn differences(preset: Preset) -> String {
    let options = preset.options();
    let changed = OptionName::ALL.into_iter().filter(|&name| options.get(name) != Options::DEFAULT.get(name));
    changed.map(|name| format!("{}={}", name.name(), options.get(name))).collect::<Vec<_>>().join(" ")
}

#[test]
fn presets_differ_from_the_defaults_as_the_table_says() {
    let table = [
        ("capture-five", ""),
        ("pente", "board=19 overline=wins opening=centre colours=white-first"),
        ("pente-swap2", "board=19 overline=wins opening=place-three"),
        ("gomoku", "overline=wins captures=off show_coordinates=true"),
        ("wuziqi", "overline=wins captures=off first_start=random"),
        ("custom", ""),
    ];
    assert_eq!(table.map(|(name, _)| name), *Preset::NAMES);
    for (name, expected) in table {
        let preset = Preset::from_name(name).expect(name);
        assert_eq!(differences(preset), expected, "{name}");
        assert_eq!(preset.options().check(preset), Ok(Rules::of(preset)));
    }
}

#[test]
fn defaults_are_those_in_bold() {
    let bold = "board=15 seats=2 teams=false overline=no-win captures=on forced_capture=true capture_threes=false \
        into_flank=nothing mixed_captures=true overtime=none forbidden=none opening=none colours=black-first \
        first_start=first-seat pass_start=true move_limit_s=none show_coordinates=false";
    let all = OptionName::ALL.map(|name| format!("{}={}", name.name(), Options::DEFAULT.get(name)));
    assert_eq!(all.join(" "), bold);
}

#[test]
fn every_value_of_every_option_can_be_set_and_read_back() {
    for name in OptionName::ALL {
        for value in name.values() {
            let mut options = Options::DEFAULT;
            assert_eq!(options.set(name.name(), value), Ok(()));
            assert_eq!(options.get(name), *value, "{}", name.name());
            let others = OptionName::ALL.into_iter().filter(|&other| other != name);
            for other in others {
                assert_eq!(options.get(other), Options::DEFAULT.get(other), "{} changed {}", name.name(), other.name());
            }
        }
    }
}

#[test]
fn unknown_names_and_values_change_nothing() {
    let mut options = Options::DEFAULT;
    assert_eq!(options.set("bord", "15"), Err(OptionError::UnknownOption { name: "bord".to_owned() }));
    for (name, value) in [("board", "16"), ("board", ""), ("seats", "1"), ("captures", "true"), ("teams", "on")] {
        let error = options.set(name, value).expect_err(value);
        assert!(matches!(&error, OptionError::UnknownValue { value: refused, .. } if refused == value));
        assert!(error.to_string().contains(name), "{error}");
    }
    assert_eq!(options, Options::DEFAULT);
}

/// The first clash of a preset with options, as two names.
fn clash(text: &str) -> Option<(&'static str, &'static str)> {
    let mut words = text.split_whitespace();
    let preset = words.next().and_then(Preset::from_name).expect("a preset");
    let mut options = preset.options();
    for word in words {
        let (name, value) = word.split_once('=').expect("option=value");
        options.set(name, value).expect(word);
    }
    options.check(preset).err().map(|Clash(one, other)| (one.name(), other.name()))
}

#[test]
fn clashes_are_found_in_order() {
    let cases = [
        ("custom teams=true", Some(("teams", "seats"))),
        ("custom teams=true seats=3 opening=centre", Some(("teams", "seats"))),
        ("custom teams=true seats=4", None),
        ("pente seats=3", Some(("opening", "seats"))),
        ("pente seats=4 teams=true", Some(("opening", "seats"))),
        ("pente seats=3 opening=none", None),
        ("wuziqi forbidden=renju seats=3", Some(("forbidden", "seats"))),
        ("wuziqi forbidden=renju seats=4 teams=true", Some(("forbidden", "seats"))),
        ("custom forbidden=double-three-first seats=3", Some(("forbidden", "seats"))),
        ("custom forbidden=double-three-both seats=4", Some(("forbidden", "seats"))),
        ("custom forbidden=double-three-both seats=4 teams=true", None),
        ("custom forbidden=double-three-both captures=off", None),
        ("wuziqi forbidden=renju", None),
        ("wuziqi forbidden=renju colours=white-first", Some(("forbidden", "colours"))),
        ("custom forbidden=renju colours=white-first", Some(("forbidden", "colours"))),
        ("custom forbidden=renju forced_capture=false", Some(("forbidden", "captures"))),
        ("gomoku forced_capture=false", Some(("forced_capture", "captures"))),
        ("gomoku capture_threes=true into_flank=captured", Some(("capture_threes", "captures"))),
        ("gomoku into_flank=captured overtime=take", Some(("into_flank", "captures"))),
        ("gomoku into_flank=not-allowed", Some(("into_flank", "captures"))),
        ("gomoku overtime=break", Some(("overtime", "captures"))),
        ("gomoku mixed_captures=false", None),
        ("gomoku seats=4", None),
    ];
    for (text, expected) in cases {
        assert_eq!(clash(text), expected, "{text}");
    }
}

#[test]
fn seats_that_no_game_has_are_refused() {
    for seats in [0, 1, 5, 255] {
        let options = Options { seats, ..Options::DEFAULT };
        assert_eq!(options.check(Preset::Custom), Err(Clash(OptionName::Seats, OptionName::Seats)));
    }
}

#[test]
fn options_that_clash_with_the_seats_go_back_to_their_defaults() {
    use OptionName as Name;
    let cases: [(&str, u8, Vec<Name>); 6] = [
        ("pente", 3, vec![Name::Opening]),
        ("pente", 2, vec![]),
        ("custom seats=4 teams=true forbidden=double-three-both", 3, vec![Name::Teams, Name::Forbidden]),
        ("custom seats=4 teams=true forbidden=double-three-both", 2, vec![Name::Teams]),
        ("wuziqi forbidden=renju", 4, vec![Name::Forbidden]),
        ("custom opening=place-four forbidden=double-three-first", 4, vec![Name::Opening, Name::Forbidden]),
    ];
    for (text, seats, put_back) in cases {
        let before = support::rules(text);
        let (after, named) = before.options().for_seats(seats);
        assert_eq!(named, put_back, "{text} for {seats}");
        assert_eq!(after.seats, seats);
        assert!(after.check(before.preset()).is_ok());
        for name in OptionName::ALL.into_iter().filter(|name| *name != Name::Seats) {
            let expected = if put_back.contains(&name) { Options::DEFAULT } else { *before.options() };
            assert_eq!(after.get(name), expected.get(name), "{text}: {}", name.name());
        }
    }
}

#[test]
fn the_set_up_screen_offers_each_presets_own_options() {
    let names = |preset: Preset| preset.changeable().iter().map(|name| name.name()).collect::<Vec<_>>().join(" ");
    assert_eq!(names(Preset::Custom), OptionName::NAMES.join(" "));
    let kept = ["captures", "colours", "first_start"];
    let others: Vec<&str> = OptionName::NAMES.iter().copied().filter(|name| !kept.contains(name)).collect();
    assert_eq!(names(Preset::CaptureFive), others.join(" "));
    for preset in [Preset::Pente, Preset::PenteSwap2, Preset::Gomoku] {
        assert_eq!(names(preset), "pass_start move_limit_s show_coordinates");
    }
    assert_eq!(names(Preset::Wuziqi), "board overline forbidden pass_start move_limit_s show_coordinates");
    assert_eq!(Preset::Wuziqi.offered(OptionName::Board), ["15", "19"]);
    assert_eq!(Preset::Wuziqi.offered(OptionName::Forbidden), ["none", "renju"]);
    assert!(!Preset::CaptureFive.offered(OptionName::Forbidden).contains(&"renju"));
}

#[test]
fn sides_lines_and_goals() {
    let cases = [
        ("capture-five", 2, 5, 10, "black white"),
        ("capture-five seats=3", 3, 4, 8, "black white blue"),
        ("capture-five seats=4", 4, 4, 8, "black white blue red"),
        ("capture-five seats=4 teams=true", 2, 5, 10, "black white"),
        ("pente", 2, 5, 10, "white black"),
        ("custom seats=4 colours=white-first", 4, 4, 8, "white black blue red"),
        ("custom seats=4 teams=true colours=white-first", 2, 5, 10, "white black"),
    ];
    for (text, sides, line, goal, colours) in cases {
        let rules = support::rules(text);
        let names: Vec<&str> = rules.colours().iter().map(|colour| colour.name()).collect();
        assert_eq!((rules.sides(), rules.line(), rules.goal()), (sides, line, goal), "{text}");
        assert_eq!(names.join(" "), colours, "{text}");
    }
}

/// The bytes are hashed by every device and kept on disk: a change of them is a new version.
#[test]
fn the_bytes_of_each_preset_stay_as_they_are() {
    let golden: [(&str, [u8; RULES_BYTES]); 7] = [
        ("capture-five", [1, 0, 2, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0]),
        ("pente", [1, 1, 3, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0]),
        ("pente-swap2", [1, 2, 3, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 4, 0, 0, 1, 0, 0]),
        ("gomoku", [1, 3, 2, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1]),
        ("wuziqi", [1, 4, 2, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0]),
        ("custom", [1, 5, 2, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0]),
        (
            "custom board=19 seats=4 teams=true overline=wins forced_capture=false capture_threes=true \
             into_flank=captured mixed_captures=false overtime=take forbidden=double-three-both colours=white-first \
             first_start=random pass_start=false move_limit_s=60 show_coordinates=true",
            [1, 5, 3, 2, 1, 1, 0, 0, 1, 1, 0, 2, 2, 0, 1, 1, 0, 2, 1],
        ),
    ];
    for (text, bytes) in golden {
        assert_eq!(support::rules(text).to_bytes(), bytes, "{text}");
        assert_eq!(Rules::from_bytes(&bytes), Ok(support::rules(text)));
    }
}

#[test]
fn bytes_are_canonical_and_checked() {
    let rules = support::rules("capture-five seats=4 teams=true overtime=take board=19");
    let bytes = rules.to_bytes();
    let with = |index: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[index] = byte;
        Rules::from_bytes(&bytes)
    };
    assert_eq!(Rules::from_bytes(&[]), Err(RulesBytesError::Length(0)));
    assert_eq!(Rules::from_bytes(&bytes[..bytes.len() - 1]), Err(RulesBytesError::Length(RULES_BYTES - 1)));
    assert_eq!(Rules::from_bytes(&[&bytes[..], &[0]].concat()), Err(RulesBytesError::Length(RULES_BYTES + 1)));
    assert_eq!(with(0, 2), Err(RulesBytesError::Version(2)));
    assert_eq!(with(1, 6), Err(RulesBytesError::Preset(6)));
    assert_eq!(with(2, 4), Err(RulesBytesError::Value(OptionName::Board, 4)));
    assert_eq!(with(3, 1), Err(RulesBytesError::Clash(Clash(OptionName::Teams, OptionName::Seats))), "three seats");
    // Another byte is no rules or other rules, at every place.
    for (index, &own) in bytes.iter().enumerate() {
        for byte in (0..=u8::MAX).filter(|&byte| byte != own) {
            assert_ne!(with(index, byte), Ok(rules));
        }
    }
}

#[test]
fn incoherent_rules_do_not_come_out_of_json() {
    let good = serde_json::to_string(&Rules::of(Preset::Pente)).expect("serialises");
    assert_eq!(serde_json::from_str::<Rules>(&good).expect("reads"), Rules::of(Preset::Pente));
    let bad =
        serde_json::to_string(&(Preset::Custom, Options { teams: true, ..Options::DEFAULT })).expect("serialises");
    let error = serde_json::from_str::<Rules>(&bad).expect_err("teams of two seats").to_string();
    assert!(error.contains("teams") && error.contains("seats"), "{error}");
}

#[test]
fn only_points_are_read_as_points() {
    for text in ["", "H", "8", "h8", "H08", "H0", "H-1", "H8 ", " H8", "T1", "A20", "H8x", "Ä1", "H٣"] {
        assert!(text.parse::<Point>().is_err(), "{text:?}");
    }
    for point in BoardSize::Nineteen.points() {
        assert_eq!(point.to_string().parse(), Ok(point));
    }
    for text in [r#"{"column":19,"row":0}"#, r#"{"column":0,"row":200}"#] {
        assert!(serde_json::from_str::<Point>(text).is_err(), "{text}");
    }
}

/// Each clash in the order of the page, with options that make it and no earlier one.
const CLASHES: [(&str, (&str, &str)); 16] = [
    ("teams=true seats=2", ("teams", "seats")),
    ("teams=true seats=3", ("teams", "seats")),
    ("opening=centre seats=3", ("opening", "seats")),
    ("opening=place-four seats=4", ("opening", "seats")),
    ("opening=place-three seats=4 teams=true", ("opening", "seats")),
    ("forbidden=renju seats=3 captures=off", ("forbidden", "seats")),
    ("forbidden=renju seats=4 teams=true captures=off", ("forbidden", "seats")),
    ("forbidden=double-three-first seats=4", ("forbidden", "seats")),
    ("forbidden=double-three-both seats=3", ("forbidden", "seats")),
    ("forbidden=renju colours=white-first captures=off", ("forbidden", "colours")),
    ("forbidden=renju captures=on", ("forbidden", "captures")),
    ("captures=off forced_capture=false", ("forced_capture", "captures")),
    ("captures=off capture_threes=true", ("capture_threes", "captures")),
    ("captures=off into_flank=captured", ("into_flank", "captures")),
    ("captures=off overtime=break", ("overtime", "captures")),
    ("captures=off overtime=take", ("overtime", "captures")),
];

/// Where several clash, the first on the page is named.
#[test]
fn of_several_clashes_the_first_on_the_page_is_named() {
    let mut pairs = 0;
    for (first, &(one, named)) in CLASHES.iter().enumerate() {
        assert_eq!(clash(&format!("custom {one}")), Some(named), "{one}");
        for &(other, _) in &CLASHES[first + 1..] {
            let settings: Vec<(&str, &str)> =
                one.split(' ').chain(other.split(' ')).filter_map(|word| word.split_once('=')).collect();
            let contradict = |(name, value): &(&str, &str)| settings.iter().any(|(n, v)| n == name && v != value);
            if settings.iter().any(contradict) {
                continue;
            }
            assert_eq!(clash(&format!("custom {one} {other}")), Some(named), "{one} and {other}");
            pairs += 1;
        }
    }
    assert!(pairs >= 50, "{pairs}");
}

/// What the sentence of the clash does not name is coherent.
#[test]
fn options_without_effect_do_not_clash() {
    for text in [
        "custom captures=off mixed_captures=false",
        "custom mixed_captures=false",
        "custom seats=4 teams=true mixed_captures=false",
        "custom captures=off forbidden=double-three-first",
        "custom forbidden=double-three-both colours=white-first",
        "custom seats=4 colours=white-first first_start=random pass_start=false",
        "custom opening=place-three forbidden=double-three-both into_flank=not-allowed overtime=take",
        "custom forbidden=renju captures=off opening=place-four",
        "custom board=9 seats=4",
    ] {
        assert_eq!(clash(text), None, "{text}");
    }
}

/// Any option may be set on any preset as far as it is coherent.
#[test]
fn any_preset_takes_any_coherent_option() {
    for preset in Preset::ALL {
        for name in OptionName::ALL {
            for value in name.values() {
                let mut on_preset = preset.options();
                on_preset.set(name.name(), value).expect("a value");
                assert_eq!(on_preset.check(preset).is_ok(), on_preset.check(Preset::Custom).is_ok());
            }
        }
    }
}
