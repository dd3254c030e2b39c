//! In any position of any preset: the CPU wins at once if it can, and otherwise lets the next player win at once only
//! if no move at all prevents it. Every legal move is tried on the real rules to know.

use cpu::{Budget, LEVEL_MAX, Mind, think};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rules::{Action, Colour, Game, Must, Outcome, Point, Preset, Rules};

const SEED: u64 = 11;
/// Positions that the CPU looks at.
const NODES: u64 = 2_000;
/// Random games looked at for each set of rules, and the span of stones after which the CPU is asked.
const GAMES: u64 = 40;
const STONES: std::ops::Range<u64> = 8..40;

fn legal(game: &Game) -> Vec<Point> {
    let free = |at: &Point| game.stone(*at).is_none() && game.check(*at).is_ok();
    game.rules().board().points().filter(free).collect()
}

fn after(game: &Game, at: Point) -> Game {
    let mut after = game.clone();
    after.play(&Action::place(at)).expect("legal");
    after
}

fn won_by(game: &Game, colour: Colour) -> bool {
    matches!(game.result(), Some(Outcome::Win { winners, .. }) if winners.contains(&colour))
}

/// Whether the player to act can win with one stone.
fn can_win(game: &Game) -> bool {
    game.turn().is_some_and(|turn| legal(game).into_iter().any(|at| won_by(&after(game, at), turn.colour)))
}

/// A position after some stones, most of them put beside others so that lines and captures come about.
fn position(rules: Rules, seed: u64) -> Option<Game> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Game::new(rules);
    let stones = STONES.start + seed % (STONES.end - STONES.start);
    for stone in 0..stones {
        let must = game.turn()?.must;
        if must != Must::Place {
            game.play(&Action::Choose(Colour::White)).expect("a choice");
            continue;
        }
        // A careless player: often the CPU's own idea for the other side is left undone.
        if stone % 3 == 0 && stone > 3 {
            game.play(&think(&game, 1, seed, &mut || false)).expect("legal");
            continue;
        }
        let near: Vec<Point> = legal(&game).into_iter().filter(|at| beside_a_stone(&game, *at)).collect();
        let points = if near.is_empty() { legal(&game) } else { near };
        game.play(&Action::place(*points.choose(&mut rng)?)).expect("legal");
    }
    game.turn().is_some_and(|turn| turn.must == Must::Place).then_some(game)
}

fn beside_a_stone(game: &Game, at: Point) -> bool {
    let board = game.rules().board();
    let near = |other: &Point| at.column().abs_diff(other.column()).max(at.row().abs_diff(other.row())) == 1;
    board.points().any(|other| near(&other) && game.stone(other).is_some())
}

/// How often there was a win to take, and one to stop.
fn check(rules: Rules) -> (u32, u32) {
    let (mut won, mut stopped) = (0, 0);
    for game in (0..GAMES).filter_map(|seed| position(rules, seed)) {
        let me = game.turn().expect("a turn").colour;
        let mut answer = game.clone();
        let budget = Budget { level: LEVEL_MAX, nodes: NODES, seed: SEED };
        answer.play(&Mind::new(1 << 20).think(&game, &budget, &mut || false).action).expect("legal");
        if can_win(&game) {
            won += 1;
            assert!(won_by(&answer, me), "a win is missed: {:?}", answer.actions());
        } else if can_win(&answer) {
            let saving = legal(&game).into_iter().find(|at| !can_win(&after(&game, *at)));
            assert_eq!(saving, None, "a win is not stopped: {:?}", answer.actions());
        } else {
            // Some other move would have let the next player win.
            stopped += u32::from(legal(&game).into_iter().any(|at| can_win(&after(&game, at))));
        }
    }
    (won, stopped)
}

fn preset(preset: Preset, seats: u8, teams: bool) -> Rules {
    let mut options = preset.options().for_seats(seats).0;
    options.teams = teams;
    options.check(preset).expect("coherent")
}

#[test]
fn wins_are_taken_and_stopped_in_every_preset() {
    let tables = [
        preset(Preset::CaptureFive, 2, false),
        preset(Preset::CaptureFive, 3, false),
        preset(Preset::CaptureFive, 4, false),
        preset(Preset::CaptureFive, 4, true),
        preset(Preset::Pente, 2, false),
        preset(Preset::PenteSwap2, 2, false),
        preset(Preset::Gomoku, 2, false),
        preset(Preset::Wuziqi, 2, false),
    ];
    let (mut won, mut stopped) = (0, 0);
    for rules in tables {
        let (wins, stops) = check(rules);
        won += wins;
        stopped += stops;
    }
    assert!(won >= 12 && stopped >= 12, "too few positions tell anything: {won} wins, {stopped} to stop");
}
