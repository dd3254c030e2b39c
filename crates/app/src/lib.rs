//! The product without a window: one actor a table joins the table protocol, the network, the history and the CPU;
//! commands go in, views and events come out. It draws nothing and holds no rule of its own.

pub mod api;

mod actor;
mod app;
mod clock;
mod commands;
mod config;
mod core;
mod favourites;
mod finished;
mod home;
mod learn;
mod names;
mod resting;
#[cfg(test)]
mod script;
pub mod setup;
pub mod snapshot;
mod statistics;
mod study;
mod view;

pub use actor::News;
pub use actor::mind::find_move;
pub use app::{App, JOIN_WAIT_MS, Listener};
pub use config::{Config, PROTOCOL_VERSION, StartError, data_folder};
pub use names::{NAME_CHARS_MAX, checked_name, clean_name};
pub use snapshot::Snapshot;
pub use view::{table_view, words_view};
