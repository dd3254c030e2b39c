//! `cargo xtask tidy`: what no compiler checks. Each check is a function from what it reads to a list of findings.

mod catalogues;
mod edges;
mod lists;
mod shown;
mod source;
mod tokens;
mod tree;

use anyhow::{Result, bail};

use crate::no_arguments;
use crate::run::{Workspace, run as run_program};
use crate::test::Scope;
use tree::Tree;

pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    check(workspace, Scope::WithoutShell)
}

/// Prints every finding, and fails if there is one. The scope is the one of the run that this is part of.
pub fn check(workspace: &Workspace, scope: Scope) -> Result<()> {
    let tree = Tree::read(workspace)?;
    let found: Vec<_> = [
        edges::check(&workspace.metadata),
        edges::lints(&workspace.metadata, &tree),
        catalogues::check(&tree),
        catalogues::keys_in_code(&tree),
        catalogues::error_codes(&tree),
        tokens::check(&tree),
        lists::top_level(&tree),
        lists::documented(&workspace.metadata, &tree),
        shown::check(&tree),
        source::forbidden(&tree),
        source::long_components(&tree),
    ]
    .concat();
    for warning in source::long_files(&tree) {
        println!("note: {warning}");
    }
    for finding in &found {
        println!("✗ {finding}");
    }
    run_program(&mut scope.cargo(workspace, "test", &["--quiet", "--test", "bindings"]))?;
    match found.len() {
        0 => println!("Tidy: nothing found in {} files.", tree.len()),
        findings => bail!("tidy: {findings} to mend, listed above"),
    }
    Ok(())
}
