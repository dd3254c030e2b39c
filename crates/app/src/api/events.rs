//! What the app tells the UI by itself.

use serde::Serialize;
use ts_rs::TS;

use super::{ApiError, home::HomeView, study::StudyNews, table::TableView};

/// One event. Views are whole: the UI replaces what it had.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "kebab-case", tag = "type")]
pub enum AppEvent {
    Home {
        view: Box<HomeView>,
    },
    Table {
        view: Box<TableView>,
    },
    /// The table is no longer followed on this device; `error` says why if it was not asked for.
    Closed {
        table: String,
        error: Option<ApiError>,
    },
    /// Something that was asked for earlier was refused (a stone, a seat). Nothing has changed.
    Refused {
        table: String,
        error: ApiError,
    },
    /// What a study has found, told to the page that asked, by the number under which it asked.
    Study {
        page: String,
        id: u32,
        news: StudyNews,
    },
}
