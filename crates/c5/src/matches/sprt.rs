//! A sequential test: games are played until it is clear whether one player is stronger by so much.
//!
//! Source: A. Wald, *Sequential tests of statistical hypotheses*, 1945; the likelihood of a mean, with the variance that
//! the trials themselves show, as in M. Van den Bergh, *A practical introduction to the GSPRT*, 2017. A trial is an
//! opening with all its games.

use std::str::FromStr;

use super::series::score_of;

/// Two guesses at the lead in Elo; the games decide between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
}

/// Which guess fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The higher one.
    Stronger,
    /// The lower one.
    NotStronger,
}

/// Where the test stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The logarithm of how much more likely the higher guess is.
    pub llr: f64,
    pub verdict: Option<Verdict>,
}

/// ln(0.95 / 0.05): either error happens in 5 of 100 tests.
const BOUND: f64 = 2.944_438_979_166_44;
/// Before so many trials their spread is not known well enough to decide.
const TRIALS_MIN: usize = 16;
/// A spread that is smaller has not been seen yet.
const VARIANCE_MIN: f64 = 0.01;
/// Guesses lie within this.
const ELO_MAX: f64 = 2_000.0;

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let numbers = text.split_once(',').and_then(|(low, high)| {
            let read = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= ELO_MAX);
            Some(Sprt { elo0: read(low)?, elo1: read(high)? })
        });
        let sprt = numbers.filter(|sprt| sprt.elo0 < sprt.elo1);
        sprt.ok_or_else(|| "give two numbers of Elo, the lower first, as in 0,10".to_owned())
    }
}

impl Sprt {
    /// After trials with these scores, among so many sides.
    pub fn standing(self, scores: &[f64], sides: u8) -> Standing {
        let trials = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / trials.max(1.0);
        let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / trials.max(1.0);
        let (low, high) = (score_of(self.elo0, sides), score_of(self.elo1, sides));
        let llr = trials * (high - low) * (2.0 * mean - low - high) / (2.0 * variance.max(VARIANCE_MIN));
        let verdict = match scores.len() {
            0..TRIALS_MIN => None,
            _ if llr >= BOUND => Some(Verdict::Stronger),
            _ if llr <= -BOUND => Some(Verdict::NotStronger),
            _ => None,
        };
        Standing { llr, verdict }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: Sprt = Sprt { elo0: 0.0, elo1: 10.0 };

    fn verdict(trials: &[(usize, f64)]) -> Option<Verdict> {
        let scores: Vec<f64> = trials.iter().flat_map(|&(times, score)| vec![score; times]).collect();
        TEN.standing(&scores, 2).verdict
    }

    #[test]
    fn a_test_ends_when_one_guess_is_clearly_likelier() {
        assert_eq!(verdict(&[]), None);
        assert_eq!(verdict(&[(15, 1.0)]), None, "too few");
        assert_eq!(verdict(&[(40, 1.0)]), Some(Verdict::Stronger));
        assert_eq!(verdict(&[(40, 0.0)]), Some(Verdict::NotStronger));
        assert_eq!(verdict(&[(200, 0.0), (600, 0.5), (200, 1.0)]), None);
        assert_eq!(verdict(&[(180, 0.0), (600, 0.5), (220, 1.0)]), None);
        assert_eq!(verdict(&[(900, 0.0), (3_000, 0.5), (1_100, 1.0)]), Some(Verdict::Stronger));
        assert_eq!(verdict(&[(1_000, 0.0), (3_000, 0.5), (1_000, 1.0)]), Some(Verdict::NotStronger));
    }

    #[test]
    fn the_likelihood_is_that_of_the_formula() {
        // Four trials of 1/2 ± 1/4: the variance is 1/16, and 10 Elo are 1/2 + 0.01439.
        let standing = TEN.standing(&[0.25, 0.75, 0.25, 0.75], 2);
        let gain = score_of(10.0, 2) - 0.5;
        assert!((gain - 0.01439).abs() < 1e-5, "{gain}");
        assert!((standing.llr + 4.0 * gain * gain / (2.0 / 16.0)).abs() < 1e-12, "{standing:?}");
    }

    #[test]
    fn guesses_are_read() {
        assert_eq!("0,10".parse(), Ok(TEN));
        assert_eq!("-5, 0".parse(), Ok(Sprt { elo0: -5.0, elo1: 0.0 }));
        for text in ["", "5", "10,0", "0,0", "0,x", "0,9999", "NaN,1", "0,inf"] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}
