//! Where captures are optional, what is better left is left, and nothing else is.

use cpu::{Budget, LEVEL_MAX, Mind};
use rules::example::at;
use rules::{Action, Colour, Game, Group, Rules, Setup, Take};

const NODES: u64 = 20_000;

/// A position with black to move, of stones as text.
fn position(rules: &str, black: &str, white: &str) -> Game {
    let rules: Rules = rules.parse().expect("rules");
    let of = |text: &str, colour: Colour| text.split_whitespace().map(|text| (at(text), colour)).collect::<Vec<_>>();
    let stones = [of(black, Colour::Black), of(white, Colour::White)].concat();
    Game::from_setup(&Setup::new(rules, stones, Colour::Black)).expect("a position")
}

fn chosen(game: &Game) -> Action {
    let budget = Budget { level: LEVEL_MAX, nodes: NODES, seed: 1 };
    Mind::new(1 << 20).think(game, &budget, &mut || false).action
}

/// For two sides, and in teams.
fn check(more: &str, black: &str, white: &str, point: &str, groups: Option<&[&str]>) {
    for rules in ["custom forced_capture=false", "custom seats=4 teams=true forced_capture=false"] {
        let game = position(&format!("{rules} {more}"), black, white);
        let group = |text: &&str| Group(text.split_whitespace().map(at).collect());
        let take = groups.map_or(Take::All, |groups| Take::Just(groups.iter().map(group).collect()));
        assert_eq!(chosen(&game), Action::Place { at: at(point), take }, "{rules}: {}", game.to_text());
    }
}

/// White's six on row 5 would be cut to five by the capture of H5 and H6 from H7, where black has to stop white's four.
#[test]
fn a_six_is_not_cut_to_five() {
    let (black, white) = ("H4 C7", "C5 D5 E5 F5 G5 H5 H6 D7 E7 F7 G7");
    check("overline=no-win", black, white, "H7", Some(&[]));
    // Where six win as well there is no six; and a row of four is none to be cut.
    check("overline=no-win", black, "D5 E5 H5 H6 D7 E7 F7 G7", "H7", None);
}

/// Of two groups only the one is left whose stone makes the six too long.
#[test]
fn the_other_group_is_taken_all_the_same() {
    let (black, white) = ("H4 C7 K7", "C5 D5 E5 F5 G5 H5 H6 D7 E7 F7 G7 I7 J7");
    check("overline=no-win", black, white, "H7", Some(&["I7 J7"]));
}

/// Black's five wins alone only if the capture is left that makes white's six a five as well.
#[test]
fn a_win_alone_is_better_than_a_draw() {
    let (black, white) = ("H4 D7 E7 F7 G7", "C5 D5 E5 F5 G5 H5 H6 C7");
    check("overline=no-win", black, white, "H7", Some(&[]));
}

/// A capture that breaks an open four is taken.
#[test]
fn what_is_better_taken_is_taken() {
    check("overline=wins", "G9 A1 A3", "G7 G8 D8 E8 F8 K1 K3", "G6", None);
}

/// Analysis says what the best move takes, too.
#[test]
fn lines_say_what_is_taken() {
    let game = position("custom forced_capture=false overline=no-win", "H4 C7", "C5 D5 E5 F5 G5 H5 H6 D7 E7 F7 G7");
    let budget = Budget { level: LEVEL_MAX, nodes: NODES, seed: 1 };
    let lines = Mind::new(1 << 20).analyse(&game, 1, &budget, &mut || false, &mut |_| {});
    assert_eq!((lines[0].at, &lines[0].take), (at("H7"), &Take::Just(Vec::new())));
}
