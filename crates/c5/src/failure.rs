//! Why a command failed: a code, and one line that says what and what to do.

use app::StartError;
use app::api::ApiError;

/// The thing asked for failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The code of INTERFACES.md.
    pub code: &'static str,
    pub message: String,
    /// The command line itself was wrong (exit status 2 instead of 1).
    pub usage: bool,
}

impl Failure {
    pub fn new(code: &'static str, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into(), usage: false }
    }

    pub fn usage(code: &'static str, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into(), usage: true }
    }

    /// A flag that a later version has.
    pub fn not_yet(what: &str, instead: &str) -> Failure {
        Failure::new("not-available", format!("{what} is not available yet: {instead}"))
    }

    /// 1, or 2 for bad usage.
    pub const fn exit_code(&self) -> u8 {
        if self.usage { 2 } else { 1 }
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Failure {
        Failure::new(error.code(), error.to_string())
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Failure {
        Failure::new(error.code.name(), error.message)
    }
}
