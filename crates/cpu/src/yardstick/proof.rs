//! Proofs by the rules alone: whether the side to move wins with so many stones of its own, whatever the other does.
//! Slow and simple, so that it can be believed: it shares nothing with the engine, and each of the defender's legal
//! moves, with each choice of captures, is played in a [`Game`].
//!
//! The attacker plays stones of one kind only ([`Attack`]). That makes no win less certain; that there is *no* win is
//! said of attacks of this kind and length.
//!
//! Cuts that lose nothing: a defender who wins with a stone has an answer; a stone of the attacker that won after one
//! answer is tried first after the next; what is known of a position is kept.

use std::collections::HashMap;

use rules::{Action, Colour, Game, Group, Outcome, Point, Take};

/// What the attacker's stones must threaten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attack {
    /// To win with the next stone: by a line or by what it takes.
    Fours,
    /// To win by fours with the next two, if the defender does nothing about it.
    Threes,
}

impl Attack {
    pub const ALL: [Attack; 2] = [Attack::Fours, Attack::Threes];

    pub const fn name(self) -> &'static str {
        match self {
            Attack::Fours => "fours",
            Attack::Threes => "threes",
        }
    }

    /// Stones with which it would go on to win.
    const fn reach(self) -> u8 {
        match self {
            Attack::Fours => 1,
            Attack::Threes => 2,
        }
    }
}

/// More stones would have to be placed than were allowed; nothing is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch;

/// What is known of an attacker to move.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The first stone of a win, and how many it takes.
    win: Option<(u8, Action)>,
    /// There is no win with so many.
    none_in: u8,
}

/// Steps along the four axes.
const AXES: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Points farthest from all stones that are tried as a move that does nothing.
const IDLE: usize = 3;

/// Proves, and remembers what it has proved under these rules.
pub struct Prover {
    known: HashMap<(u64, Attack), Known>,
    left: u64,
}

impl Prover {
    /// May place so many stones in all.
    pub fn new(stones_max: u64) -> Prover {
        Prover { known: HashMap::new(), left: stones_max }
    }

    /// Stones that it may still place.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// The first stone of a win of the player to move, in so many stones of its own or fewer.
    ///
    /// With three and four sides only wins with one stone can be asked for.
    pub fn win(&mut self, game: &Game, attack: Attack, stones: u8) -> Result<Option<Action>, TooMuch> {
        self.find(&mut game.clone(), attack, stones)
    }

    /// All such first stones; of a win with one stone every one, else those that the attack allows.
    pub fn wins(&mut self, game: &Game, attack: Attack, stones: u8) -> Result<Vec<Action>, TooMuch> {
        let mut game = game.clone();
        let Some(own) = colour(&game) else { return Ok(Vec::new()) };
        if stones > 1 {
            return self.search(&mut game, attack, stones, usize::MAX);
        }
        let mut found = Vec::new();
        for action in actions(&game, None) {
            if self.play(&mut game, &action)? {
                found.extend((won(&game, own) == Some(true)).then_some(action));
                game.undo();
            }
        }
        Ok(found)
    }

    /// Whether this move wins with so many stones, itself counted; it need not be of the attack's kind.
    pub fn wins_with(&mut self, game: &Game, action: &Action, attack: Attack, stones: u8) -> Result<bool, TooMuch> {
        let mut game = game.clone();
        let Some(own) = colour(&game) else { return Ok(false) };
        if stones == 0 || !self.play(&mut game, action)? {
            return Ok(false);
        }
        match won(&game, own) {
            Some(wins) => Ok(wins),
            None => self.holds(&mut game, own, attack, stones, &mut None),
        }
    }

    /// Whether the next player wins so after this move; or has won, or another side than the mover's.
    pub fn loses(&mut self, game: &Game, action: &Action, attack: Attack, stones: u8) -> Result<bool, TooMuch> {
        let mut game = game.clone();
        let own = colour(&game);
        if !self.play(&mut game, action)? {
            return Ok(false);
        }
        self.is_lost(&mut game, own, attack, stones, &mut None)
    }

    /// The legal moves after which the next player has no such win, and no other side has won.
    pub fn escapes(&mut self, game: &Game, attack: Attack, stones: u8) -> Result<Vec<Action>, TooMuch> {
        let mut game = game.clone();
        let own = colour(&game);
        let (mut found, mut hint) = (Vec::new(), None);
        for action in actions(&game, None) {
            if self.play(&mut game, &action)? {
                found.extend((!self.is_lost(&mut game, own, attack, stones, &mut hint)?).then_some(action));
                game.undo();
            }
        }
        Ok(found)
    }

    /// Whether the side that has just moved has lost, or the next player wins so.
    fn is_lost(
        &mut self,
        game: &mut Game,
        mover: Option<Colour>,
        attack: Attack,
        stones: u8,
        hint: &mut Option<Action>,
    ) -> Result<bool, TooMuch> {
        match game.result() {
            Some(Outcome::Win { winners, .. }) => Ok(mover.is_some_and(|mover| !winners.contains(&mover))),
            Some(Outcome::Draw(_)) => Ok(false),
            None => self.follows(game, attack, stones, hint),
        }
    }

    fn find(&mut self, game: &mut Game, attack: Attack, stones: u8) -> Result<Option<Action>, TooMuch> {
        // Who must win with two stones must threaten it with the first.
        let attack = if stones <= Attack::Fours.reach() + 1 { Attack::Fours } else { attack };
        if stones <= 1 {
            return Ok(if stones == 0 { None } else { self.at_once(game)? });
        }
        let key = (game.hash(), attack);
        let known = self.known.get(&key).cloned().unwrap_or_default();
        match known.win {
            Some((enough, action)) if enough <= stones => return Ok(Some(action)),
            Some(_) | None if known.none_in >= stones => return Ok(None),
            Some(_) | None => {}
        }
        // The shortest is looked for first, and the simplest.
        let mut found = self.find(game, attack, stones - 1)?;
        if found.is_none() && attack == Attack::Threes {
            found = self.find(game, Attack::Fours, stones)?;
        }
        if found.is_none() {
            found = self.search(game, attack, stones, 1)?.pop();
        }
        let known = self.known.entry(key).or_default();
        match &found {
            Some(action) => known.win = Some((stones, action.clone())),
            None => known.none_in = stones,
        }
        Ok(found)
    }

    /// Tries the stones that the attack allows until so many win.
    fn search(&mut self, game: &mut Game, attack: Attack, stones: u8, count: usize) -> Result<Vec<Action>, TooMuch> {
        let Some(own) = colour(game) else { return Ok(Vec::new()) };
        let idle = idle(game);
        let (mut found, mut refuter) = (Vec::new(), None);
        for action in promising(game, own, attack).into_iter().flat_map(|at| choices(game, at)).collect::<Vec<_>>() {
            if !self.play(game, &action)? {
                continue;
            }
            let wins = match won(game, own) {
                Some(wins) => wins,
                None => {
                    self.threatens(game, own, attack, stones, &idle)?
                        && self.holds(game, own, attack, stones, &mut refuter)?
                }
            };
            game.undo();
            found.extend(wins.then_some(action));
            if found.len() >= count {
                break;
            }
        }
        found.sort_by_key(place);
        Ok(found)
    }

    /// Whether the attacker, who has just moved, would win if the defender did nothing.
    fn threatens(
        &mut self,
        game: &mut Game,
        own: Colour,
        attack: Attack,
        stones: u8,
        idle: &[Point],
    ) -> Result<bool, TooMuch> {
        for &at in idle {
            if self.play(game, &Action::place(at))? {
                let threatens = match won(game, own) {
                    Some(wins) => wins,
                    None => self.find(game, Attack::Fours, attack.reach().min(stones - 1))?.is_some(),
                };
                game.undo();
                return Ok(threatens);
            }
        }
        Ok(true)
    }

    /// Whether the attacker, whose stone was one of so many, wins after each of the defender's moves. The one that it
    /// failed by is remembered.
    fn holds(
        &mut self,
        game: &mut Game,
        own: Colour,
        attack: Attack,
        stones: u8,
        refuter: &mut Option<Action>,
    ) -> Result<bool, TooMuch> {
        if self.at_once(game)?.is_some() {
            return Ok(false);
        }
        let mut hint = None;
        let last = game.actions().last().cloned();
        for answer in refuter.clone().into_iter().chain(actions(game, last.as_ref())) {
            if !self.play(game, &answer)? {
                continue;
            }
            let lost = match won(game, own) {
                Some(wins) => wins,
                None => self.follows(game, attack, stones - 1, &mut hint)?,
            };
            game.undo();
            if !lost {
                *refuter = Some(answer);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the player to move wins; first by what won after another answer.
    fn follows(
        &mut self,
        game: &mut Game,
        attack: Attack,
        stones: u8,
        hint: &mut Option<Action>,
    ) -> Result<bool, TooMuch> {
        let Some(own) = colour(game) else { return Ok(false) };
        if stones == 0 {
            return Ok(false);
        }
        if let Some(action) = hint.clone()
            && self.play(game, &action)?
        {
            let wins = match won(game, own) {
                Some(wins) => wins,
                None => stones > 1 && self.holds(game, own, attack, stones, &mut None)?,
            };
            game.undo();
            if wins {
                return Ok(true);
            }
        }
        let found = self.find(game, attack, stones)?;
        let wins = found.is_some();
        if wins {
            *hint = found;
        }
        Ok(wins)
    }

    /// A stone of the player to move that wins without another move.
    fn at_once(&mut self, game: &mut Game) -> Result<Option<Action>, TooMuch> {
        let Some(own) = colour(game) else { return Ok(None) };
        for at in game.rules().board().points() {
            if game.stone(at).is_some() {
                continue;
            }
            for action in choices(game, at) {
                let wins = match &action {
                    Action::Place { at, take: Take::All } => game.would_win(*at),
                    Action::Place { take: Take::Just(_), .. } => {
                        let wins = self.play(game, &action)?.then(|| won(game, own) == Some(true));
                        wins.is_some_and(|wins| game.undo() && wins)
                    }
                    Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => false,
                };
                if wins {
                    return Ok(Some(action));
                }
            }
        }
        Ok(None)
    }

    /// Plays an action; false where it is illegal.
    fn play(&mut self, game: &mut Game, action: &Action) -> Result<bool, TooMuch> {
        self.left = self.left.checked_sub(1).ok_or(TooMuch)?;
        match action {
            Action::Place { at, take: Take::All } => Ok(game.place(*at).is_ok()),
            Action::Place { take: Take::Just(_), .. } => Ok(game.play(action).is_ok()),
            Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => Ok(false),
        }
    }
}

fn colour(game: &Game) -> Option<Colour> {
    game.turn().map(|turn| turn.colour)
}

/// Whether this side has won, where the game is over.
fn won(game: &Game, own: Colour) -> Option<bool> {
    match game.result()? {
        Outcome::Win { winners, .. } => Some(winners.contains(&own)),
        Outcome::Draw(_) => Some(false),
    }
}

/// Everything that the player to move could try, legal or not, nearest to the last move first.
pub fn actions(game: &Game, last: Option<&Action>) -> Vec<Action> {
    let mut points: Vec<Point> = game.rules().board().points().filter(|&at| game.stone(at).is_none()).collect();
    if let Some(Action::Place { at, .. }) = last {
        points.sort_by_key(|point| steps(*point, *at));
    }
    points.into_iter().flat_map(|at| choices(game, at)).collect()
}

/// A stone here with each choice of what it takes: everything first.
fn choices(game: &Game, at: Point) -> Vec<Action> {
    let all = Action::place(at);
    let options = game.rules().options();
    if !options.captures || options.forced_capture {
        return vec![all];
    }
    let groups = game.groups(at);
    let some = |chosen: u32| -> Vec<Group> {
        let is_chosen = |&(place, _): &(usize, &Group)| chosen & (1 << place) != 0;
        groups.iter().enumerate().filter(is_chosen).map(|(_, group)| group.clone()).collect()
    };
    let everything = (1u32 << groups.len()) - 1;
    let fewer = (0..everything).map(|chosen| Action::Place { at, take: Take::Just(some(chosen)) });
    std::iter::once(all).chain(fewer).collect()
}

/// Points where a stone could be part of such an attack: in a stretch of a line's length that holds enough of its own
/// side's stones and none of others, or at the end of stones that can be taken. The fullest stretches come first.
fn promising(game: &Game, own: Colour, attack: Attack) -> Vec<Point> {
    let least = usize::from(game.rules().line() - 1 - attack.reach());
    let empty = game.rules().board().points().filter(|&at| game.stone(at).is_none());
    let mut found: Vec<(usize, Point)> = empty
        .filter_map(|at| {
            let most = fullest(game, at, own);
            (most >= least || flanks(game, at, own)).then_some((most, at))
        })
        .collect();
    found.sort_by_key(|&(most, _)| std::cmp::Reverse(most));
    found.into_iter().map(|(_, at)| at).collect()
}

/// Own stones in the fullest stretch through this point without a stone of others.
fn fullest(game: &Game, at: Point, own: Colour) -> usize {
    let line = game.rules().line() as i8;
    let mut most = 0;
    for axis in AXES {
        for before in 0..line {
            let cells = (-before..line - before).filter(|&n| n != 0).map(|n| ahead(game, at, axis, n));
            let mut count = 0;
            let is_free = cells.fold(true, |is_free, cell| {
                let stone = cell.map(|cell| game.stone(cell));
                count += usize::from(stone == Some(Some(own)));
                is_free && matches!(stone, Some(stone) if stone.is_none_or(|colour| colour == own))
            });
            most = most.max(if is_free { count } else { 0 });
        }
    }
    most
}

/// Whether a stone here takes others, or stands at one end of some that a stone at the other would take.
fn flanks(game: &Game, at: Point, own: Colour) -> bool {
    let options = game.rules().options();
    let lengths = if options.capture_threes { 2..=3 } else { 2..=2 };
    let is_enemy = |at: Point| game.stone(at).is_some_and(|colour| colour != own);
    let mut directions = AXES.into_iter().flat_map(|(right, up)| [(right, up), (-right, -up)]);
    options.captures
        && directions.any(|axis| {
            lengths.clone().any(|length| {
                (1..=length).all(|n| ahead(game, at, axis, n).is_some_and(is_enemy))
                    && ahead(game, at, axis, length + 1).is_some_and(|end| !is_enemy(end))
            })
        })
}

/// The point so many steps along an axis, if it is on the board.
fn ahead(game: &Game, from: Point, (right, up): (i8, i8), steps: i8) -> Option<Point> {
    let column = from.column().checked_add_signed(right * steps)?;
    let row = from.row().checked_add_signed(up * steps)?;
    Point::new(column, row).filter(|&at| game.rules().board().contains(at))
}

/// The order in which answers are listed: by row, then column, of one point as they were tried.
fn place(action: &Action) -> Option<Point> {
    match action {
        Action::Place { at, .. } => Some(*at),
        Action::Choose(_) | Action::Add | Action::Resign(_) | Action::Draw => None,
    }
}

/// The empty points farthest from all stones.
pub fn idle(game: &Game) -> Vec<Point> {
    let (stones, mut empty): (Vec<Point>, Vec<Point>) =
        game.rules().board().points().partition(|&at| game.stone(at).is_some());
    empty.sort_by_cached_key(|at| std::cmp::Reverse(stones.iter().map(|stone| steps(*at, *stone)).min()));
    empty.truncate(IDLE);
    empty
}

/// Steps from one point to another, in any direction.
fn steps(a: Point, b: Point) -> u8 {
    a.column().abs_diff(b.column()).max(a.row().abs_diff(b.row()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Setup;
    use rules::example::{at, game, names};

    fn points(actions: &[Action]) -> String {
        let mut points: Vec<Point> = actions
            .iter()
            .map(|action| match action {
                Action::Place { at, .. } => *at,
                other => panic!("{other} is no stone"),
            })
            .collect();
        points.sort();
        points.dedup();
        names(&points)
    }

    /// How many stones a win takes, and its first stones.
    fn check(rules: &str, stones: &str, attack: Attack, wins: Option<(u8, &str)>) {
        let game = game(rules, stones);
        let mut prover = Prover::new(5_000_000);
        let Some((most, first)) = wins else {
            assert_eq!(prover.win(&game, attack, 4), Ok(None), "{rules}: {stones}");
            return;
        };
        assert_eq!(prover.win(&game, attack, most - 1), Ok(None), "{rules}: {stones}");
        assert!(prover.win(&game, attack, most).expect("few stones").is_some(), "{rules}: {stones}");
        let found = prover.wins(&game, attack, most).expect("few stones");
        assert_eq!(points(&found), first, "{rules}: {stones}");
        println!("{rules}: {stones}: {} stones placed", 5_000_000 - prover.left());
    }

    #[test]
    fn wins_are_found_and_are_as_long_as_they_are() {
        let fours = Attack::Fours;
        check("gomoku", "H8 A1 I8 A3 J8 A5 K8 A7", fours, Some((1, "G8 L8")));
        check("gomoku", "H8 A1 I8 A3 J8 A5", fours, Some((2, "G8 K8")));
        // White has blocked one end: fours lead nowhere.
        check("gomoku", "H8 G8 I8 A3 J8 A5", fours, None);
        // A closed three and an open two that cross: four and open four.
        check("gomoku", "H8 G8 I8 A3 J8 A5 K9 A7 K10 A9", fours, Some((3, "K8")));
        // Two open twos that cross.
        check("gomoku", "H8 A1 I8 E2 K9 M1 K10 O3", Attack::Threes, Some((3, "K8")));
        check("gomoku", "H8 A1 I8 E2 K9 M1 K10 O3", fours, None);
    }

    #[test]
    fn what_the_rules_say_decides() {
        // Black may not make the double three, and in exact five no six.
        check("wuziqi forbidden=renju", "H8 A1 I8 E2 K9 M1 K10 O3", Attack::Threes, None);
        check("gomoku overline=no-win", "H8 A1 I8 A3 J8 A5 K8 A7 M8 A9", Attack::Fours, Some((1, "G8")));
        // A four whose stones white takes.
        let pair = "H8 G8 I8 A3 J8 A5 K9 K10 K8";
        check("capture-five", &format!("{pair} A7"), Attack::Fours, Some((1, "L8")));
        // Eight taken: the next pair wins.
        let setup = game("capture-five", "D4 E4 A1 F4 A9 M9").to_setup().expect("it goes on");
        let pair = Game::from_setup(&Setup { captured: [8, 0, 0, 0], ..setup }).expect("a position");
        let wins = Prover::new(1_000).wins(&pair, Attack::Fours, 1).expect("few stones");
        assert_eq!(points(&wins), "G4");
    }

    #[test]
    fn escapes_are_all_that_is_left() {
        let mut prover = Prover::new(1_000_000);
        let open_three = game("gomoku", "H8 A1 I8 A3 J8");
        let found = prover.escapes(&open_three, Attack::Fours, 2).expect("few stones");
        assert_eq!(points(&found), "G8 K8");
        let four = game("gomoku", "H8 G8 I8 A3 J8 A5 K8");
        assert_eq!(points(&prover.escapes(&four, Attack::Fours, 1).expect("few stones")), "L8");
        assert_eq!(at("L8").to_string(), "L8");
        assert_eq!(Prover::new(5).escapes(&four, Attack::Fours, 1), Err(TooMuch));
    }

    #[test]
    fn a_choice_of_captures_is_part_of_a_move() {
        let free = game("capture-five forced_capture=false", "D4 E4 A1 F4 A3 H8");
        let choices: Vec<String> = choices(&free, at("G4")).iter().map(Action::to_string).collect();
        assert_eq!(choices, ["G4", "G4[]"]);
    }
}
