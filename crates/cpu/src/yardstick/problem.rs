//! Problems with answers that are proved by the rules alone ([`super::proof`]), and their text.
//!
//! A problem is one line, its fields separated by tabs; empty lines and `#` lines are skipped:
//!
//! | field | is |
//! |---|---|
//! | name | its own |
//! | kind | what it is about: a [`Kind`] |
//! | rules | as [`rules::notation`] writes them |
//! | actions | the game so far; the next player is asked |
//! | claim | what is proved: a [`Claim`] |
//! | attack | by stones of which kind: an [`Attack`] |
//! | stones | with how many of the winner's own |
//! | moves | the answers, in the board's order; `-` for none |
//! | made | where it comes from |

use std::fmt;
use std::str::FromStr;

use rules::{Action, Game, Rules, TextFault};

use super::proof::{Attack, Prover, TooMuch};

/// A win may take so many stones more than the shortest.
const LONGER: u8 = 2;
/// Stones that may be placed to prove such a win: a second's work.
const LONGER_PROOF_STONES: u64 = 3_000_000;

/// What a problem is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A win by fours alone.
    Fours,
    /// A win that takes threes.
    Threes,
    /// A win in which captures count.
    Captures,
    /// Nearly everything loses.
    OnlyMove,
    /// A line that waits, or would.
    Overtime,
    /// It would be a win but for what the rules forbid or let the other side do.
    FalseWin,
    /// Three or four sides.
    Many,
}

impl Kind {
    pub const ALL: [Kind; 7] =
        [Kind::Fours, Kind::Threes, Kind::Captures, Kind::OnlyMove, Kind::Overtime, Kind::FalseWin, Kind::Many];

    pub const fn name(self) -> &'static str {
        match self {
            Kind::Fours => "fours",
            Kind::Threes => "threes",
            Kind::Captures => "captures",
            Kind::OnlyMove => "only-move",
            Kind::Overtime => "overtime",
            Kind::FalseWin => "false-win",
            Kind::Many => "many",
        }
    }
}

/// What is proved of the player to move. All of it is said of attacks of the problem's kind and number of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Claim {
    /// It wins after each of the moves and after no other, and not with fewer stones.
    Wins,
    /// After each of the moves the next player has no win, and after every other move it has, or has won.
    Only,
    /// It has no win.
    NotWon,
}

impl Claim {
    pub const ALL: [Claim; 3] = [Claim::Wins, Claim::Only, Claim::NotWon];

    pub const fn name(self) -> &'static str {
        match self {
            Claim::Wins => "wins",
            Claim::Only => "only",
            Claim::NotWon => "not-won",
        }
    }
}

/// A position, and what is proved of it.
#[derive(Clone, Debug)]
pub struct Problem {
    pub name: String,
    pub kind: Kind,
    /// The position. A game with a result is no problem.
    pub game: Game,
    pub claim: Claim,
    pub attack: Attack,
    pub stones: u8,
    /// The answers: first stones of the win, or the moves that do not lose.
    pub moves: Vec<Action>,
    pub made: String,
}

/// Why a line is no problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemFault {
    /// So many fields.
    Fields(usize),
    Rules(TextFault),
    Action(TextFault),
    /// The action of this number, from 1, is refused, or the game is over.
    Game(usize),
    /// A word where another one is known.
    Word(String),
}

/// Why a problem does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is won with fewer stones, or won where it is said not to be.
    Won(Action),
    /// These are the right moves.
    Moves(Vec<Action>),
    /// More stones would have to be placed than allowed.
    TooMuch,
}

impl Problem {
    /// Proves it anew, placing so many stones at most.
    pub fn verify(&self, stones_max: u64) -> Result<(), Wrong> {
        let mut prover = Prover::new(stones_max);
        let too_much = |TooMuch| Wrong::TooMuch;
        let right = match self.claim {
            Claim::Wins => {
                self.is_not_won(&mut prover, self.stones - 1)?;
                prover.wins(&self.game, self.attack, self.stones).map_err(too_much)?
            }
            Claim::Only => prover.escapes(&self.game, self.attack, self.stones).map_err(too_much)?,
            Claim::NotWon => {
                self.is_not_won(&mut prover, self.stones)?;
                Vec::new()
            }
        };
        // What claims that there are answers must have one.
        let has_answers = match self.claim {
            Claim::Wins | Claim::Only => !right.is_empty(),
            Claim::NotWon => true,
        };
        if has_answers && right == self.moves { Ok(()) } else { Err(Wrong::Moves(right)) }
    }

    fn is_not_won(&self, prover: &mut Prover, stones: u8) -> Result<(), Wrong> {
        match prover.win(&self.game, self.attack, stones) {
            Ok(None) => Ok(()),
            Ok(Some(action)) => Err(Wrong::Won(action)),
            Err(TooMuch) => Err(Wrong::TooMuch),
        }
    }

    /// Whether a player who plays so, and says that it wins or not, has the answer: one of the moves, or another that
    /// is proved to win by threes, with a few stones more at most. With three and four sides nobody need say it.
    pub fn is_solved(&self, action: &Action, says_won: bool) -> bool {
        match self.claim {
            Claim::Wins => (says_won || self.kind == Kind::Many) && (self.is_answer(action) || self.wins_too(action)),
            Claim::Only => self.is_answer(action),
            Claim::NotWon => !says_won,
        }
    }

    fn wins_too(&self, action: &Action) -> bool {
        let mut prover = Prover::new(LONGER_PROOF_STONES);
        // A stone of another kind may win sooner, and short wins are quickly proved.
        self.game.rules().sides() == 2
            && (1..=self.stones + LONGER)
                .any(|stones| prover.wins_with(&self.game, action, Attack::Threes, stones) == Ok(true))
    }

    /// Whether an action does the same as one of the moves.
    fn is_answer(&self, action: &Action) -> bool {
        let after = |action: &Action| {
            let mut game = self.game.clone();
            game.play(action).ok().map(|_| game.hash())
        };
        let played = after(action);
        played.is_some() && self.moves.iter().any(|known| after(known) == played)
    }
}

/// All problems of a text.
///
/// # Errors
/// The first faulty line's number, from 1, and what is wrong with it.
pub fn problems(text: &str) -> Result<Vec<Problem>, (usize, ProblemFault)> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(index, line)| line.parse().map_err(|fault| (index + 1, fault))).collect()
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |actions: &[Action]| actions.iter().map(Action::to_string).collect::<Vec<_>>().join(" ");
        let moves = if self.moves.is_empty() { "-".to_owned() } else { words(&self.moves) };
        let fields = [
            &self.name,
            self.kind.name(),
            &self.game.rules().to_string(),
            &words(self.game.actions()),
            self.claim.name(),
            self.attack.name(),
            &self.stones.to_string(),
            &moves,
            &self.made,
        ];
        f.write_str(&fields.join("\t"))
    }
}

impl FromStr for Problem {
    type Err = ProblemFault;

    fn from_str(line: &str) -> Result<Problem, ProblemFault> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[name, kind, rules, actions, claim, attack, stones, moves, made] = fields.as_slice() else {
            return Err(ProblemFault::Fields(fields.len()));
        };
        let word = |word: &str| ProblemFault::Word(word.to_owned());
        let read = |text: &str| -> Result<Vec<Action>, ProblemFault> {
            text.split_whitespace().map(|word| word.parse().map_err(ProblemFault::Action)).collect()
        };
        let rules: Rules = rules.parse().map_err(ProblemFault::Rules)?;
        let actions = read(actions)?;
        let game = Game::replay(rules, &actions).map_err(|(index, _)| ProblemFault::Game(index + 1))?;
        if game.turn().is_none() {
            return Err(ProblemFault::Game(actions.len()));
        }
        Ok(Problem {
            name: name.to_owned(),
            kind: Kind::ALL.into_iter().find(|known| known.name() == kind).ok_or_else(|| word(kind))?,
            game,
            claim: Claim::ALL.into_iter().find(|known| known.name() == claim).ok_or_else(|| word(claim))?,
            attack: Attack::ALL.into_iter().find(|known| known.name() == attack).ok_or_else(|| word(attack))?,
            stones: stones.parse().ok().filter(|&stones| stones > 0).ok_or_else(|| word(stones))?,
            moves: if moves == "-" { Vec::new() } else { read(moves)? },
            made: made.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN_THREE: &str = "open-three\tfours\tgomoku\tH8 A1 I8 A3 J8 A5\twins\tfours\t2\tG8 K8\tby hand";

    #[test]
    fn a_problem_is_read_written_and_proved() {
        let problem: Problem = OPEN_THREE.parse().expect("a problem");
        assert_eq!(problem.to_string(), OPEN_THREE);
        assert_eq!(problem.verify(100_000), Ok(()));
        assert_eq!(problem.verify(100), Err(Wrong::TooMuch));
        assert!(problem.is_solved(&"G8".parse().expect("a move"), true));
        assert!(!problem.is_solved(&"G8".parse().expect("a move"), false));
        assert!(!problem.is_solved(&"F8".parse().expect("a move"), true));
    }

    #[test]
    fn what_is_wrong_is_found() {
        let changed = |from: &str, to: &str| OPEN_THREE.replace(from, to).parse::<Problem>();
        let wrong = |from: &str, to: &str| changed(from, to).expect("a problem").verify(10_000_000);
        assert!(matches!(wrong("G8 K8\t", "G8\t"), Err(Wrong::Moves(moves)) if moves.len() == 2));
        assert!(matches!(wrong("2\tG8", "3\tG8"), Err(Wrong::Won(_))));
        assert!(matches!(wrong("wins\tfours\t2\tG8 K8", "not-won\tfours\t2\t-"), Err(Wrong::Won(_))));
        assert!(matches!(wrong("wins\tfours\t2\tG8 K8", "only\tfours\t1\tG8 K8"), Err(Wrong::Moves(_))));
        assert_eq!(wrong("2\tG8 K8", "1\t-"), Err(Wrong::Moves(Vec::new())), "no win is no answer");
        for (from, to) in [("A5", "A3"), ("wins", "win"), ("gomoku", "go"), ("\t2\t", "\t0\t"), ("\tby hand", "")] {
            assert!(changed(from, to).is_err(), "{to}");
        }
    }
}
