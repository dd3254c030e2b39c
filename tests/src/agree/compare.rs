//! The product's game and the plain one side by side.

use std::fmt::Debug;

use rules::{Condition, DrawBy, Game, Must, Outcome, Played, Take};

use crate::plain::board::{Cell, Colour, Point};
use crate::plain::openings;
use crate::plain::winning::Ending;
use crate::plain::{Action, Done, Group, Plain};

/// The action as the product's engine takes it; `None` where only text can say it, such as a point beyond the
/// largest board.
pub fn action_of(game: &Game, action: &Action) -> Option<rules::Action> {
    Some(match action {
        Action::Place { at, take } => rules::Action::Place {
            at: point_of(*at)?,
            take: match take {
                None => Take::All,
                Some(groups) => Take::Just(groups.iter().map(group_of).collect::<Option<_>>()?),
            },
        },
        Action::Choose(colour) => rules::Action::Choose(colour_of(*colour)),
        Action::Add => rules::Action::Add,
        Action::Resign(Some(colour)) => rules::Action::Resign(colour_of(*colour)),
        // After the end nobody is to move; any colour will do.
        Action::Resign(None) => rules::Action::Resign(game.colour_of(game.turn().map_or(0, |turn| turn.player))),
        Action::Draw => rules::Action::Draw,
    })
}

/// The first difference of what both say of the position.
pub fn position(game: &Game, plain: &Plain) -> Result<(), String> {
    for at in plain.board.points() {
        let stone = point_of(at).and_then(|at| game.stone(at));
        let expected = match plain.board.at(at) {
            Cell::Outside | Cell::Empty => None,
            Cell::Stone(colour) => Some(colour_of(colour)),
        };
        same(|| format!("stone on {}", at.name()), &stone, &expected)?;
    }
    same(|| "ply".to_owned(), &usize::from(game.ply()), &plain.progress.ply)?;
    for colour in plain.options.colours() {
        let captured = usize::from(game.captured(colour_of(colour)));
        same(|| format!("captured by {}", colour.name()), &captured, &plain.captured(colour))?;
    }
    same(|| "to_move".to_owned(), &game.turn().map(turn), &plain.result.is_none().then(|| plain_turn(plain)))?;
    let overtime = game.overtime().map(|overtime| (overtime.colour, overtime.lines.clone()));
    let expected = plain
        .overtime
        .as_ref()
        .map(|pending| (colour_of(pending.colour), Vec::from_iter(group_of(&pending.line).map(|line| line.0))));
    same(|| "overtime".to_owned(), &overtime, &expected)?;
    same(|| "result".to_owned(), &game.result(), &plain.result.as_ref().map(outcome_of).as_ref())
}

/// The first difference of what both say that a stone or a choice did.
pub fn done(played: &Played, done: &Done) -> Result<(), String> {
    let groups = |groups: &[Group]| groups.iter().map(group_of).collect::<Option<Vec<_>>>().map(sorted);
    same(|| "took".to_owned(), &Some(sorted(played.took.clone())), &groups(&done.took))?;
    let lost = done.lost.iter().map(|(by, stones)| Some((colour_of(*by), group_of(stones)?.0)));
    let found: Vec<_> = rules::Colour::ALL.into_iter().map(|by| (by, stones_lost_to(played, by))).collect();
    let found = found.into_iter().filter(|(_, stones)| !stones.is_empty()).collect();
    same(|| "lost".to_owned(), &Some(found), &lost.collect::<Option<Vec<_>>>())
}

/// The first difference of the illegal points and of the groups.
pub fn points(game: &Game, plain: &Plain) -> Result<(), String> {
    let illegal: Vec<Option<rules::Point>> = game.illegal().into_iter().map(Some).collect();
    let expected: Vec<Option<rules::Point>> = plain.illegal().into_iter().map(point_of).collect();
    same(|| "illegal".to_owned(), &illegal, &expected)?;
    let mut expected = plain.groups().into_iter().peekable();
    for at in plain.board.empty_points() {
        let groups = expected.next_if(|(point, _)| *point == at).map_or_else(Vec::new, |(_, groups)| groups);
        let groups: Option<Vec<rules::Group>> = groups.iter().map(group_of).collect();
        let found = point_of(at).map(|point| if game.turn().is_some() { game.groups(point) } else { Vec::new() });
        same(|| format!("groups at {}", at.name()), &found, &groups)?;
    }
    Ok(())
}

fn stones_lost_to(played: &Played, by: rules::Colour) -> Vec<rules::Point> {
    let mut stones: Vec<rules::Point> =
        played.lost.iter().filter(|(colour, _)| *colour == by).flat_map(|(_, points)| points.clone()).collect();
    stones.sort();
    stones.dedup();
    stones
}

fn sorted(mut groups: Vec<rules::Group>) -> Vec<rules::Group> {
    groups.sort();
    groups
}

fn same<T: PartialEq + Debug>(what: impl Fn() -> String, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{}: rules say {found:?}, plain says {expected:?}", what())) }
}

fn colour_of(colour: Colour) -> rules::Colour {
    match colour {
        Colour::Black => rules::Colour::Black,
        Colour::White => rules::Colour::White,
        Colour::Blue => rules::Colour::Blue,
        Colour::Red => rules::Colour::Red,
    }
}

fn point_of(point: Point) -> Option<rules::Point> {
    rules::Point::new(u8::try_from(point.column).ok()?, u8::try_from(point.row).ok()?)
}

fn group_of(group: &Group) -> Option<rules::Group> {
    group.iter().copied().map(point_of).collect::<Option<_>>().map(rules::Group)
}

fn turn(turn: rules::Turn) -> (usize, rules::Colour, Must) {
    (usize::from(turn.player), turn.colour, turn.must)
}

fn plain_turn(plain: &Plain) -> (usize, rules::Colour, Must) {
    let turn = plain.turn();
    let must = match turn.must {
        openings::Must::Place => Must::Place,
        openings::Must::Choose => Must::Choose,
        openings::Must::ChooseOrAdd => Must::ChooseOrAdd,
    };
    (turn.seat, colour_of(turn.colour), must)
}

fn outcome_of(ending: &Ending) -> Outcome {
    match ending {
        Ending::Win { winners, by } => Outcome::Win {
            winners: winners.iter().copied().map(colour_of).collect(),
            by: by.iter().map(|name| Condition::from_name(name).expect("a condition")).collect(),
        },
        Ending::Draw { by } => Outcome::Draw(DrawBy::from_name(by).expect("a kind of draw")),
    }
}
