//! Random beginnings, and random rules to play them by.

use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rules::{Action, Game, Must, OptionName, Point, Preset, Rules};

/// How far from the centre the first stone may lie, and the others, as a king moves.
const FIRST: u8 = 3;
const MIDDLE: u8 = 6;
/// How far from some stone the others may lie.
const NEAR: u8 = 2;

/// A game with so many stones placed at random near the middle and each other; fewer where colours are to be chosen, or
/// somebody has won.
pub fn near(rules: Rules, stones: u16, random: &mut StdRng) -> Game {
    let mut game = Game::new(rules);
    while game.ply() < stones && game.turn().is_some_and(|turn| turn.must == Must::Place) {
        let Some(&at) = points(&game).choose(random) else { break };
        game.play(&Action::place(at)).expect("it was legal");
    }
    game
}

/// Where the next stone may lie.
fn points(game: &Game) -> Vec<Point> {
    let board = game.rules().board();
    let legal = |at: &Point| game.stone(*at).is_none() && game.check(*at).is_ok();
    let stones: Vec<Point> = board.points().filter(|&at| game.stone(at).is_some()).collect();
    let away = |at: Point| stones.iter().map(|&stone| distance(at, stone)).min().unwrap_or(0);
    let reach = if stones.is_empty() { FIRST } else { MIDDLE };
    let all: Vec<Point> = board.points().filter(legal).collect();
    let inside: Vec<Point> = all.iter().copied().filter(|&at| distance(at, board.centre()) <= reach).collect();
    // The centre rules send the third stone further away than is near.
    let least = inside.iter().map(|&at| away(at)).min().unwrap_or(0).max(NEAR);
    let near: Vec<Point> = inside.into_iter().filter(|&at| away(at) <= least).collect();
    if near.is_empty() { all } else { near }
}

fn distance(point: Point, other: Point) -> u8 {
    point.column().abs_diff(other.column()).max(point.row().abs_diff(other.row()))
}

/// Rules with options drawn from those that the set-up screen offers for a preset, one after the other; a value that
/// clashes with those before it is left out.
pub fn rules(preset: Preset, seats: u8, teams: bool, random: &mut StdRng) -> Rules {
    let mut options = preset.options().for_seats(seats).0;
    options.teams = teams;
    let names = preset.changeable().into_iter().filter(|&name| matters(name));
    let options = options.drawn(preset, names, |count| random.random_range(0..count));
    options.check(preset).expect("each change was checked")
}

/// Whether an option is drawn: not how many play, nor what changes nothing in a game's course.
fn matters(name: OptionName) -> bool {
    match name {
        OptionName::Board
        | OptionName::Overline
        | OptionName::Captures
        | OptionName::ForcedCapture
        | OptionName::CaptureThrees
        | OptionName::IntoFlank
        | OptionName::MixedCaptures
        | OptionName::Overtime
        | OptionName::Forbidden
        | OptionName::Opening
        | OptionName::Colours => true,
        OptionName::Seats
        | OptionName::Teams
        | OptionName::FirstStart
        | OptionName::PassStart
        | OptionName::MoveLimit
        | OptionName::ShowCoordinates => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng;

    use super::*;

    #[test]
    fn rules_differ_and_keep_the_party() {
        for (seats, teams) in [(2, false), (3, false), (4, false), (4, true)] {
            let draw = |seed| rules(Preset::CaptureFive, seats, teams, &mut StdRng::seed_from_u64(seed));
            let all: Vec<Rules> = (0..20).map(draw).collect();
            assert!(all.iter().all(|rules| rules.options().seats == seats && rules.options().teams == teams));
            assert!(all.iter().all(|rules| rules.options().captures), "Capture Five is played with captures");
            let texts: BTreeSet<String> = all.iter().map(Rules::to_string).collect();
            assert!(texts.len() >= 18, "{texts:?}");
            assert_eq!(draw(3), draw(3));
        }
    }

    #[test]
    fn beginnings_are_legal_under_any_rules() {
        for seed in 0..60 {
            let mut random = StdRng::seed_from_u64(seed);
            let seats = 2 + (seed % 3) as u8;
            let rules = rules(Preset::Custom, seats, seats == 4 && seed % 2 == 0, &mut random);
            let game = near(rules, 6, &mut random);
            assert!(game.ply() == 6 || game.turn().is_none_or(|turn| turn.must != Must::Place), "{rules}");
        }
    }
}
