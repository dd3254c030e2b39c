//! What the fuzz targets do with an input. The targets in `tests/fuzz` call these functions with any bytes; a test
//! replays the inputs that were worth keeping. A function returns on every input; what should hold is asserted.

pub mod devices;

use std::collections::BTreeMap;
use std::io::{self, Write};

use c5::referee;
use rules::notation::TEXT_BYTES_MAX;
use rules::{Game, Rules, Setup};
use serde_json::Value;
use serde_json::value::RawValue;

/// Something that reads what others wrote.
pub struct Target {
    /// As in `cargo fuzz run NAME`, and the corpus' folder.
    pub name: &'static str,
    pub run: fn(&[u8]),
    /// Bytes that are allocated at once at most, for inputs up to [`INPUT_BYTES_MAX`].
    pub allocated_bytes_max: usize,
}

/// Bytes in an input for which the bounds are stated: the longest line that is read, and more than the longest text.
pub const INPUT_BYTES_MAX: usize = referee::LINE_BYTES_MAX;

const MIB: usize = 1 << 20;

/// Every target.
pub const TARGETS: [Target; 10] = [
    Target { name: "referee", run: referee, allocated_bytes_max: 16 * MIB },
    Target { name: "options", run: options, allocated_bytes_max: 2 * MIB },
    Target { name: "game_text", run: game_text, allocated_bytes_max: MIB },
    Target { name: "setup_text", run: setup_text, allocated_bytes_max: MIB },
    Target { name: "greetings", run: net::fuzz::greetings, allocated_bytes_max: 4 * MIB },
    Target { name: "invite", run: net::fuzz::invite, allocated_bytes_max: MIB },
    Target { name: "message", run: devices::message, allocated_bytes_max: 2 * MIB },
    Target { name: "journal", run: devices::journal, allocated_bytes_max: 32 * MIB },
    Target { name: "table", run: devices::table, allocated_bytes_max: 32 * MIB },
    Target { name: "lines", run: devices::lines, allocated_bytes_max: 4 * MIB },
];

/// `c5 referee`: each line that is not blank has one answer, with the line's `id` exactly as it was. Rules and
/// actions that are understood mean the same when they are written anew.
pub fn referee(input: &[u8]) {
    let text = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
    let mut lines = text.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let answers = EachLine {
        line: Vec::new(),
        check: |answer: &[u8]| check_answer(lines.next().expect("no answer without a line"), answer),
    };
    referee::run(input, answers).expect("reading and checking cannot fail");
    assert_eq!(lines.next(), None, "an answer for each line");
}

/// Gives each line that is written to it to `check`, so that answers need not be kept.
struct EachLine<F> {
    line: Vec<u8>,
    check: F,
}

impl<F: FnMut(&[u8])> Write for EachLine<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                (self.check)(&self.line);
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        assert!(self.line.is_empty(), "what is flushed is whole lines");
        Ok(())
    }
}

type Fields<'a> = BTreeMap<String, &'a RawValue>;

fn check_answer(line: &[u8], answer: &[u8]) {
    let answer: Fields = serde_json::from_slice(answer).expect("an answer is an object");
    if line.len() > referee::LINE_BYTES_MAX {
        return;
    }
    let Ok(request) = serde_json::from_slice::<Fields>(line) else { return };
    assert_eq!(answer.get("id").map(|id| id.get()), request.get("id").map(|id| id.get()));
    if answer["ok"].get() == "true" {
        ask_again(request["rules"], request["actions"], &answer);
    }
}

/// A request that was understood, written as the product itself writes it, has the same answer.
fn ask_again(rules: &RawValue, actions: &RawValue, answer: &Fields) {
    let rules: Value = serde_json::from_str(rules.get()).expect("it was understood");
    let actions: Vec<Value> = serde_json::from_str(actions.get()).expect("it was understood");
    let rules = referee::rules_from_json(&rules).expect("it was understood");
    let mut game = Game::new(rules);
    for action in &actions {
        let asked = referee::action_from_json(action).expect("it was understood");
        game.play(&asked.action(&game).expect("it was legal")).expect("it was legal");
    }
    let actions: Vec<Value> = game.actions().iter().map(referee::action_to_json).collect();
    let request = serde_json::json!({ "rules": referee::rules_to_json(&rules), "actions": actions });
    let mut output = Vec::new();
    referee::run(request.to_string().as_bytes(), &mut output).expect("reading and writing memory cannot fail");
    let again: Fields = serde_json::from_slice(&output).expect("an answer is an object");
    let without_id = answer.iter().filter(|(name, _)| *name != "id");
    assert!(
        without_id.map(|(name, value)| (name, value.get())).eq(again.iter().map(|(name, value)| (name, value.get())))
    );
    games_agree(&Game::from_text(&game.to_text()).expect("what was written can be read"), &game);
}

/// Rules as bytes, as the referee's JSON, as serde's JSON and as text: what is read comes back the same from each of
/// them, and bytes have one form.
pub fn options(input: &[u8]) {
    let of_bytes = Rules::from_bytes(input);
    if let Ok(rules) = of_bytes {
        assert_eq!(rules.to_bytes(), input);
    }
    let of_text = std::str::from_utf8(input).ok().and_then(|text| text.parse::<Rules>().ok());
    // Whoever reads JSON bounds it before.
    let json = if input.len() <= referee::VALUE_BYTES_MAX { input } else { b"" };
    let of_json = serde_json::from_slice::<Value>(json).ok().and_then(|value| referee::rules_from_json(&value).ok());
    let of_serde = serde_json::from_slice::<Rules>(json).ok();
    for rules in of_bytes.ok().into_iter().chain(of_text).chain(of_json).chain(of_serde) {
        assert_eq!(Rules::from_bytes(&rules.to_bytes()), Ok(rules));
        assert_eq!(referee::rules_from_json(&referee::rules_to_json(&rules)), Ok(rules));
        assert_eq!(rules.to_string().parse(), Ok(rules));
        let json = serde_json::to_string(&rules).expect("rules can be written");
        assert_eq!(serde_json::from_str::<Rules>(&json).expect("what was written can be read"), rules);
        assert_eq!(rules.options().check(rules.preset()), Ok(rules));
    }
}

/// A game's text: what is read is written in one form, and read again is the same game.
pub fn game_text(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let Ok(mut game) = Game::from_text(text) else { return };
    let written = game.to_text();
    assert!(written.len() <= TEXT_BYTES_MAX);
    let again = Game::from_text(&written).expect("what was written can be read");
    games_agree(&again, &game);
    assert_eq!(again.to_text(), written);
    while game.undo() {}
    let start = game.setup().map_or_else(|| Ok(Game::new(*game.rules())), Game::from_setup);
    assert_eq!(start.expect("it was a start").state_bytes(), game.state_bytes());
}

fn games_agree(a: &Game, b: &Game) {
    assert_eq!((a.rules(), a.setup(), a.actions()), (b.rules(), b.setup(), b.actions()));
    assert_eq!((a.state_bytes(), a.hash(), a.result()), (b.state_bytes(), b.hash(), b.result()));
}

/// A setup's text: what is read comes back the same. If it is a position, the position's own setup is the same
/// position, from which every empty point is either legal or refused for a reason.
pub fn setup_text(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let Ok(setup) = text.parse::<Setup>() else { return };
    assert_eq!(setup.to_string().parse(), Ok(setup.clone()));
    let Ok(game) = Game::from_setup(&setup) else {
        assert!(Game::from_text(text).is_err());
        return;
    };
    let own = game.to_setup().expect("a game that goes on");
    assert_eq!(game.setup(), Some(&own));
    games_agree(&Game::from_setup(&own).expect("it is a position"), &game);
    games_agree(&Game::from_text(&own.to_string()).expect("what was written can be read"), &game);
    for at in game.rules().board().points() {
        let mut after = game.clone();
        if after.place(at).is_ok() {
            assert!(game.check(at).is_ok() && after.undo());
            games_agree(&after, &game);
        } else {
            assert_eq!(after.state_bytes(), game.state_bytes());
        }
    }
}
