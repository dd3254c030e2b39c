//! The colours of stones. A side is known by its colour (RULES.md, sections 1 and 3).

use serde::{Deserialize, Serialize};

/// A colour of stone, and with it a side: partners in teams share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    Black,
    White,
    Blue,
    Red,
}

impl Colour {
    /// All colours, in the order in which results list them.
    pub const ALL: [Colour; 4] = [Colour::Black, Colour::White, Colour::Blue, Colour::Red];

    /// 0 to 3, in the order of [`Colour::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `black`, `white`, `blue`, `red`.
    pub const fn name(self) -> &'static str {
        match self {
            Colour::Black => "black",
            Colour::White => "white",
            Colour::Blue => "blue",
            Colour::Red => "red",
        }
    }

    /// The colour of this name.
    pub fn from_name(name: &str) -> Option<Colour> {
        Colour::ALL.into_iter().find(|colour| colour.name() == name)
    }

    /// A stone in a drawing of the board: `B`, `W`, `U` (blue), `R`.
    pub const fn letter(self) -> char {
        match self {
            Colour::Black => 'B',
            Colour::White => 'W',
            Colour::Blue => 'U',
            Colour::Red => 'R',
        }
    }

    /// The colour of a stone in a drawing.
    pub fn from_letter(letter: char) -> Option<Colour> {
        Colour::ALL.into_iter().find(|colour| colour.letter() == letter)
    }
}
