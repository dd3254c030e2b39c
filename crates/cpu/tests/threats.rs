//! The threats on the board are what the rules say comes of each stone, under any coherent options.

mod support;

use cpu::{Making, SideThreats, threats};
use proptest::prelude::*;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::example::{at, game, names};
use rules::{
    Action, After, Colour, Condition, Forbidden, Game, Group, Must, Outcome, Overline, Point, Preset, Refusal, Rules,
    Setup, SetupError, Take,
};
use support::any_rules;

/// Stones reach at most so far on an axis in a line, or before it.
const REACH: i16 = 5;
const AXES: [(i16, i16); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The position with this side to move, made from its stones alone; so many stones are said to have been placed. `None`
/// where that side may play nowhere, which is no position that a game goes on from.
fn with_turn(game: &Game, side: Colour, ahead: u8) -> Option<Game> {
    let setup = game.to_setup().expect("a running game");
    let setup = Setup { turn: side, ply: Some(game.ply() + u16::from(ahead)), ..setup };
    match Game::from_setup(&setup) {
        Err(SetupError::NoLegalPoint) => None,
        turned => Some(turned.expect("a position")),
    }
}

fn subsets(groups: &[Group]) -> impl Iterator<Item = Vec<Group>> + '_ {
    let of = |choice: u32| (0..groups.len()).filter(move |group| choice >> group & 1 != 0);
    (0..1u32 << groups.len()).map(move |choice| of(choice).map(|group| groups[group].clone()).collect())
}

/// What comes of a stone, by playing it in every way that there is.
#[derive(Default, PartialEq, Debug)]
struct Tried {
    /// How many sides win in the best way, and 5 for a line that waits.
    wins: Option<usize>,
    takes: Vec<Group>,
    lost: Vec<(Colour, Vec<Point>)>,
    refused: Option<Refusal>,
}

fn try_out(game: &Game, side: Colour, at: Point) -> Tried {
    let mut tried = Tried { takes: game.groups(at), refused: game.check(at).err(), ..Tried::default() };
    let forced = game.rules().options().forced_capture;
    let ways: Vec<Take> = match forced {
        true => vec![Take::All],
        false => subsets(&tried.takes).map(Take::Just).collect(),
    };
    for take in ways {
        let mut after = game.clone();
        let Ok(played) = after.play(&Action::Place { at, take }) else { continue };
        tried.lost = played.lost;
        let waits = after.overtime().filter(|overtime| overtime.colour == side).map(|_| 5);
        let wins = match after.result() {
            Some(Outcome::Win { winners, .. }) if winners.contains(&side) => Some(winners.len()),
            Some(Outcome::Win { .. } | Outcome::Draw(_)) => None,
            None => waits,
        };
        tried.wins = [tried.wins, wins].into_iter().flatten().min();
    }
    tried
}

fn told(threats: &SideThreats, at: Point) -> Tried {
    let wins = threats.wins.iter().find(|win| win.at == at).map(|win| match &win.way.after {
        After::Over(Outcome::Win { winners, .. }) => winners.len(),
        After::Over(Outcome::Draw(_)) | After::GoesOn => 0,
        After::Overtime(_) => 5,
    });
    let takes = threats.takes.iter().find(|(point, _)| *point == at).map(|(_, groups)| groups.clone());
    let lost = threats.flanked.iter().find(|one| one.at == at).map(|one| one.lost.clone());
    let refused = threats.forbidden.iter().find(|(point, _)| *point == at).map(|(_, reason)| reason.refusal);
    Tried { wins, takes: takes.unwrap_or_default(), lost: lost.unwrap_or_default(), refused }
}

/// A board to try stones on: whose a cell is, `None` off the board.
struct Plain<'a> {
    game: &'a Game,
    side: Colour,
    more: Vec<Point>,
}

impl Plain<'_> {
    fn step(&self, from: Point, axis: usize, steps: i16) -> Option<Point> {
        let (across, up) = AXES[axis];
        let column = u8::try_from(i16::from(from.column()) + across * steps).ok()?;
        let row = u8::try_from(i16::from(from.row()) + up * steps).ok()?;
        Point::new(column, row).filter(|&point| self.game.rules().board().contains(point))
    }

    fn is_own(&self, point: Option<Point>) -> bool {
        point.is_some_and(|point| self.game.stone(point) == Some(self.side) || self.more.contains(&point))
    }

    fn is_free(&self, point: Point) -> bool {
        self.game.stone(point).is_none() && !self.more.contains(&point)
    }

    /// How many stones run in line through this one, and whether another is among them.
    fn run(&self, through: Point, axis: usize, other: Point) -> (u8, bool) {
        let mut run = vec![through];
        for sign in [1, -1] {
            let stones = (1..).map(|steps| self.step(through, axis, sign * steps)).take_while(|&at| self.is_own(at));
            run.extend(stones.flatten());
        }
        (run.len() as u8, run.contains(&other))
    }

    /// The points that complete a line through a stone on an axis.
    fn completions(&mut self, stone: Point, axis: usize) -> Vec<Point> {
        let options = self.game.rules().options();
        let is_black = options.forbidden == Forbidden::Renju && self.side == Colour::Black;
        let (exact, length) = (is_black || options.overline == Overline::NoWin, self.game.rules().line());
        let near: Vec<Point> = (-REACH..=REACH).filter_map(|steps| self.step(stone, axis, steps)).collect();
        let mut found = Vec::new();
        for point in near.into_iter().filter(|&point| self.is_free(point)).collect::<Vec<_>>() {
            self.more.push(point);
            let (run, holds) = self.run(point, axis, stone);
            self.more.pop();
            if holds && (run == length || !exact && run > length) {
                found.push(point);
            }
        }
        found
    }

    /// What a stone on the board makes on an axis: completing points, and whether they are the ends of one run; or
    /// whether one more stone makes two of them.
    fn shape(&mut self, stone: Point, axis: usize) -> (usize, bool, bool) {
        let completions = self.completions(stone, axis);
        let (run, _) = self.run(stone, axis, stone);
        let is_straight = completions.len() == 2 && run + 1 == self.game.rules().line();
        if run >= self.game.rules().line() || !completions.is_empty() {
            return (completions.len(), is_straight, false);
        }
        let near: Vec<Point> = (-REACH..=REACH).filter_map(|steps| self.step(stone, axis, steps)).collect();
        let free: Vec<Point> = near.into_iter().filter(|&point| self.is_free(point)).collect();
        let is_three = free.into_iter().any(|point| {
            self.more.push(point);
            // A stone that completes a line, or makes one that is too long, makes no four.
            let is_four = self.run(stone, axis, stone).0 < self.game.rules().line();
            let two = is_four && self.completions(stone, axis).len() >= 2;
            self.more.pop();
            two
        });
        (0, false, is_three)
    }
}

/// What a stone makes, worked out from the board after it.
fn makes(game: &Game, side: Colour, at: Point) -> Option<Making> {
    let mut after = game.clone();
    after.place(at).ok()?;
    if after.result().is_some() || after.overtime().is_some() || after.stone(at) != Some(side) {
        return None;
    }
    let mut plain = Plain { game: &after, side, more: Vec::new() };
    let shapes: Vec<(usize, bool, bool)> = (0..AXES.len()).map(|axis| plain.shape(at, axis)).collect();
    let fours: usize = shapes.iter().map(|shape| shape.0.min(2)).sum();
    let threes = shapes.iter().filter(|shape| shape.2).count();
    match () {
        () if shapes.iter().any(|shape| shape.1) => Some(Making::OpenFour),
        () if fours > 1 => Some(Making::DoubleFour),
        () if fours == 1 && threes > 0 => Some(Making::FourAndThree),
        () if fours == 1 => Some(Making::Four),
        () if threes > 1 => Some(Making::DoubleThree),
        () if threes == 1 => Some(Making::OpenThree),
        () => None,
    }
}

/// How often each kind of thing came up.
#[derive(Default, Debug)]
struct Count {
    wins: usize,
    waits: usize,
    makes: usize,
    takes: usize,
    flanked: usize,
    forbidden: usize,
}

/// Holds what is told of every side against what comes of each stone.
fn check(game: &Game, count: &mut Count) {
    let all = threats(game);
    for one in &all {
        let empty = || game.rules().board().points().filter(|&point| game.stone(point).is_none());
        let Some(turned) = with_turn(game, one.side, one.ahead) else {
            assert!(empty().all(|point| told(one, point).refused.is_some()), "{:?}: {}", one.side, game.to_text());
            continue;
        };
        for point in empty() {
            let told = told(one, point);
            assert_eq!(told, try_out(&turned, one.side, point), "{:?} on {point}: {}", one.side, game.to_text());
            let made = one.makes.iter().find(|(at, _)| *at == point).map(|(_, making)| *making);
            let expected = if told.wins.is_some() { None } else { makes(&turned, one.side, point) };
            assert_eq!(made, expected, "{:?} makes on {point}: {}", one.side, game.to_text());
            count.wins += usize::from(told.wins.is_some());
            count.waits += usize::from(told.wins == Some(5));
            count.makes += usize::from(made.is_some());
            count.takes += usize::from(!told.takes.is_empty());
            count.flanked += usize::from(!told.lost.is_empty());
            count.forbidden += usize::from(told.refused.is_some());
        }
    }
}

/// Plays at random near the stones, with captures as chance has it, and looks at every so many positions.
fn play(rules: Rules, seed: u64, count: &mut Count) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Game::new(rules);
    let centre = rules.board().centre();
    while let Some(turn) = game.turn() {
        let action = match turn.must {
            Must::Choose | Must::ChooseOrAdd => Action::Choose(Colour::Black),
            Must::Place => {
                let near = |point: &Point| {
                    point.column().abs_diff(centre.column()) <= 3 && point.row().abs_diff(centre.row()) <= 3
                };
                let legal: Vec<Point> = rules.board().points().filter(|&point| game.check(point).is_ok()).collect();
                let middle: Vec<Point> = legal.iter().copied().filter(near).collect();
                let at = *middle.choose(&mut random).or(legal.choose(&mut random)).expect("a legal point");
                let groups = game.groups(at);
                let ways = subsets(&groups).map(|some| Action::Place { at, take: Take::Just(some) });
                let legal: Vec<Action> = ways.filter(|way| game.clone().play(way).is_ok()).collect();
                legal.choose(&mut random).expect("a legal choice").clone()
            }
        };
        game.play(&action).expect("legal");
        if random.random_range(0..6) == 0 || game.overtime().is_some() {
            check(&game, count);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn threats_are_what_comes_of_each_stone(rules in any_rules(2..=4, true), seed: u64) {
        play(rules, seed, &mut Count::default());
    }
}

/// Games in which they once were not.
#[test]
fn four_sides_whose_lines_wait_or_whose_stones_are_lost() {
    for (text, seed) in [
        ("custom board=13 seats=4 overtime=break", 4_125_053_501_617_666_662),
        (
            "custom board=9 seats=4 overline=wins forced_capture=false capture_threes=true into_flank=captured",
            8_961_798_691_349_503_270,
        ),
    ] {
        play(text.parse().expect("rules"), seed, &mut Count::default());
    }
}

/// Everything comes up in the games that are played here, so that nothing above is held against nothing.
#[test]
fn all_kinds_of_threats_come_up() {
    let mut count = Count::default();
    for (number, rules) in [
        "custom overtime=break into_flank=captured",
        "custom overtime=take forced_capture=false capture_threes=true",
        "custom seats=3 overtime=break into_flank=not-allowed mixed_captures=false",
        "custom seats=4 into_flank=captured overline=wins",
        "custom seats=4 teams=true forbidden=double-three-both forced_capture=false",
        "wuziqi forbidden=renju",
    ]
    .iter()
    .enumerate()
    {
        (0..3).for_each(|seed| play(rules.parse().expect("rules"), seed * 100 + number as u64, &mut count));
    }
    let Count { wins, waits, makes, takes, flanked, forbidden } = count;
    assert!([wins, waits, makes, takes, flanked, forbidden].iter().all(|&times| times > 20), "{count:?}");
}

fn points_of(threats: &SideThreats, making: Making) -> String {
    let points: Vec<Point> = threats.makes.iter().filter(|(_, made)| *made == making).map(|(at, _)| *at).collect();
    names(&points)
}

#[test]
fn an_open_three_tells_where_it_becomes_a_four() {
    let position = game("gomoku", "H8 A1 I8 A3 J8");
    let [black, white] = threats(&position).try_into().expect("two sides");
    assert_eq!((black.side, black.ahead, white.side, white.ahead), (Colour::Black, 1, Colour::White, 0));
    assert_eq!(points_of(&black, Making::OpenFour), "G8 K8");
    assert_eq!(points_of(&black, Making::Four), "F8 L8");
    assert!(black.wins.is_empty() && white.makes.is_empty());
}

#[test]
fn a_win_by_captures_and_a_line_that_can_be_broken_are_told_apart() {
    // Black's E4 can be taken from E3, once E5 is black's too: a line from D4 to H4 waits for white.
    let position = game("capture-five overtime=break", "D4 E6 E4 A15 G4 C15 H4 M15 E5 O15");
    let black = &threats(&position)[0];
    assert_eq!(black.wins.len(), 1);
    assert_eq!(black.wins[0].at, at("F4"));
    assert!(black.wins[0].way.after.waits(Colour::Black));
    // Eight stones are taken, and a pair lies open.
    let setup = Setup {
        captured: [8, 0, 0, 0],
        ..Setup::new(
            Rules::of(Preset::CaptureFive),
            vec![(at("H8"), Colour::Black), (at("I8"), Colour::White), (at("J8"), Colour::White)],
            Colour::Black,
        )
    };
    let position = Game::from_setup(&setup).expect("a position");
    let black = &threats(&position)[0];
    let win = Outcome::Win { winners: vec![Colour::Black], by: vec![Condition::Captures] };
    assert_eq!((black.wins[0].at, &black.wins[0].way.after), (at("K8"), &After::Over(win)));
}

/// Black's G7 would take G5 and G6, and so cut blue's five to four, which wait for white: H7 and G7 make nothing.
#[test]
fn a_stone_that_lets_anothers_line_wait_makes_nothing() {
    let of = |text: &str, colour: Colour| text.split(' ').map(|text| (at(text), colour)).collect::<Vec<_>>();
    let blue = of("C5 D5 E5 F5 G5 G6 D6", Colour::Blue);
    let stones = [of("G4 H7", Colour::Black), of("D4 A9 A12", Colour::White), blue].concat();
    let rules: Rules = "custom seats=3 overtime=break".parse().expect("rules");
    let position = Game::from_setup(&Setup::new(rules, stones, Colour::Black)).expect("a position");
    let mut after = position.clone();
    after.place(at("G7")).expect("legal");
    assert_eq!(after.overtime().map(|overtime| overtime.colour), Some(Colour::Blue));
    let black = &threats(&position)[0];
    assert!(black.takes.iter().any(|(point, _)| *point == at("G7")));
    assert!(black.makes.iter().all(|(point, _)| *point != at("G7")), "{:?}", black.makes);
    check(&position, &mut Count::default());
}

#[test]
fn nothing_is_told_in_an_opening_and_after_the_end() {
    assert_eq!(threats(&game("pente-swap2", "J10 K10")), []);
    assert_eq!(threats(&game("pente-swap2", "J10 K10 L10")), []);
    assert_eq!(threats(&game("gomoku", "A1 A3 B1 B3 C1 C3 D1 D3 E1")), []);
}
