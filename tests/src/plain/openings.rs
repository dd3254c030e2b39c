//! Whose turn it is, and what the openings ask (RULES.md, sections 3 and 7).

use super::board::{Board, Colour, Point};
use super::options::{Opening, Options};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Must {
    Place,
    Choose,
    ChooseOrAdd,
}

impl Must {
    pub fn name(self) -> &'static str {
        match self {
            Must::Place => "place",
            Must::Choose => "choose",
            Must::ChooseOrAdd => "choose-or-add",
        }
    }
}

/// Who acts, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub seat: usize,
    /// The colour of the stone that is placed next.
    pub colour: Colour,
    pub must: Must,
}

/// How far an opening has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Stones placed.
    pub ply: usize,
    /// `add` was said.
    pub added: bool,
    /// A colour was chosen.
    pub chosen: bool,
    /// The starter holds the second colour.
    pub swapped: bool,
}

/// In every opening stones of the two colours alternate; only who places them differs.
pub fn turn(options: &Options, progress: Progress) -> Turn {
    let colours = options.turn_colours();
    let colour = colours[progress.ply % colours.len()];
    let act = |seat, must| Turn { seat, colour, must };
    let open = !progress.chosen;
    match options.opening {
        Opening::PlaceFour if open && progress.ply < 4 => act(0, Must::Place),
        Opening::PlaceFour if open => act(1, Must::Choose),
        Opening::PlaceThree if open && progress.ply < 3 => act(0, Must::Place),
        Opening::PlaceThree if open && !progress.added => act(1, Must::ChooseOrAdd),
        Opening::PlaceThree if open && progress.ply < 5 => act(1, Must::Place),
        Opening::PlaceThree if open => act(0, Must::Choose),
        Opening::None | Opening::Centre | Opening::CentreFar | Opening::PlaceFour | Opening::PlaceThree => {
            let seat = progress.ply % options.seats;
            act(if progress.swapped { 1 - seat } else { seat }, Must::Place)
        }
    }
}

/// The colour that a seat holds; until colours are chosen the starter holds the first.
pub fn colour_of(options: &Options, progress: Progress, seat: usize) -> Colour {
    let colours = options.turn_colours();
    colours[(seat + usize::from(progress.swapped)) % colours.len()]
}

/// Are the stones of this moment exempt from section 6?
pub fn is_exempt(options: &Options, progress: Progress) -> bool {
    match options.opening {
        Opening::PlaceFour | Opening::PlaceThree => !progress.chosen,
        Opening::None | Opening::Centre | Opening::CentreFar => false,
    }
}

/// Does the opening allow a stone here?
pub fn allows(options: &Options, progress: Progress, board: &Board, point: Point) -> bool {
    let centre = board.centre();
    let distance = (point.row - centre.row).abs().max((point.column - centre.column).abs());
    let far = match options.opening {
        Opening::Centre => 3,
        Opening::CentreFar => 4,
        Opening::None | Opening::PlaceFour | Opening::PlaceThree => return true,
    };
    match progress.ply {
        0 => distance == 0,
        2 => distance >= far,
        _ => true,
    }
}
