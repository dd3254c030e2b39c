//! A match as numbers: which game comes next, who sits where in it, and what came of all. No clock, no thread.

use super::sprt::{Sprt, Standing};

/// A match before it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    pub games: u32,
    /// Sides in a game: seats, or two in teams. The first player has one of them.
    pub sides: u8,
    /// At least one; taken in order, again and again.
    pub openings: usize,
    pub seed: u64,
    /// Ends the match as soon as this test is decided.
    pub sprt: Option<Sprt>,
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// From 0.
    pub number: u32,
    pub opening: usize,
    /// The side, by turn order, that the first player has.
    pub side: u8,
    /// For the players' decisions.
    pub seed: u64,
}

/// One of the two players of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    A,
    B,
}

/// How a game went for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With so many winners in all.
    Won(u8),
    Drawn,
    Lost,
}

/// Why a game was broken off: one player broke a rule or the clock, and has lost it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foul {
    /// It was late, silent, gone, or refused to play.
    Forfeit,
    Illegal,
}

/// Results of a match: see [`Series::figures`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    pub games: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// What the first player got of what there was, 0 to 1: all of a game won alone, its part of one won together, one
    /// in so many sides of a draw.
    pub score: f64,
    /// Half the width of the interval that holds the true value 95 times in 100, from how the openings differ, each
    /// with all its games. `None` with fewer than two openings played out.
    pub score_error: Option<f64>,
    /// How much stronger the first player is than each of the others; `None` where it has won or lost all.
    pub elo: Option<f64>,
    pub elo_error: Option<f64>,
    /// By A and by B.
    pub forfeits: [u32; 2],
    pub illegal: [u32; 2],
    pub sprt: Option<Standing>,
}

/// A match under way.
#[derive(Clone, Debug)]
pub struct Series {
    plan: Plan,
    next: u32,
    /// What came of each game that has ended, by its number.
    endings: Vec<Option<Ending>>,
    forfeits: [u32; 2],
    illegal: [u32; 2],
    /// A test once decided stays so, whatever the games say that were still under way.
    is_decided: bool,
}

impl Series {
    pub fn new(plan: Plan) -> Series {
        let endings = vec![None; plan.games as usize];
        Series { plan, next: 0, endings, forfeits: [0; 2], illegal: [0; 2], is_decided: false }
    }

    /// The next game that has not ended: each opening is played with the first player on every side before the next one
    /// comes.
    pub fn next(&mut self) -> Option<Pairing> {
        let is_ended = |number: u32| self.endings.get(number as usize).is_some_and(Option::is_some);
        while is_ended(self.next) {
            self.next += 1;
        }
        if self.next == self.plan.games || self.is_decided {
            return None;
        }
        let number = self.next;
        self.next += 1;
        let sides = u32::from(self.plan.sides);
        Some(Pairing {
            number,
            opening: (number / sides) as usize % self.plan.openings,
            side: (number % sides) as u8,
            seed: self.plan.seed.wrapping_add(u64::from(number)),
        })
    }

    /// A game has ended, in whatever order.
    pub fn ended(&mut self, number: u32, ending: Ending, foul: Option<(Who, Foul)>) {
        self.endings[number as usize] = Some(ending);
        if let Some((who, foul)) = foul {
            let counts = match foul {
                Foul::Forfeit => &mut self.forfeits,
                Foul::Illegal => &mut self.illegal,
            };
            counts[who as usize] += 1;
        }
        self.is_decided |= self.sprt().is_some_and(|standing| standing.verdict.is_some());
    }

    /// What came of the games that have ended.
    pub fn figures(&self) -> Figures {
        let ended: Vec<Ending> = self.endings.iter().filter_map(|ending| *ending).collect();
        let count = |suits: fn(&Ending) -> bool| ended.iter().filter(|ending| suits(ending)).count() as u32;
        let score = mean(&ended.iter().map(|&ending| self.reward(ending)).collect::<Vec<_>>()).unwrap_or(0.0);
        let score_error = error_of(&self.trials());
        let elo = elo(score, self.plan.sides);
        Figures {
            games: ended.len() as u32,
            wins: count(|ending| matches!(ending, Ending::Won(_))),
            draws: count(|ending| matches!(ending, Ending::Drawn)),
            losses: count(|ending| matches!(ending, Ending::Lost)),
            score,
            score_error,
            elo,
            elo_error: elo.and(score_error).map(|error| error * elo_slope(score)),
            forfeits: self.forfeits,
            illegal: self.illegal,
            sprt: self.sprt(),
        }
    }

    fn sprt(&self) -> Option<Standing> {
        self.plan.sprt.map(|sprt| sprt.standing(&self.trials(), self.plan.sides))
    }

    fn reward(&self, ending: Ending) -> f64 {
        match ending {
            Ending::Won(winners) => 1.0 / f64::from(winners),
            Ending::Drawn => 1.0 / f64::from(self.plan.sides),
            Ending::Lost => 0.0,
        }
    }

    /// The mean of each opening with all its games. They are no independent trials, since a lopsided opening gives each
    /// player one win: they count as one trial together.
    pub fn trials(&self) -> Vec<f64> {
        let whole_group = |group: &[Option<Ending>]| {
            let rewards = group.iter().map(|ending| ending.map(|ending| self.reward(ending)));
            let rewards = rewards.collect::<Option<Vec<f64>>>()?;
            if rewards.len() == usize::from(self.plan.sides) { mean(&rewards) } else { None }
        };
        self.endings.chunks(usize::from(self.plan.sides)).filter_map(whole_group).collect()
    }
}

/// Half the width of the interval that holds the true mean 95 times in 100; `None` with fewer than two trials.
pub fn error_of(trials: &[f64]) -> Option<f64> {
    if trials.len() < 2 {
        return None;
    }
    let middle = mean(trials)?;
    let spread: f64 = trials.iter().map(|trial| (trial - middle).powi(2)).sum();
    if spread == 0.0 {
        // All agree, which proves no more than that others are rare: at most 3 in so many, 95 times in 100.
        return Some((UNSEEN / trials.len() as f64).min(1.0));
    }
    let variance = spread / (trials.len() - 1) as f64;
    Some(CONFIDENCE * (variance / trials.len() as f64).sqrt())
}

/// Standard deviations on either side that hold 95 % of a normal distribution.
const CONFIDENCE: f64 = 1.96;
/// What never happened in n trials has a probability of at most this over n, 95 times in 100 (the rule of three).
const UNSEEN: f64 = 3.0;

fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() { None } else { Some(values.iter().sum::<f64>() / values.len() as f64) }
}

/// The lead in Elo over each of the others that gives this score; with two sides the usual one, with more by the same
/// reasoning (a player of strength g among n with strength 1 gets g of g + n − 1).
fn elo(score: f64, sides: u8) -> Option<f64> {
    let others = f64::from(sides) - 1.0;
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score * others / (1.0 - score)).log10())
}

/// The score that a lead in Elo over each of the others gives.
pub fn score_of(elo: f64, sides: u8) -> f64 {
    let strength = 10f64.powf(elo / 400.0);
    strength / (strength + f64::from(sides) - 1.0)
}

/// How much Elo changes with the score.
fn elo_slope(score: f64) -> f64 {
    400.0 / std::f64::consts::LN_10 / (score * (1.0 - score))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOST: Ending = Ending::Lost;
    const DRAWN: Ending = Ending::Drawn;
    const WON: Ending = Ending::Won(1);

    fn series(games: u32, sides: u8, openings: usize) -> Series {
        Series::new(Plan { games, sides, openings, seed: 7, sprt: None })
    }

    fn after(sides: u8, endings: &[Ending]) -> Figures {
        let mut series = series(endings.len() as u32, sides, 1);
        // The order in which games end must not matter.
        for (number, &ending) in endings.iter().enumerate().rev() {
            series.ended(number as u32, ending, None);
        }
        series.figures()
    }

    #[test]
    fn each_opening_is_played_on_every_side() {
        let mut two = series(5, 2, 2);
        let seats: Vec<(usize, u8)> =
            std::iter::from_fn(|| two.next()).map(|pairing| (pairing.opening, pairing.side)).collect();
        assert_eq!(seats, [(0, 0), (0, 1), (1, 0), (1, 1), (0, 0)]);
        let mut three = series(4, 3, 2);
        let all: Vec<Pairing> = std::iter::from_fn(|| three.next()).collect();
        assert_eq!(all.iter().map(|pairing| pairing.side).collect::<Vec<_>>(), [0, 1, 2, 0]);
        assert_eq!(all.iter().map(|pairing| pairing.opening).collect::<Vec<_>>(), [0, 0, 0, 1]);
        assert_eq!((all[3].number, all[3].seed), (3, 10));
    }

    #[test]
    fn what_has_ended_is_not_played_again() {
        let mut series = series(5, 2, 2);
        for number in [0, 1, 3, 4] {
            series.ended(number, WON, None);
        }
        assert_eq!(series.next().map(|pairing| (pairing.number, pairing.seed)), Some((2, 9)));
        assert_eq!(series.next(), None);
    }

    #[test]
    fn results_are_counted() {
        let figures = after(2, &[WON, LOST, WON, DRAWN]);
        assert_eq!((figures.games, figures.wins, figures.draws, figures.losses), (4, 2, 1, 1));
        assert_eq!(figures.score, 0.625);
        // 3 to 1 is 191 Elo, as any table says.
        let three_to_one = after(2, &[WON, WON, WON, LOST]);
        assert_eq!(three_to_one.elo.map(f64::round), Some(191.0));
        assert_eq!(after(2, &[WON, LOST]).elo, Some(0.0));
        assert_eq!(after(2, &[WON, WON]).elo, None);
        assert_eq!(after(2, &[]).score, 0.0);
    }

    #[test]
    fn the_error_is_that_of_pairs() {
        // Openings that the first mover always wins agree that the players are equal; so do those of others.
        assert_eq!(after(2, &[[WON, LOST]; 10].concat()).score_error, Some(0.3));
        assert_eq!(after(2, &[WON; 60]).score_error, Some(0.1));
        assert_eq!(after(2, &[WON; 4]).score_error, Some(1.0));
        // Pairs of 2 and 0: the mean is 1/2, the deviation of a pair √(1/3), of four pairs half of it.
        let figures = after(2, &[WON, WON, LOST, LOST, WON, WON, LOST, LOST]);
        let error = 1.96 * (1.0f64 / 3.0).sqrt() / 2.0;
        assert!((figures.score_error.expect("pairs") - error).abs() < 1e-12);
        assert!((figures.elo_error.expect("pairs") - error * 1600.0 / std::f64::consts::LN_10).abs() < 1e-9);
        // One pair says nothing about others, nor does half a one.
        assert_eq!(after(2, &[WON, LOST, WON]).score_error, None);
    }

    #[test]
    fn with_more_sides_a_part_of_the_wins_is_even() {
        let figures = after(4, &[WON, LOST, LOST, LOST]);
        assert_eq!((figures.score, figures.elo), (0.25, Some(0.0)));
        assert_eq!(after(3, &[Ending::Won(2), LOST, LOST]).score, 1.0 / 6.0);
        assert_eq!(after(4, &[DRAWN, DRAWN]).score, 0.25);
    }

    #[test]
    fn elo_and_score_are_each_others_inverse() {
        for (elo_, sides) in [(0.0, 2), (100.0, 2), (-250.0, 3), (40.0, 4)] {
            let back = elo(score_of(elo_, sides), sides).expect("between 0 and 1");
            assert!((back - elo_).abs() < 1e-9, "{elo_} {sides}: {back}");
        }
    }

    #[test]
    fn a_decided_test_ends_the_match() {
        let sprt = "0,10".parse().ok();
        let mut series = Series::new(Plan { games: 1_000, sides: 2, openings: 1, seed: 1, sprt });
        let mut played = 0;
        while let Some(pairing) = series.next() {
            series.ended(pairing.number, WON, None);
            played += 1;
        }
        assert_eq!(played, 32, "sixteen openings decide");
        assert!(series.figures().sprt.is_some_and(|standing| standing.verdict.is_some()));
    }

    #[test]
    fn fouls_are_counted_by_player() {
        let mut series = series(3, 2, 1);
        series.ended(0, LOST, Some((Who::A, Foul::Illegal)));
        series.ended(1, WON, Some((Who::B, Foul::Forfeit)));
        series.ended(2, WON, Some((Who::B, Foul::Forfeit)));
        let figures = series.figures();
        assert_eq!((figures.forfeits, figures.illegal), ([0, 2], [1, 0]));
    }
}
