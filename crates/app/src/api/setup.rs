//! Opening a table: what can be chosen, and whether it goes together.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

use super::table::{SectionView, TableSettings};

/// What the set-up screen asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SetupRequest {
    pub preset: String,
    /// 2 to 4 seats; the first is the opener's.
    pub seats: Vec<SeatPlan>,
    /// Options that differ from the preset's, as text: `{"board":"19","overline":"wins"}`.
    pub options: BTreeMap<String, String>,
    #[serde(default)]
    pub settings: TableSettings,
}

/// Who a seat is meant for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum SeatPlan {
    Me,
    /// Anyone on the network; in an offer of other terms also whoever sits there.
    Open,
    /// `level` 1 to 8.
    Cpu {
        level: u8,
    },
    /// Another person at this device, who sits down as the table is opened. In an offer of other terms as `Open`.
    Here {
        name: String,
    },
}

/// A set-up that somebody likes to play, under its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FavouriteView {
    pub name: String,
    /// Without a PIN.
    pub request: SetupRequest,
}

/// The set-up screen: the presets, and the options of the chosen one as they now stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct SetupView {
    pub presets: Vec<PresetView>,
    pub options: Vec<OptionView>,
    /// The rules of the table that would be opened, in words; empty where options clash.
    pub words: Vec<SectionView>,
    /// Names of two options that clash; the table cannot be opened.
    pub clash: Option<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct PresetView {
    pub preset: String,
    pub seats_min: u8,
    pub seats_max: u8,
}

/// One option that this preset offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct OptionView {
    pub name: String,
    pub value: String,
    pub values: Vec<String>,
    /// The preset's own value.
    pub default: String,
    /// Closed because it would clash with this other option.
    pub closed_by: Option<String>,
}
