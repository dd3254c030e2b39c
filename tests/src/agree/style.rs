//! What a game is about: chosen once a game, so that each kind of event becomes frequent in some games.

use rand_chacha::ChaCha8Rng;

use super::options::pick;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Points are weighed by runs, captures and flanks, with weights drawn for the game.
    Free,
    /// Shapes of all kinds around one point, again and again.
    Stars,
    Renju,
    DoubleThrees,
    /// Captures that cut longer runs to a winning length.
    Trims,
    /// Lines in overtime, and answers to them.
    Claims,
    Flanks,
    /// A pattern without lines fills the board.
    Fill,
    /// The same where flanks may not be entered.
    FillFlanks,
    /// The same around a point that black may not play.
    FillRenju,
}

impl Style {
    pub fn random(rng: &mut ChaCha8Rng) -> Style {
        *pick(
            rng,
            &[
                (6, Style::Free),
                (6, Style::Stars),
                (4, Style::Renju),
                (4, Style::DoubleThrees),
                (10, Style::Trims),
                (10, Style::Claims),
                (4, Style::Flanks),
                (2, Style::Fill),
                (1, Style::FillFlanks),
                (1, Style::FillRenju),
            ],
        )
    }
}
