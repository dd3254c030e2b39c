//! Where to put a stone: every near point is played on the real rules, and what the enemies could answer is counted.
//!
//! The order of concern is that of any player: win; let nobody win next; make two threats at once; let nobody make
//! two threats at once; then captures, own pairs in danger, and the shape of the lines.

use rules::{Action, Colour, Game, Group, Outcome, Point, Take};

use crate::mix;
use crate::picture::{Cell, Picture, cell};

/// A won game; a shared win is worth less, but more than any position.
const WIN: i64 = 1_000_000_000;
const SHARED_WIN: i64 = 500_000_000;
/// An enemy wins with the next stone (the next player is the surest to do it).
const ENEMY_WINS_NEXT: i64 = -100_000_000;
const ENEMY_WINS_LATER: i64 = -60_000_000;
/// Two own winning points that no enemy win comes before.
const TWO_THREATS: i64 = 10_000_000;
/// An enemy could make two winning points with one stone.
const ENEMY_TWO_THREATS: i64 = -2_000_000;
/// One own winning point: it forces an answer, little more.
const ONE_THREAT: i64 = 900;

/// A candidate and what is known of it without playing.
struct Candidate {
    point: Point,
    first_look: i64,
}

/// The best stone found; the first look alone where there was no time for more.
pub fn best(game: &Game, seed: u64, stop: &mut dyn FnMut() -> bool) -> Action {
    let picture = Picture::new(game);
    let candidates = candidates(game, &picture, seed);
    let mut best: Option<(i64, Action)> = None;
    for candidate in &candidates {
        for action in ways(game, candidate.point) {
            let Some(score) = judge(game, &picture, &action, candidate.first_look) else { continue };
            if best.as_ref().is_none_or(|(best, _)| score > *best) {
                best = Some((score, action));
            }
        }
        if best.is_some() && stop() {
            break;
        }
    }
    best.expect("a running game has a legal point").1
}

/// The legal points worth a look, the most promising first. All legal points where no near one is legal.
fn candidates(game: &Game, picture: &Picture, seed: u64) -> Vec<Candidate> {
    let board = game.rules().board();
    let near = picture.near();
    let mut worth_a_look = vec![false; near.iter().copied().max().map_or(0, |last| last + 1)];
    for at in near {
        worth_a_look[at] = true;
    }
    let legal = |point: &Point| game.stone(*point).is_none() && game.check(*point).is_ok();
    let is_near = |point: &Point| worth_a_look.get(cell(*point)).copied().unwrap_or(false);
    let mut points: Vec<Point> = board.points().filter(|point| is_near(point) && legal(point)).collect();
    if points.is_empty() {
        points = from_the_centre(game).into_iter().filter(legal).collect();
    }
    let mover = game.turn().map_or(Colour::Black, |turn| turn.colour);
    let mut candidates: Vec<Candidate> = points
        .into_iter()
        .map(|point| Candidate { point, first_look: first_look(picture, mover, point, seed) })
        .collect();
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.first_look));
    candidates
}

/// Every point, the nearest to the centre first.
fn from_the_centre(game: &Game) -> Vec<Point> {
    let board = game.rules().board();
    let mut points: Vec<Point> = board.points().collect();
    points.sort_by_key(|point| from_centre(game, *point));
    points
}

fn from_centre(game: &Game, point: Point) -> u8 {
    let centre = game.rules().board().centre();
    point.column().abs_diff(centre.column()).max(point.row().abs_diff(centre.row()))
}

/// What a point is worth for lines, the mover's own and the enemies', before anything is played.
fn first_look(picture: &Picture, mover: Colour, point: Point, seed: u64) -> i64 {
    let at = cell(point);
    let own = i64::from(picture.worth(mover, at));
    let enemy = picture
        .colours
        .iter()
        .filter(|&&colour| colour != mover)
        .map(|&colour| i64::from(picture.worth(colour, at)))
        .max()
        .unwrap_or(0);
    // Equals are told apart by the seed, in a span that changes no order of unequal ones worth telling apart.
    own + enemy * 9 / 10 + (mix(seed, at as u64) % 8) as i64
}

/// The ways to play a stone here: with everything it takes and, where taking is free, also with nothing.
fn ways(game: &Game, point: Point) -> Vec<Action> {
    let all = Action::place(point);
    let optional = game.rules().options().captures && !game.rules().options().forced_capture;
    if optional && !game.groups(point).is_empty() {
        let none: Vec<Group> = Vec::new();
        return vec![all, Action::Place { at: point, take: Take::Just(none) }];
    }
    vec![all]
}

/// The worth of an action; `None` if the rules refuse it.
fn judge(game: &Game, before: &Picture, action: &Action, first_look: i64) -> Option<i64> {
    let mover = game.turn()?.colour;
    let mut after = game.clone();
    let played = after.play(action).ok()?;
    if let Some(outcome) = after.result() {
        return Some(worth_of_end(outcome, mover) + first_look);
    }
    let picture = Picture::new(&after);
    let mut score = first_look - from_centre_cost(game, action);
    for &colour in &picture.colours {
        let gained = i64::from(picture.captured[colour.index()] - before.captured[colour.index()]);
        let worth = count_worth(picture.captured[colour.index()], game) * gained;
        score += if colour == mover { worth } else { -worth };
    }
    let enemy = enemies(&after, &picture, mover);
    score += enemy.score;
    score += own_threats(&picture, mover, action, enemy.wins);
    score -= in_danger(&picture, mover, game);
    debug_assert!(played.player == game.turn()?.player);
    Some(score)
}

fn worth_of_end(outcome: &Outcome, mover: Colour) -> i64 {
    match outcome {
        Outcome::Win { winners, .. } if !winners.contains(&mover) => -WIN,
        Outcome::Win { winners, .. } if winners.len() > 1 => SHARED_WIN,
        Outcome::Win { .. } => WIN,
        Outcome::Draw(_) => 0,
    }
}

/// On an open board the middle is worth a little.
fn from_centre_cost(game: &Game, action: &Action) -> i64 {
    match action {
        Action::Place { at, .. } => i64::from(from_centre(game, *at)),
        Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => 0,
    }
}

/// What each stone is worth to the side that takes it: more and more toward the goal.
fn count_worth(captured: u16, game: &Game) -> i64 {
    let goal = i64::from(game.rules().goal()).max(1);
    250 + 1_200 * i64::from(captured).pow(2) / (goal * goal)
}

struct Enemies {
    score: i64,
    /// Some enemy can win with its next stone.
    wins: bool,
}

/// What the enemies could do next on the board as it now stands.
fn enemies(after: &Game, picture: &Picture, mover: Colour) -> Enemies {
    let near = picture.near();
    let next = after.turn().map(|turn| turn.colour);
    let mut found = Enemies { score: 0, wins: false };
    for &colour in picture.colours.iter().filter(|&&colour| colour != mover) {
        let winning: Vec<Cell> = near.iter().copied().filter(|&at| picture.wins(colour, at)).collect();
        let sure = if next == Some(colour) { wins_by_the_rules(after, &winning) } else { winning.len() };
        if sure > 0 {
            let each = if next == Some(colour) { ENEMY_WINS_NEXT } else { ENEMY_WINS_LATER };
            // More winning points are worse: the one after this one may still stop one of them.
            found.score += each - sure as i64 * 1_000;
            found.wins = true;
        } else if two_threats(picture, colour, &near) {
            found.score += ENEMY_TWO_THREATS;
        }
    }
    found
}

/// How many of these cells really win for the player to act: fouls, overtime and other conditions included.
fn wins_by_the_rules(game: &Game, cells: &[Cell]) -> usize {
    let wins = |point: &Point| {
        let mut after = game.clone();
        after.play(&Action::place(*point)).is_ok()
            && matches!(after.result(), Some(Outcome::Win { .. }))
            // A line that waits for the next player's move is as good as a win unless it is answered.
            || after.overtime().is_some()
    };
    game.rules().board().points().filter(|point| cells.contains(&cell(*point))).filter(wins).count()
}

/// Whether one stone of this colour would make two winning points.
fn two_threats(picture: &Picture, colour: Colour, near: &[Cell]) -> bool {
    let mut trial = picture.clone();
    near.iter().any(|&at| {
        trial.put(at, colour);
        let threats = trial.winning_around(colour, at);
        trial.clear(at);
        threats >= 2
    })
}

/// The mover's own winning points around the new stone.
fn own_threats(picture: &Picture, mover: Colour, action: &Action, enemy_wins: bool) -> i64 {
    let Action::Place { at, .. } = action else { return 0 };
    match picture.winning_around(mover, cell(*at)) {
        0 => 0,
        1 => ONE_THREAT,
        _ if enemy_wins => ONE_THREAT,
        _ => TWO_THREATS,
    }
}

/// What the enemies could take from the board as it stands, beyond what the mover could take next.
fn in_danger(picture: &Picture, mover: Colour, game: &Game) -> i64 {
    let mut danger = 0;
    for at in picture.near() {
        for &colour in &picture.colours {
            let takes = i64::from(picture.takes(colour, at));
            let worth = takes * count_worth(picture.captured[colour.index()] + takes as u16, game);
            danger += if colour == mover { -worth / 4 } else { worth };
        }
    }
    danger
}
