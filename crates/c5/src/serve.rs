//! `c5 serve`: the app in a browser on this machine.

use crate::args::{Common, Serve};
use crate::{Failure, Output};

pub(crate) async fn run(_common: &Common, _serve: Serve, _output: &mut Output) -> Result<(), Failure> {
    Err(Failure::not_yet("serving a browser", "use the app's window"))
}
