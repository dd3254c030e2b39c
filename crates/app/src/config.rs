//! What starts the app, and why it may not start.

use std::path::PathBuf;

/// What an [`App`](crate::App) is started with.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where everything is kept; one process at a time.
    pub data: PathBuf,
    /// The UDP port for links. `None`: 40515 where it is free, else any.
    pub port: Option<u16>,
    /// The version of the table protocol; another one is for tests of what then happens.
    pub protocol: u32,
}

pub use table::limits::PROTOCOL_VERSION;

impl Config {
    /// As everybody starts it.
    pub fn new(data: PathBuf) -> Config {
        Config { data, port: None, protocol: PROTOCOL_VERSION }
    }
}

/// Why the app cannot start. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("another Capture Five uses {0}: close it, or choose another folder with --data")]
    DataInUse(PathBuf),
    #[error("{path} cannot be written ({why}): make it writable, or choose another folder with --data")]
    DataUnwritable { path: PathBuf, why: String },
    #[error(
        "something else lies at {0}, where Capture Five keeps its own: move it away, or choose another folder with --data"
    )]
    DataInTheWay(PathBuf),
    #[error("{0} is a file and not a folder: choose another folder with --data, or move the file away")]
    DataNotAFolder(PathBuf),
    #[error("{0} was written by a newer version of Capture Five: update this program")]
    Newer(PathBuf),
    #[error("UDP port {0} is in use by another program: end it, or choose another with --port")]
    PortInUse(u16),
    #[error("the network cannot be used ({0}): check that this program may open UDP sockets")]
    Network(String),
}

impl StartError {
    /// The code that scripts know it by.
    pub const fn code(&self) -> &'static str {
        match self {
            StartError::DataInUse(_) => "data-in-use",
            StartError::DataUnwritable { .. } | StartError::DataInTheWay(_) | StartError::DataNotAFolder(_) => {
                "data-unwritable"
            }
            StartError::Newer(_) => "version",
            StartError::PortInUse(_) => "port-in-use",
            StartError::Network(_) => "no-network",
        }
    }
}

impl From<history::OpenError> for StartError {
    fn from(error: history::OpenError) -> StartError {
        match error {
            history::OpenError::InUse(path) => StartError::DataInUse(path),
            history::OpenError::Unwritable { path, source } => {
                StartError::DataUnwritable { path, why: source.to_string() }
            }
            history::OpenError::InTheWay(path) => StartError::DataInTheWay(path),
            history::OpenError::NotAFolder(path) => StartError::DataNotAFolder(path),
            history::OpenError::Newer(path) => StartError::Newer(path),
        }
    }
}

impl From<net::NetError> for StartError {
    fn from(error: net::NetError) -> StartError {
        match error {
            net::NetError::PortInUse { port } => StartError::PortInUse(port),
            net::NetError::Socket(why) => StartError::Network(why.to_string()),
            net::NetError::Certificate(why) => StartError::Network(why),
        }
    }
}

/// The platform's folder for this program's data; `None` where the system names none (say `--data` then).
pub fn data_folder() -> Option<PathBuf> {
    Some(dirs::data_dir()?.join("capture-five"))
}
