//! What crosses to the UI: commands in, views and events out. Declared once, here; `ui/src/bindings` is generated from it.

pub mod branch;
pub mod commands;
pub mod error;
pub mod events;
pub mod home;
pub mod learn;
pub mod setup;
pub mod study;
pub mod table;

pub use error::{ApiError, ErrorCode};
pub use events::AppEvent;
