//! Setting up (RULES.md, section 3): turn order, colours, teams, and who starts each game of a series.
//!
//! A *seat* is a place at the table; a *player* is a place in the turn order of one game, 0 for the starter.

use crate::{Colour, FirstColour, FirstStart, Options, Rules};

/// Who starts a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starter {
    Seat(u8),
    /// One of the seats, drawn so that nobody can choose it.
    Toss,
}

/// Who starts the next game of a series (sections 2 and 3.4): `last` started the one before; `seats` are those that
/// will play, in seat order, at least one. A starter's seat that is no longer there gives way to the next.
///
/// ```
/// use rules::{Preset, Starter, starter, turn_order};
///
/// let options = Preset::CaptureFive.options();
/// assert_eq!(starter(&options, &[0, 1, 2], None), Starter::Seat(0));
/// assert_eq!(starter(&options, &[0, 1, 2], Some(0)), Starter::Seat(1));
/// assert_eq!(turn_order(&[0, 1, 2], 1), [1, 2, 0]);
/// ```
pub fn starter(options: &Options, seats: &[u8], last: Option<u8>) -> Starter {
    let from = match (last, options.first_start) {
        (None, FirstStart::FirstSeat) => 0,
        (None, FirstStart::Random) => return Starter::Toss,
        (Some(last), FirstStart::FirstSeat | FirstStart::Random) => last.saturating_add(u8::from(options.pass_start)),
    };
    Starter::Seat(seats.iter().copied().find(|&seat| seat >= from).unwrap_or(seats[0]))
}

/// The seats in turn order (section 3.1): from the starter on in seat order, round and round.
pub fn turn_order(seats: &[u8], starter: u8) -> Vec<u8> {
    let first = seats.iter().position(|&seat| seat == starter).unwrap_or(0);
    seats.iter().cycle().skip(first).take(seats.len()).copied().collect()
}

/// Colours follow turn order (section 3.2).
impl Rules {
    /// The colours in play, in turn order (two in teams).
    pub fn colours(&self) -> Vec<Colour> {
        self.turn_colours()[..usize::from(self.sides())].to_vec()
    }

    /// The colour that a player starts with; an opening may exchange the two.
    pub fn first_colour_of(&self, player: u8) -> Colour {
        self.turn_colours()[usize::from(player % self.sides())]
    }

    /// In teams (section 3.3), the other player of the same side: two places further in turn order.
    pub fn partner_of(&self, player: u8) -> Option<u8> {
        self.options().teams.then(|| (player + self.sides()) % self.players())
    }

    /// All colours in turn order; the first [`Rules::sides`] of them are in play.
    pub(crate) fn turn_colours(&self) -> [Colour; 4] {
        use Colour::{Black, Blue, Red, White};
        match self.options().colours {
            FirstColour::Black => [Black, White, Blue, Red],
            FirstColour::White => [White, Black, Blue, Red],
        }
    }
}
