//! Plays games and looks for positions that make a problem.

use cpu::yardstick::problem::{Claim, Kind, Problem};
use cpu::yardstick::proof::{Attack, Prover, actions, idle};
use cpu::{Budget, LEVEL_MAX, Mind, WON};
use rules::{Action, Game, Must, Point, Rules};

/// Games under one set of rules.
pub struct Family {
    pub name: &'static str,
    pub rules: &'static str,
    /// The same but for what makes a win false: a win there that is none here makes a problem.
    pub relaxed: Option<&'static str>,
    /// The games are played by the relaxed rules as long as all moves are legal here too, and only false wins are looked
    /// for, where something is forbidden.
    is_blind: bool,
    games: u64,
}

const fn family(name: &'static str, rules: &'static str, relaxed: Option<&'static str>, games: u64) -> Family {
    Family { name, rules, relaxed, is_blind: false, games }
}

const fn blind(name: &'static str, rules: &'static str, relaxed: &'static str, games: u64) -> Family {
    Family { name, rules, relaxed: Some(relaxed), is_blind: true, games }
}

pub const FAMILIES: &[Family] = &[
    family("freestyle", "gomoku", None, 40),
    family("exact", "gomoku overline=no-win", Some("gomoku"), 30),
    family("renju", "wuziqi forbidden=renju", Some("wuziqi"), 80),
    family("double-three", "gomoku forbidden=double-three-both", Some("gomoku"), 50),
    family("pente", "pente", Some("pente captures=off"), 30),
    family("capture", "capture-five", Some("capture-five captures=off"), 60),
    family("capture-threes", "capture-five capture_threes=true overline=wins", None, 20),
    family("captured", "capture-five into_flank=captured", Some("capture-five"), 20),
    family("not-allowed", "capture-five into_flank=not-allowed", Some("capture-five"), 20),
    family("capture-ban", "capture-five forbidden=double-three-both", Some("capture-five"), 30),
    family("break", "capture-five overtime=break", Some("capture-five"), 80),
    family("take", "capture-five overtime=take", Some("capture-five"), 40),
    family("free-break", "capture-five overtime=break forced_capture=false", Some("capture-five"), 20),
    family("teams", "capture-five seats=4 teams=true overtime=break", Some("capture-five seats=4 teams=true"), 20),
    blind("renju-blind", "wuziqi forbidden=renju", "wuziqi", 200),
    blind("double-three-blind", "gomoku forbidden=double-three-both", "gomoku", 120),
    blind("capture-ban-blind", "capture-five forbidden=double-three-both", "capture-five", 60),
    blind("not-allowed-blind", "capture-five into_flank=not-allowed", "capture-five", 60),
    family("three", "capture-five seats=3", None, 20),
    family("three-break", "capture-five seats=3 overtime=break", None, 30),
    family("four", "capture-five seats=4", None, 20),
    family("four-take", "capture-five seats=4 overtime=take mixed_captures=false", None, 30),
];

/// Stones placed at random first, near the middle.
const OPENING: u64 = 4;
/// Only positions so near to a game's end are looked at.
const LAST: usize = 24;
/// Levels of the two players: they miss what a problem needs.
const LEVELS: [u8; 2] = [6, 5];
const NODES: u64 = 3_000;
/// A game that is this long has no end worth looking at, in actions.
const LENGTH_MAX: usize = 120;
/// Positions that the engine looks at to say where a win by threes may be.
const HINT_NODES: u64 = 4_000;

/// The longest wins looked for.
const FOURS_MAX: u8 = 9;
const THREES_MAX: u8 = 6;
/// The longest win under relaxed rules that may be false.
const FALSE_MAX: u8 = 4;
const ESCAPE_MAX: u8 = 4;
/// Only moves are easily found: from so many on no more are looked for in a family.
const ONLY_MOVES_MAX: usize = 30;
/// More answers are too many.
const ANSWERS_MAX: usize = 3;
/// Stones that a proof may place: where something is looked for, and where it is likely.
const LOOK_STONES: u64 = 300_000;
const FOURS_STONES: u64 = 2_000_000;
const THREES_STONES: u64 = 8_000_000;

/// Prints what is found in the games of these families, of all where none is named.
pub fn make(names: &[&str]) -> Result<(), String> {
    if let Some(name) = names.iter().find(|name| FAMILIES.iter().all(|family| family.name != **name)) {
        return Err(format!("there is no family {name}"));
    }
    for family in FAMILIES.iter().filter(|family| names.is_empty() || names.contains(&family.name)) {
        let mut only_moves = 0;
        for seed in 1..=family.games {
            for problem in Finder::new(family, seed, only_moves < ONLY_MOVES_MAX)?.all() {
                only_moves += usize::from(problem.kind == Kind::OnlyMove);
                println!("{problem}");
            }
        }
    }
    Ok(())
}

/// Looks through one game.
struct Finder<'a> {
    family: &'a Family,
    relaxed: Option<Rules>,
    seed: u64,
    wants_only_moves: bool,
    game: Game,
}

impl Finder<'_> {
    fn new(family: &Family, seed: u64, wants_only_moves: bool) -> Result<Finder<'_>, String> {
        let read = |text: &str| text.parse::<Rules>().map_err(|fault| format!("{text}: {fault:?}"));
        let rules = read(family.rules)?;
        let relaxed = family.relaxed.map(read).transpose()?;
        let game = match relaxed {
            Some(relaxed) if family.is_blind => legal(&played(relaxed, seed), rules),
            Some(_) | None => played(rules, seed),
        };
        Ok(Finder { family, relaxed, seed, wants_only_moves: wants_only_moves && !family.is_blind, game })
    }

    fn all(&self) -> Vec<Problem> {
        let (mut game, all) = (self.game.clone(), self.game.actions().len());
        let mut found = Vec::new();
        while game.actions().len() + LAST >= all {
            if game.turn().is_some_and(|turn| turn.must == Must::Place) {
                found.extend(if game.rules().sides() == 2 { self.two(&game) } else { self.many(&game) });
            }
            if !game.undo() {
                break;
            }
        }
        found
    }

    fn problem(&self, kind: Kind, game: &Game, claim: (Claim, Attack, u8), moves: Vec<Action>) -> Problem {
        let (claim, attack, stones) = claim;
        let all = self.game.actions().len();
        let made = format!("games of {}, seed {}, {} of {all}", self.family.name, self.seed, game.actions().len());
        Problem { name: self.family.name.to_owned(), kind, game: game.clone(), claim, attack, stones, moves, made }
    }

    fn two(&self, game: &Game) -> Option<Problem> {
        let mut prover = Prover::new(FOURS_STONES);
        if (self.family.is_blind && game.illegal().is_empty()) || prover.win(game, Attack::Fours, 1) != Ok(None) {
            return None;
        }
        if game.overtime().is_some() {
            return self.only(game, Kind::Overtime, &mut prover);
        }
        let hint = self.hint(game);
        if self.family.is_blind {
            return self.false_win(game, hint);
        }
        self.win(game, hint).or_else(|| self.false_win(game, hint)).or_else(|| {
            if hint.is_some() || !self.wants_only_moves { None } else { self.only(game, Kind::OnlyMove, &mut prover) }
        })
    }

    /// With how many stones the engine believes to win.
    fn hint(&self, game: &Game) -> Option<u8> {
        let budget = Budget { level: LEVEL_MAX, nodes: HINT_NODES, seed: self.seed };
        let lines = Mind::new(1 << 20).analyse(game, 1, &budget, &mut || false, &mut |_| {});
        let best = lines.first().filter(|line| line.score >= WON)?;
        best.win_in.map(|stones| stones.div_ceil(2) as u8)
    }

    /// The shortest win, if it is one that somebody could miss.
    fn win(&self, game: &Game, hint: Option<u8>) -> Option<Problem> {
        let shortest = |attack, most, look, stones| {
            let mut prover = Prover::new(look);
            let needed = (2..=most).find_map(|stones| match prover.win(game, attack, stones) {
                Ok(None) => None,
                Ok(Some(_)) => Some(Ok(stones)),
                Err(too_much) => Some(Err(too_much)),
            })?;
            let needed = needed.ok()?;
            let moves = Prover::new(stones).wins(game, attack, needed).ok()?;
            Some((attack, needed, moves))
        };
        let fours = if hint.is_some() { FOURS_STONES } else { LOOK_STONES };
        let (attack, needed, moves) = shortest(Attack::Fours, FOURS_MAX, fours, FOURS_STONES).or_else(|| {
            hint.filter(|&hint| hint <= THREES_MAX)
                .and_then(|hint| shortest(Attack::Threes, hint, THREES_STONES, THREES_STONES))
        })?;
        let before = self.relaxed.and_then(|rules| shortest_relaxed(game, rules, needed));
        // With two stones it is seen at a glance, but where the other rules have it otherwise.
        if moves.len() > ANSWERS_MAX || (needed == 2 && before != Some(1) && moves.len() > 1) {
            return None;
        }
        let kind = match attack {
            _ if before == Some(1) && self.family.rules.contains("overtime") => Kind::Overtime,
            _ if takes_in_win(game, attack, needed) => Kind::Captures,
            Attack::Fours => Kind::Fours,
            Attack::Threes => Kind::Threes,
        };
        Some(self.problem(kind, game, (Claim::Wins, attack, needed), moves))
    }

    /// A win under the relaxed rules that is none here, by threes if that can be shown, else by fours.
    fn false_win(&self, game: &Game, hint: Option<u8>) -> Option<Problem> {
        let needed =
            shortest_relaxed(game, self.relaxed?, FALSE_MAX).or_else(|| self.relaxed_by_threes(game, self.relaxed?))?;
        let kind = if needed == 1 && self.family.rules.contains("overtime") { Kind::Overtime } else { Kind::FalseWin };
        for (attack, stones) in [(Attack::Threes, (needed + 1).max(4)), (Attack::Fours, needed + 3)] {
            // What the engine believes to be a longer win is neither proved nor refuted so.
            if hint.is_some_and(|hint| hint > stones) {
                continue;
            }
            match Prover::new(THREES_STONES).win(game, attack, stones) {
                Ok(None) => return Some(self.problem(kind, game, (Claim::NotWon, attack, stones), Vec::new())),
                Ok(Some(_)) => return None,
                Err(_) => {}
            }
        }
        None
    }

    /// How many stones a win by threes takes under other rules, if the engine believes in one.
    fn relaxed_by_threes(&self, game: &Game, rules: Rules) -> Option<u8> {
        let relaxed = under(game, rules)?;
        let hint = self.hint(&relaxed).filter(|&hint| hint <= FALSE_MAX)?;
        matches!(Prover::new(FOURS_STONES).win(&relaxed, Attack::Threes, hint), Ok(Some(_))).then_some(hint)
    }

    /// A position in which few moves do not lose.
    fn only(&self, game: &Game, kind: Kind, prover: &mut Prover) -> Option<Problem> {
        let idle = Action::place(*idle(game).first()?);
        let loses = |prover: &mut Prover, stones| prover.loses(game, &idle, Attack::Fours, stones);
        let least = (1..=ESCAPE_MAX).find(|&stones| loses(prover, stones) == Ok(true))?;
        for stones in least..=ESCAPE_MAX {
            let moves = prover.escapes(game, Attack::Fours, stones).ok()?;
            if moves.is_empty() {
                return None;
            }
            // To block a five or one end of an open three is no problem; to break a line is one, or where only a
            // capture helps.
            let is_seen = match (kind, stones) {
                (Kind::Overtime, _) => false,
                (_, 1) => !moves.iter().all(|action| takes(game, action)),
                (_, 2) => moves.len() > 1,
                (_, _) => false,
            };
            if moves.len() <= ANSWERS_MAX && !is_seen {
                return Some(self.problem(kind, game, (Claim::Only, Attack::Fours, stones), moves));
            }
        }
        None
    }

    /// Three and four sides: what wins at once, and what must be stopped.
    fn many(&self, game: &Game) -> Option<Problem> {
        let mut prover = Prover::new(FOURS_STONES);
        let wins = prover.wins(game, Attack::Fours, 1).ok()?;
        if !wins.is_empty() {
            // A line or a capture that everybody sees is asked for only where others like it do not win.
            let waits = completing(game).len() > wins.len();
            let takes = wins.iter().any(|action| takes(game, action));
            return (wins.len() <= ANSWERS_MAX && (waits || takes))
                .then(|| self.problem(Kind::Many, game, (Claim::Wins, Attack::Fours, 1), wins));
        }
        let escapes = prover.escapes(game, Attack::Fours, 1).ok()?;
        let few = !escapes.is_empty() && escapes.len() <= ANSWERS_MAX;
        few.then(|| self.problem(Kind::Many, game, (Claim::Only, Attack::Fours, 1), escapes))
    }
}

/// How many stones a win by fours takes under other rules, up to so many.
fn shortest_relaxed(game: &Game, rules: Rules, most: u8) -> Option<u8> {
    let mut prover = Prover::new(LOOK_STONES);
    let relaxed = under(game, rules)?;
    (1..=most).find(|&stones| matches!(prover.win(&relaxed, Attack::Fours, stones), Ok(Some(_))))
}

/// A game between two low levels after some random stones; it may be cut off.
fn played(rules: Rules, seed: u64) -> Game {
    let mut game = Game::new(rules);
    let mut minds = [Mind::new(1 << 20), Mind::new(1 << 20)];
    let mut numbers = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut next = |below: u64| {
        numbers = numbers.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (numbers >> 33) % below
    };
    let centre = rules.board().centre();
    while u64::from(game.ply()) < OPENING {
        let at = Point::new(centre.column() - 3 + next(7) as u8, centre.row() - 3 + next(7) as u8);
        // An occupied point, or one that the opening does not allow, changes nothing. Pente's first is the centre.
        let at = if game.ply() == 0 { Some(centre) } else { at };
        let placed = at.map(|at| game.place(at));
        if placed != Some(Ok(())) && game.ply() == 2 {
            let far = Point::new(centre.column() + 3, centre.row() - 3 + next(7) as u8);
            let _ = far.map(|at| game.place(at));
        }
    }
    while game.turn().is_some() && game.actions().len() < LENGTH_MAX {
        let place = usize::from(game.ply()) % 2;
        let budget = Budget { level: LEVELS[place], nodes: NODES, seed };
        let action = minds[place].think(&game, &budget, &mut || false).action;
        if game.play(&action).is_err() {
            break;
        }
    }
    game
}

/// The game under other rules, up to the first move that they refuse.
fn legal(game: &Game, rules: Rules) -> Game {
    let mut other = Game::new(rules);
    for action in game.actions() {
        if other.play(action).is_err() {
            break;
        }
    }
    other
}

/// The same position under other rules, if it can be one.
fn under(game: &Game, rules: Rules) -> Option<Game> {
    let mut setup = game.to_setup()?;
    setup.rules = rules;
    setup.ply = None;
    if !rules.options().captures {
        setup.captured = [0; 4];
    }
    Game::from_setup(&setup).ok()
}

/// Whether a move takes stones.
fn takes(game: &Game, action: &Action) -> bool {
    game.clone().play(action).is_ok_and(|played| !played.took.is_empty())
}

/// Whether the winner takes stones on one way to the win: the first, against the first answer each time.
fn takes_in_win(game: &Game, attack: Attack, stones: u8) -> bool {
    let mut game = game.clone();
    let mut prover = Prover::new(THREES_STONES);
    for left in (1..=stones).rev() {
        let Ok(Some(action)) = prover.win(&game, attack, left) else { return false };
        if takes(&game, &action) {
            return true;
        }
        let _ = game.play(&action);
        // The answer that lasts longest.
        let lasts = |answer: &Action| {
            let mut after = game.clone();
            after.play(answer).is_ok()
                && after.result().is_none()
                && left > 2
                && prover.win(&after, attack, left - 2) == Ok(None)
        };
        let Some(answer) = actions(&game, game.actions().last()).into_iter().find(lasts) else { return false };
        let _ = game.play(&answer);
    }
    false
}

/// Points where a stone makes a line, whether it wins or waits.
fn completing(game: &Game) -> Vec<Point> {
    let Some(own) = game.turn().map(|turn| turn.colour) else { return Vec::new() };
    let completes = |at: &Point| {
        game.preview(*at)
            .is_some_and(|preview| preview.ways.iter().any(|way| way.after.wins(own) || way.after.waits(own)))
    };
    game.rules().board().points().filter(completes).collect()
}
