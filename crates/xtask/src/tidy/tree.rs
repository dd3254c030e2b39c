//! The files of the checkout, as git sees them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::Result;

use crate::run::{Workspace, output};

/// Every file that git tracks or would offer to add, by its path with `/`. Those that are no text are empty.
pub struct Tree {
    files: BTreeMap<String, String>,
}

impl Tree {
    pub fn read(workspace: &Workspace) -> Result<Self> {
        let listed =
            output(&mut workspace.command("git", &["ls-files", "-z", "--cached", "--others", "--exclude-standard"]))?;
        let paths: BTreeSet<_> = listed.split('\0').filter(|path| !path.is_empty()).collect();
        let read = |path: &str| {
            // A file that is gone from the disk and not yet from the index is no file.
            let bytes = fs::read(workspace.root.join(path)).ok()?;
            Some((path.to_owned(), String::from_utf8(bytes).unwrap_or_default()))
        };
        Ok(Self { files: paths.into_iter().filter_map(read).collect() })
    }

    #[cfg(test)]
    pub fn of(files: &[(&str, &str)]) -> Self {
        Self { files: files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect() }
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// The files whose path starts so, with their text.
    pub fn under(&self, prefix: &str) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .filter(move |(path, _)| path.starts_with(prefix))
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The names at the root.
    pub fn top_level(&self) -> BTreeSet<&str> {
        self.files.keys().filter_map(|path| path.split('/').next()).collect()
    }
}
