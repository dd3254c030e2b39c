//! Finished games as they are listed and counted: how each ended for this device's own person.

use history::Finished;
use rules::{Action, Game, Outcome};

use crate::api::home::FinishedView;
use crate::names::clean_name;
use crate::statistics::Played;
use crate::view::{result_view, winning_seats};

pub(crate) fn finished_view(kept: &Finished) -> FinishedView {
    // Kept games were checked when they were played; one that does not replay is listed without its board's facts.
    let game = Game::replay(kept.rules, &kept.actions).unwrap_or_else(|_| Game::new(kept.rules));
    FinishedView {
        game: format!("{}/{}", kept.table, kept.number),
        preset: kept.rules.preset().name().to_owned(),
        ended_s: kept.ended_s,
        names: kept.names.iter().map(|name| clean_name(name)).collect(),
        plies: game.ply(),
        result: result_view(&game, &kept.result, &kept.order, &kept.resigned),
        won: won(kept),
        gave_up: kept.own().iter().any(|seat| kept.gave_up.contains(seat)),
        counts: kept.counts,
    }
}

/// What is counted of a game; `None` where this device's own person had no seat in it.
pub(crate) fn played(kept: &Finished) -> Option<Played> {
    (!kept.own().is_empty()).then(|| Played { ended_s: kept.ended_s, won: won(kept) == Some(true) })
}

/// Whether this device's own person was among the winners, by the result that was kept; `None` in a draw, or when they
/// had no seat.
fn won(kept: &Finished) -> Option<bool> {
    let own = kept.own();
    let Outcome::Win { winners, .. } = &kept.result else { return None };
    let winners = winning_seats(&colours(kept), &kept.order, &kept.resigned, winners);
    let scored = |seat: &u8| winners.contains(seat) && !kept.gave_up.contains(seat);
    let (any, all) = (own.iter().any(scored), own.iter().all(scored));
    // Without a seat there is nobody to ask about, and of several seats of a game that was kept before guests were told
    // apart nobody knows whose they were.
    (any == all).then_some(any)
}

/// A game by which each player has the colour that they had in the end: nothing but an opening's choice changes it.
fn colours(kept: &Finished) -> Game {
    let chosen = kept.actions.iter().rposition(|action| matches!(action, Action::Choose(_)));
    let opening = &kept.actions[..chosen.map_or(0, |last| last + 1)];
    Game::replay(kept.rules, opening).unwrap_or_else(|_| Game::new(kept.rules))
}

#[cfg(test)]
mod tests {
    use rules::{Colour, Condition, DrawBy, Preset, Rules};
    use table::TableId;

    use super::*;

    /// Seats, as they are kept of a game: this device's, its guests', those given up, those resigned.
    type Seats<'a> = (&'a [u8], &'a [u8], &'a [u8], &'a [u8]);

    fn ended(rules: Rules, (mine, guests, gave_up, resigned): Seats, actions: &str, result: Outcome) -> Finished {
        Finished {
            table: TableId([1; 16]),
            number: 1,
            rules,
            names: Vec::new(),
            starter: 0,
            order: (0..rules.players()).collect(),
            actions: actions.split_whitespace().map(|word| word.parse().expect("an action")).collect(),
            made: String::new(),
            resigned: resigned.to_vec(),
            result,
            mine: mine.to_vec(),
            guests: guests.to_vec(),
            gave_up: gave_up.to_vec(),
            ended_s: 0,
            counts: None,
        }
    }

    fn win(colour: Colour) -> Outcome {
        Outcome::Win { winners: vec![colour], by: vec![Condition::Line] }
    }

    #[test]
    fn a_game_is_won_by_the_person_whose_device_it_is() {
        let two = Rules::of(Preset::Gomoku);
        let mut options = Preset::CaptureFive.options();
        (options.seats, options.teams) = (4, true);
        let teams = options.check(Preset::CaptureFive).expect("coherent");
        let cases: [(&str, Rules, Seats, Option<bool>); 11] = [
            ("alone", two, (&[0], &[], &[], &[]), Some(true)),
            ("the other", two, (&[1], &[], &[], &[]), Some(false)),
            ("nobody of this device", two, (&[], &[], &[], &[]), None),
            ("against a guest", two, (&[0, 1], &[1], &[], &[]), Some(true)),
            ("a guest", two, (&[0, 1], &[0], &[], &[]), Some(false)),
            ("before guests were told apart", two, (&[0, 1], &[], &[], &[]), None),
            ("given up before", two, (&[0], &[], &[0], &[]), Some(false)),
            ("with a partner", teams, (&[2], &[], &[], &[]), Some(true)),
            ("against the partners", teams, (&[3], &[], &[], &[]), Some(false)),
            ("the partner, a guest, had resigned", teams, (&[0, 2], &[2], &[], &[2]), Some(true)),
            ("the partner alone, after a resignation", teams, (&[2], &[], &[], &[2]), Some(false)),
        ];
        for (what, rules, seats, won) in cases {
            let game = ended(rules, seats, "", win(Colour::Black));
            assert_eq!(super::won(&game), won, "{what}");
            let counted = (!game.own().is_empty()).then_some(won == Some(true));
            assert_eq!(played(&game).map(|played| played.won), counted, "{what}");
        }
        let drawn = ended(two, (&[0], &[], &[], &[]), "", Outcome::Draw(DrawBy::FullBoard));
        assert_eq!((won(&drawn), played(&drawn).map(|played| played.won)), (None, Some(false)));
    }

    #[test]
    fn whoever_chose_another_colour_won_with_it() {
        let rules = Rules::of(Preset::PenteSwap2);
        let chosen = |choice: &str| {
            let actions = format!("K10 L10 M10 {choice} A1");
            won(&ended(rules, (&[1], &[], &[], &[]), &actions, win(Colour::Black)))
        };
        assert_eq!((chosen("black"), chosen("white")), (Some(true), Some(false)));
    }
}
