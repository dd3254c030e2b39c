//! Random options, coherent or not, biased to what a style needs.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

use super::style::Style;

/// How often an option is left to the preset.
const LEFT_OUT: f64 = 0.07;

/// How often options of which one rules out the other are put right. Those left wrong show the clashes.
const MENDED: f64 = 0.9;

/// A `rules` object.
pub fn random(rng: &mut ChaCha8Rng, style: Style) -> Value {
    let mut rules = Map::new();
    let preset = *pick(
        rng,
        &[(6, "custom"), (4, "capture-five"), (1, "pente"), (1, "pente-swap2"), (1, "gomoku"), (1, "wuziqi")],
    );
    set(&mut rules, "preset", json!(preset));
    choose(rng, &mut rules);
    need(rng, &mut rules, style);
    if rng.random_bool(MENDED) {
        mend(&mut rules);
    }
    let kept = |rng: &mut ChaCha8Rng, name: &str| name == "preset" || !rng.random_bool(LEFT_OUT);
    rules.into_iter().filter(|(name, _)| kept(rng, name)).collect::<Map<_, _>>().into()
}

fn choose(rng: &mut ChaCha8Rng, rules: &mut Map<String, Value>) {
    let (seats, teams) = *pick(rng, &[(10, (2, false)), (5, (3, false)), (4, (4, false)), (3, (4, true))]);
    set(rules, "board", json!(pick(rng, &[(9, 9), (5, 13), (4, 15), (2, 19)])));
    set(rules, "seats", json!(seats));
    set(rules, "teams", json!(teams != rng.random_bool(0.01)));
    set(rules, "overline", json!(pick(rng, &[(1, "no-win"), (1, "wins")])));
    set(rules, "captures", json!(pick(rng, &[(4, "on"), (1, "off")])));
    set(rules, "forced_capture", json!(rng.random_bool(0.6)));
    set(rules, "capture_threes", json!(rng.random_bool(0.4)));
    set(rules, "into_flank", json!(pick(rng, &[(4, "nothing"), (4, "captured"), (2, "not-allowed")])));
    set(rules, "mixed_captures", json!(rng.random_bool(0.6)));
    set(rules, "overtime", json!(pick(rng, &[(2, "none"), (2, "break"), (2, "take")])));
    let forbidden = [(4, "none"), (2, "double-three-first"), (2, "double-three-both"), (1, "renju")];
    set(rules, "forbidden", json!(pick(rng, &forbidden)));
    let opening = [(8, "none"), (1, "centre"), (1, "centre-far"), (2, "place-four"), (3, "place-three")];
    set(rules, "opening", json!(pick(rng, &opening)));
    set(rules, "colours", json!(pick(rng, &[(3, "black-first"), (1, "white-first")])));
    set(rules, "first_start", json!(pick(rng, &[(1, "first-seat"), (1, "random")])));
    set(rules, "pass_start", json!(rng.random_bool(0.5)));
    set(rules, "show_coordinates", json!(rng.random_bool(0.5)));
    set(rules, "move_limit_s", [json!(null), json!("none"), json!(30), json!(60)].choose(rng).expect("four").clone());
}

/// What the style is about.
fn need(rng: &mut ChaCha8Rng, rules: &mut Map<String, Value>, style: Style) {
    let small = |rng: &mut ChaCha8Rng| json!(pick(rng, &[(6, 9), (1, 13)]));
    match style {
        Style::Free | Style::Stars => {}
        Style::Renju => {
            set(rules, "forbidden", json!("renju"));
            set(rules, "seats", json!(2));
            set(rules, "captures", json!("off"));
        }
        Style::DoubleThrees => {
            set(rules, "forbidden", json!(pick(rng, &[(1, "double-three-first"), (2, "double-three-both")])));
            set(rules, "seats", json!(pick(rng, &[(3, 2), (1, 4)])));
        }
        Style::Trims => {
            set(rules, "captures", json!("on"));
            set(rules, "overline", json!("no-win"));
            set(rules, "preset", json!("custom"));
            set(rules, "seats", json!(pick(rng, &[(2, 2), (3, 3), (4, 4)])));
            set(rules, "board", json!(pick(rng, &[(2, 9), (3, 13), (3, 15), (1, 19)])));
            if rng.random_bool(0.9) {
                set(rules, "teams", json!(false));
            }
        }
        Style::Claims => {
            set(rules, "captures", json!("on"));
            set(rules, "overtime", json!(pick(rng, &[(1, "break"), (1, "take")])));
            set(rules, "into_flank", json!(pick(rng, &[(3, "nothing"), (6, "captured"), (1, "not-allowed")])));
            set(rules, "board", json!(pick(rng, &[(1, 9), (4, 13), (3, 15), (1, 19)])));
        }
        Style::Flanks => {
            set(rules, "captures", json!("on"));
            set(rules, "into_flank", json!(pick(rng, &[(5, "captured"), (1, "not-allowed")])));
            set(rules, "seats", json!(pick(rng, &[(2, 2), (1, 3), (3, 4)])));
        }
        Style::Fill => {
            set(rules, "captures", json!(pick(rng, &[(1, "on"), (3, "off")])));
            set(rules, "board", small(rng));
        }
        Style::FillFlanks => {
            set(rules, "captures", json!("on"));
            set(rules, "into_flank", json!("not-allowed"));
            set(rules, "board", json!(9));
        }
        Style::FillRenju => {
            set(rules, "forbidden", json!("renju"));
            set(rules, "seats", json!(2));
            set(rules, "captures", json!("off"));
            set(rules, "overline", json!("no-win"));
            set(rules, "opening", json!("none"));
            set(rules, "board", json!(9));
        }
    }
    if rules["seats"] == 4 && rules["forbidden"] != "none" {
        set(rules, "teams", json!(true));
    }
}

/// Puts back what clashes.
fn mend(rules: &mut Map<String, Value>) {
    if rules["seats"] != 4 {
        set(rules, "teams", json!(false));
    }
    if rules["seats"] != 2 {
        set(rules, "opening", json!("none"));
    }
    let two_sides = rules["seats"] == 2 || rules["teams"] == true;
    if !two_sides || (rules["forbidden"] == "renju" && rules["seats"] != 2) {
        set(rules, "forbidden", json!("none"));
    }
    if rules["forbidden"] == "renju" {
        set(rules, "colours", json!("black-first"));
        set(rules, "captures", json!("off"));
    }
    if rules["captures"] == "off" {
        set(rules, "forced_capture", json!(true));
        set(rules, "capture_threes", json!(false));
        set(rules, "into_flank", json!("nothing"));
        set(rules, "overtime", json!("none"));
    }
}

fn set(rules: &mut Map<String, Value>, name: &str, value: Value) {
    rules.insert(name.to_owned(), value);
}

/// One of some things, each as likely as its weight says.
pub fn pick<'a, T>(rng: &mut ChaCha8Rng, things: &'a [(u32, T)]) -> &'a T {
    &things.choose_weighted(rng, |(weight, _)| *weight).expect("some weight is above zero").1
}
