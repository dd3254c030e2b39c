//! A finished game, and the line of JSON it is kept as.

use rules::{Action, Colour, Group, Options, Outcome, Preset, Rules, Take};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use table::TableId;

/// A finished game as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    pub table: TableId,
    /// The game's number in the series, from 1.
    pub number: u32,
    pub rules: Rules,
    /// Names by seat; empty for CPUs and open seats.
    pub names: Vec<String>,
    /// The seat that started, and the turn order.
    pub starter: u8,
    pub order: Vec<u8>,
    pub actions: Vec<Action>,
    /// By action: who made each of `actions` (`h` hand, `c` cpu, `k` clock), for the record.
    pub made: String,
    pub resigned: Vec<u8>,
    pub result: Outcome,
    /// This device's seats, those that it gave up included.
    pub mine: Vec<u8>,
    /// Those of them where somebody sat who shared this device.
    pub guests: Vec<u8>,
    /// Those that its people gave up while the game ran.
    pub gave_up: Vec<u8>,
    /// Seconds since 1970 by the wall clock, for display only.
    pub ended_s: u64,
    /// A game that was ranked from its start: whether it counts. `None` for one that was not.
    pub counts: Option<bool>,
}

/// Raised when a field changes its meaning. A new field with a default does not raise it.
const VERSION: u32 = 1;

/// The line's fields, in names and texts that outlive changes of our types.
#[derive(Serialize, Deserialize)]
struct Kept {
    v: u32,
    table: String,
    game: u32,
    preset: String,
    /// Every option, so that a preset that changes later leaves old games as they were.
    options: BTreeMap<String, String>,
    names: Vec<String>,
    starter: u8,
    order: Vec<u8>,
    actions: String,
    made: String,
    resigned: Vec<u8>,
    result: Outcome,
    mine: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    guests: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    gave_up: Vec<u8>,
    ended_s: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    counts: Option<bool>,
}

impl Finished {
    /// The seats of this device's own person, without its guests'. Of a game that was kept before guests were told apart
    /// all of the device's.
    pub fn own(&self) -> Vec<u8> {
        self.mine.iter().copied().filter(|seat| !self.guests.contains(seat)).collect()
    }

    /// Whether another account of the game tells the same of its course and end; who sits at the table is no part of it.
    pub(crate) fn is_same_course(&self, other: &Finished) -> bool {
        let since = |game: &Finished| Finished {
            names: Vec::new(),
            mine: Vec::new(),
            guests: Vec::new(),
            ended_s: 0,
            ..game.clone()
        };
        since(self) == since(other)
    }

    pub(crate) fn to_line(&self) -> Vec<u8> {
        let options = self.rules.options();
        let kept = Kept {
            v: VERSION,
            table: self.table.to_string(),
            game: self.number,
            preset: self.rules.preset().name().to_owned(),
            options: rules::OptionName::ALL
                .into_iter()
                .map(|name| (name.name().to_owned(), options.get(name).to_owned()))
                .collect(),
            names: self.names.clone(),
            starter: self.starter,
            order: self.order.clone(),
            actions: self.actions.iter().map(write_action).collect::<Vec<_>>().join(" "),
            made: self.made.clone(),
            resigned: self.resigned.clone(),
            result: self.result.clone(),
            mine: self.mine.clone(),
            guests: self.guests.clone(),
            gave_up: self.gave_up.clone(),
            ended_s: self.ended_s,
            counts: self.counts,
        };
        serde_json::to_vec(&kept).unwrap_or_default()
    }

    /// Table and number alone; lines of later versions have them too.
    pub(crate) fn name_in(line: &[u8]) -> Option<(TableId, u32)> {
        #[derive(Deserialize)]
        struct Name {
            table: String,
            game: u32,
        }
        let name: Name = serde_json::from_slice(line).ok()?;
        Some((name.table.parse().ok()?, name.game))
    }

    /// `None` where this version cannot read it.
    pub(crate) fn from_line(line: &[u8]) -> Option<Finished> {
        let kept: Kept = serde_json::from_slice(line).ok().filter(|kept: &Kept| kept.v == VERSION)?;
        let preset = Preset::from_name(&kept.preset)?;
        let mut options: Options = preset.options();
        for (name, value) in &kept.options {
            options.set(name, value).ok()?;
        }
        Some(Finished {
            table: kept.table.parse().ok()?,
            number: kept.game,
            rules: options.check(preset).ok()?,
            names: kept.names,
            starter: kept.starter,
            order: kept.order,
            actions: kept.actions.split_terminator(' ').map(read_action).collect::<Option<_>>()?,
            made: kept.made,
            resigned: kept.resigned,
            result: kept.result,
            mine: kept.mine,
            guests: kept.guests,
            gave_up: kept.gave_up,
            ended_s: kept.ended_s,
            counts: kept.counts,
        })
    }
}

/// `H8` takes all it can, `H8x` nothing, `H8xG8-F8+H9-H10` just these groups; `black`, `add`, `resign:black`, `draw`.
fn write_action(action: &Action) -> String {
    match action {
        Action::Place { at, take: Take::All } => at.to_string(),
        Action::Place { at, take: Take::Just(groups) } => {
            let group = |group: &Group| group.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("-");
            format!("{at}x{}", groups.iter().map(group).collect::<Vec<_>>().join("+"))
        }
        Action::Choose(colour) => colour.name().to_owned(),
        Action::Add => "add".to_owned(),
        Action::Resign(colour) => format!("resign:{}", colour.name()),
        Action::Draw => "draw".to_owned(),
    }
}

fn read_action(text: &str) -> Option<Action> {
    let colour = |name: &str| Colour::ALL.into_iter().find(|colour| colour.name() == name);
    if let Some(colour) = colour(text) {
        return Some(Action::Choose(colour));
    }
    match text {
        "add" => return Some(Action::Add),
        "draw" => return Some(Action::Draw),
        _ => {}
    }
    if let Some(name) = text.strip_prefix("resign:") {
        return Some(Action::Resign(colour(name)?));
    }
    let Some((at, groups)) = text.split_once('x') else { return Some(Action::place(text.parse().ok()?)) };
    let group = |text: &str| Some(Group(text.split('-').map(|point| point.parse().ok()).collect::<Option<_>>()?));
    let take = if groups.is_empty() { Vec::new() } else { groups.split('+').map(group).collect::<Option<_>>()? };
    Some(Action::Place { at: at.parse().ok()?, take: Take::Just(take) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_read_as_they_are_written() {
        for text in ["A1", "S19", "H8x", "H8xG8-F8", "H8xG8-F8+H9-H10", "black", "white", "add", "resign:white", "draw"]
        {
            let action = read_action(text).unwrap();
            assert_eq!(write_action(&action), text);
        }
        for text in ["", "H0", "T1", "h8", "H8y", "H8xG8-", "H8x+", "resign:", "resign:green", "Add", "H8 "] {
            assert_eq!(read_action(text), None, "{text:?}");
        }
    }
}
