//! Tests over the whole product: hosts on virtual networks, real processes on them, real windows; and, in `plain`, the rules a second time.

use std::path::{Path, PathBuf};

pub mod agree;
pub mod c5;
pub mod figures;
pub mod fuzz;
pub mod kills;
pub mod lan;
pub mod plain;
pub mod room;
pub mod scenarios;
pub mod served;
pub mod slow;
pub mod window;

/// A program under test: the one that the environment variable names, else the one built beside the tests.
pub fn binary(variable: &str, name: &str) -> PathBuf {
    let built = || {
        let test = std::env::current_exe().expect("the test has a path");
        test.ancestors().nth(2).expect("the test lies in target/<profile>/deps").join(name)
    };
    std::env::var_os(variable).map_or_else(built, PathBuf::from)
}

/// Where screenshots are kept.
pub fn artefacts() -> PathBuf {
    std::env::var_os("ARTEFACTS").map_or_else(|| repository().join("artefacts"), PathBuf::from)
}

/// The folder of the workspace.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the workspace").to_owned()
}
