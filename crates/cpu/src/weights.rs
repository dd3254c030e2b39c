//! Positions of games against itself, to fit the weights of points on: what `weights/fit.py` reads, and whole games for
//! `weights/net.py`.

use rules::{Action, Colour, Game, Outcome, Point, Rules};

use crate::field::Field;
use crate::ground::{AXES, Ground};
use crate::mind::{Budget, LEVEL_MAX, Mind, Thought, WON};
use crate::mix;
use crate::shape::Shape;
use crate::spots::Spot;
use crate::threat::{Kind, Threat};

/// Stones of an opening: so many, and up to so many more.
const OPENING_LEAST: u64 = 2;
const OPENING_MORE: u64 = 8;
/// They lie in a square of five or seven points, whose middle is at most so far from the board's.
const OPENING_OFF: u64 = 3;
/// An opening is even where a search of so many positions finds neither side further ahead than this, in the unit of
/// [`crate::Thought::score`].
const EVEN_NODES: u64 = 3_000;
const EVEN: i32 = 250;
/// The side to move, and the other.
const WHOSE: [&str; 2] = ["mine", "theirs"];

/// What the numbers of a row mean, in order: how often each shape and each threat is on the empty points of the side to
/// move and of the other side, the stones that each could take and has taken, then the search's score (see
/// [`crate::Thought::score`]) and twice what the game brought, both for the side to move.
pub fn columns() -> Vec<String> {
    let of = |whose: &str| {
        let shapes = Shape::ALL.iter().map(move |shape| format!("{whose}.shape.{shape:?}"));
        shapes.chain(Threat::ALL.iter().map(move |threat| format!("{whose}.threat.{threat:?}"))).collect::<Vec<_>>()
    };
    let counts = WHOSE.iter().flat_map(|whose| of(whose));
    let captures = WHOSE.iter().flat_map(|whose| [format!("{whose}.takeable"), format!("{whose}.taken")]);
    counts.chain(captures).chain(["score".to_owned(), "result".to_owned()]).collect()
}

/// A row for each quiet position of one game of two sides: those in which nobody can complete a line, and the side to
/// move cannot make an open four. Both play as well as so many positions a move allow, and up to twice as many. `None`
/// where the opening that the seed gives is not even. The same seed gives the same game, if the mind is new.
///
/// # Panics
/// Where the rules are for three or four sides, or have an opening of their own.
pub fn game(mind: &mut Mind, rules: &Rules, nodes: u64, seed: u64) -> Option<Vec<Vec<i32>>> {
    let mut rows: Vec<(Colour, Vec<i32>)> = Vec::new();
    let ground = Ground::new(rules);
    let game = play(mind, rules, nodes, seed, &mut |game, thought| {
        let colour = game.turn().expect("a running game").colour;
        let side = ground.side_of(colour);
        rows.extend(counts(&ground, game, side).map(|counts| (colour, [counts, vec![thought.score]].concat())));
        true
    })?;
    Some(rows.into_iter().map(|(colour, row)| [row, vec![result(&game, colour)]].concat()).collect())
}

/// The same game as a line of numbers, without captures and up to the first forced win: twice what it brought the first
/// colour, its opening's stones, all stones, the points of the opening (counted by row, then column), and then for each
/// stone after it the point, the search's score and whether the position was quiet. `None` as for [`game`].
///
/// # Panics
/// As [`game`] does.
pub fn record(mind: &mut Mind, rules: &Rules, nodes: u64, seed: u64) -> Option<Vec<i32>> {
    let ground = Ground::new(rules);
    let mut told = Vec::new();
    let mut won = None;
    let game = play(mind, rules, nodes, seed, &mut |game, thought| {
        let side = ground.side_of(game.turn().expect("a running game").colour);
        told.extend([thought.score, i32::from(counts(&ground, game, side).is_some())]);
        if thought.score.abs() >= WON {
            won = Some(if thought.score > 0 { side } else { 1 - side });
        }
        won.is_none()
    })?;
    let spots = game.actions().iter().filter_map(|action| match action {
        Action::Place { at, .. } => Some(i32::from(ground.spot(*at))),
        Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => None,
    });
    let spots: Vec<i32> = spots.collect();
    let opening = spots.len() - told.len() / 2;
    let result = won.map_or_else(|| result(&game, ground.colours[0]), |side| if side == 0 { 2 } else { 0 });
    let mut line = vec![result, opening as i32, spots.len() as i32];
    line.extend(&spots[..opening]);
    for (spot, told) in spots[opening..].iter().zip(told.chunks(2)) {
        line.extend([*spot, told[0], told[1]]);
    }
    Some(line)
}

/// Twice what a game brought a colour.
fn result(game: &Game, colour: Colour) -> i32 {
    match game.result() {
        Some(Outcome::Win { winners, .. }) => 2 * i32::from(winners.contains(&colour)),
        Some(Outcome::Draw(_)) | None => 1,
    }
}

/// Plays one game from an even opening, and tells each position with what was thought of it, as long as that is wanted.
fn play(
    mind: &mut Mind,
    rules: &Rules,
    nodes: u64,
    seed: u64,
    told: &mut dyn FnMut(&Game, &Thought) -> bool,
) -> Option<Game> {
    let mut drawn = 0;
    let mut draw = |below: u64| {
        drawn += 1;
        mix(seed, drawn) % below
    };
    let mut game = opening(rules, &mut draw)?;
    let mut think =
        |game: &Game, nodes: u64| mind.think(game, &Budget { level: LEVEL_MAX, nodes, seed }, &mut || false);
    if think(&game, EVEN_NODES).score.abs() > EVEN {
        return None;
    }
    while game.turn().is_some() {
        let thought = think(&game, nodes + draw(nodes.max(1)));
        let goes_on = told(&game, &thought);
        game.play(&thought.action).expect("the CPU's action is legal");
        if !goes_on {
            break;
        }
    }
    Some(game)
}

/// Stones at random, close to each other; `None` where they end the game, or there is no room for them.
fn opening(rules: &Rules, draw: &mut dyn FnMut(u64) -> u64) -> Option<Game> {
    let mut game = Game::new(*rules);
    let centre = rules.board().centre();
    let stones = OPENING_LEAST + draw(OPENING_MORE);
    let half = 2 + draw(2);
    let mut off = |most: u64| draw(2 * most + 1) as i16 - most as i16;
    let middle = (i16::from(centre.column()) + off(OPENING_OFF), i16::from(centre.row()) + off(OPENING_OFF));
    // Points that are taken or forbidden are drawn again, but not for ever.
    for _ in 0..8 * stones {
        if game.result().is_some() || u64::from(game.ply()) == stones {
            break;
        }
        let (column, row) = (middle.0 + off(half), middle.1 + off(half));
        let point = u8::try_from(column).ok().zip(u8::try_from(row).ok()).and_then(|(c, r)| Point::new(c, r));
        if let Some(at) = point.filter(|&at| rules.board().contains(at)) {
            // What is refused changes nothing.
            let _ = game.play(&Action::place(at));
        }
    }
    (game.result().is_none() && u64::from(game.ply()) == stones).then_some(game)
}

/// The counts of a quiet position; `None` where it is not quiet.
fn counts(ground: &Ground, game: &Game, side: usize) -> Option<Vec<i32>> {
    let field = Field::<2, 1>::of(ground, game);
    let loud = [(0, Kind::Five), (1, Kind::Five), (side, Kind::Ways)];
    if loud.iter().any(|&(side, kind)| !field.kind(side, kind).is_empty()) {
        return None;
    }
    let mut row = Vec::new();
    for side in [side, 1 - side] {
        let mut shapes = [0; Shape::ALL.len()];
        let mut threats = [0; Threat::ALL.len()];
        for spot in (0..ground.spots as Spot).filter(|&spot| field.is_empty(spot)) {
            let of_point = field.shapes(side, spot);
            (0..AXES).for_each(|axis| shapes[Shape::of(of_point >> (4 * axis)).index()] += 1);
            threats[field.threat(ground, side, spot) as usize] += 1;
        }
        row.extend(shapes);
        row.extend(threats);
    }
    for side in [side, 1 - side] {
        row.extend([field.takeable(side), game.captured(ground.colours[side])].map(i32::from));
    }
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_gives_rows_that_mean_what_the_columns_say() {
        for text in ["gomoku", "pente opening=none"] {
            let rules: Rules = text.parse().expect("rules");
            let games = |seeds: std::ops::Range<u64>| -> Vec<Vec<i32>> {
                seeds.filter_map(|seed| game(&mut Mind::new(1 << 20), &rules, 60, seed)).flatten().collect()
            };
            let rows = games(0..6);
            let names = columns();
            assert!(!rows.is_empty() && rows == games(0..6));
            let sum = |row: &[i32], begin: &str| -> i32 {
                let chosen = names.iter().zip(row).filter(|(name, _)| name.starts_with(begin));
                chosen.map(|(_, count)| count).sum()
            };
            for row in &rows {
                assert_eq!(row.len(), names.len());
                // Each empty point has a threat, and a shape on each axis.
                for whose in WHOSE {
                    let points = sum(row, &format!("{whose}.threat"));
                    assert!(points > 0 && sum(row, &format!("{whose}.shape")) == 4 * points);
                    assert_eq!(sum(row, &format!("{whose}.threat.Five")), 0);
                }
                assert!((0..=2).contains(&sum(row, "result")));
                assert!(text != "gomoku" || sum(row, "mine.take") + sum(row, "theirs.take") == 0);
            }
        }
    }

    #[test]
    fn a_whole_game_is_told_up_to_its_first_forced_win() {
        let rules: Rules = "gomoku".parse().expect("rules");
        let lines: Vec<Vec<i32>> =
            (0..6).filter_map(|seed| record(&mut Mind::new(1 << 20), &rules, 60, seed)).collect();
        assert!(!lines.is_empty());
        for line in lines {
            let (result, opening, stones) = (line[0], line[1] as usize, line[2] as usize);
            assert_eq!(line.len(), 3 + opening + 3 * (stones - opening));
            let mut game = Game::new(rules);
            let told = line[3 + opening..].chunks(3);
            let spots = line[3..3 + opening].iter().copied().chain(told.clone().map(|told| told[0]));
            let ground = Ground::new(&rules);
            for spot in spots {
                assert!(game.result().is_none());
                game.play(&Action::place(ground.point(spot as Spot))).expect("a legal stone");
            }
            let last = told.clone().last().expect("a stone");
            let is_first = stones % 2 == 1;
            if last[1].abs() >= WON {
                assert_eq!(result == 2, (last[1] > 0) == is_first);
            }
            let before = told.clone().take(stones - opening - 1);
            assert!(before.clone().all(|told| told[1].abs() < WON && (0..=1).contains(&told[2])));
        }
    }
}
