//! Shapes on one axis around a point `*`: `X` is the side that will play there, `O` and `o` are enemies of it, `z` is
//! a third side, `.` stays empty, a space may be anything.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::options::pick;
use super::style::Style;

const CAPTURES: &[&str] =
    &["*OOX", "*OOX", "*OOOX", "*OoX", "*ooOX", "XOO*OOX", "XOOO*OOX", "XOo*OOX", "*OOOOX", "*OX", "*OO"];
const FLANKS: &[&str] =
    &["OX*O", "O*XO", "OXX*O", "OX*XO", "Oz*O", "OXz*O", "O*zO", "OX*zO", "Ozz*O", "O*O", "OXXX*O", "OX*"];
const LINES_OF_FIVE: &[&str] = &["XXXX*", "XX*XX", "XXX*X", "XXXX*X", "XXX*XX", "OXXXX*O", "OXX*XX."];
const LINES_OF_FOUR: &[&str] = &["XXX*", "XX*X", "XXX*X", "XX*XX", "OXXX*O", "OX*XX."];
const BLOCKS_OF_FIVE: &[&str] = &["OOOO*", "OO*OO", "OOO*O", "OOO*OO", "*OOOOX"];
const BLOCKS_OF_FOUR: &[&str] = &["OOO*", "OO*O", "OO*OO", "*OOOX"];
const THREES: &[&str] = &[
    ".XX*.", "..XX*..", ".X*X.", "..X*X..", ".X.X*.", "..X.X*..", ".X.*X.", "..X.*X..", ".XX.*.", "..XX.*..", ".X*.X.",
    "..X*.X..", "OXX*..", "..XX*.O", "X..XX*..", "..X*X..X", "..XX*.X",
];
const FOURS: &[&str] = &[
    "XXX*.",
    ".XXX*.",
    "OXXX*.",
    "XX.*X",
    "XXX.*.XXX",
    "X.XX*.X",
    "XXX*.X",
    "X.X*X.X",
    "XX.X*.XX",
    "XX*X.X",
    "X.XX*",
    "XX.X*",
];
const OVERLINES: &[&str] = &["XXX*XX", "XXXX*X", "XX*XXX", "XXX*XXX", "XXXXX*"];

/// A shape that suits the style.
pub fn random(rng: &mut ChaCha8Rng, style: Style, length: usize) -> &'static str {
    let (lines, blocks) = if length == 5 { (LINES_OF_FIVE, BLOCKS_OF_FIVE) } else { (LINES_OF_FOUR, BLOCKS_OF_FOUR) };
    let kinds: &[(u32, &[&str])] = match style {
        Style::Renju | Style::FillRenju => &[(6, THREES), (6, FOURS), (3, OVERLINES), (1, lines), (1, blocks)],
        Style::DoubleThrees => &[(12, THREES), (2, lines), (2, blocks), (3, CAPTURES), (1, FOURS)],
        Style::Flanks | Style::FillFlanks => &[(8, FLANKS), (3, CAPTURES), (1, lines)],
        Style::Free | Style::Stars | Style::Trims | Style::Claims | Style::Fill => {
            &[(6, CAPTURES), (3, FLANKS), (3, lines), (1, blocks), (1, THREES), (1, OVERLINES)]
        }
    };
    pick(rng, kinds).choose(rng).expect("every kind has shapes")
}

/// A line of the mover that `*` completes.
pub fn line(rng: &mut ChaCha8Rng, length: usize) -> &'static str {
    let lines = if length == 5 { LINES_OF_FIVE } else { LINES_OF_FOUR };
    lines[rng.random_range(0..lines.len())]
}
