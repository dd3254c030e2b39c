//! The UI's packages and its build, each done again only when what it is made from has changed.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::run::{Workspace, run};

/// Marks of what was installed and built last. npm empties this folder, and with it both marks.
const MARKS: &str = "ui/node_modules/.capture-five";
/// What is no part of the UI's sources, by the name of a file or folder in `ui/`.
const NO_SOURCES: &[&str] = &["node_modules", "dist", "tests", "shots"];

/// `npm ci`, if the lock file is another than last time.
pub fn install(workspace: &Workspace) -> Result<()> {
    let lock = fs::read(workspace.root.join("ui/package-lock.json")).context("ui/package-lock.json")?;
    let mark = workspace.root.join(MARKS).join("installed");
    once(&mark, &fingerprint(&[("package-lock.json".into(), lock)].into()), "UI packages", || {
        run(&mut workspace.command("npm", &["ci", "--prefix", "ui", "--no-audit", "--no-fund"]))
    })
}

/// The page in `ui/dist`, if a source is another than last time.
pub fn build(workspace: &Workspace) -> Result<()> {
    let ui = workspace.root.join("ui");
    let mut sources = BTreeMap::new();
    read_sources(&ui, &ui, &mut sources)?;
    if !ui.join("dist/index.html").is_file() {
        let _ = fs::remove_file(workspace.root.join(MARKS).join("built"));
    }
    once(&workspace.root.join(MARKS).join("built"), &fingerprint(&sources), "UI build", || script(workspace, "build"))
}

/// One of the scripts in `ui/package.json`.
pub fn script(workspace: &Workspace, name: &str) -> Result<()> {
    run(&mut workspace.command("npm", &["run", "--prefix", "ui", "--silent", name]))
}

/// Does the work unless the mark says that it was done for the same fingerprint.
fn once(mark: &Path, fingerprint: &str, what: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    if fs::read_to_string(mark).is_ok_and(|kept| kept == fingerprint) {
        println!("{what}: up to date.");
        return Ok(());
    }
    work()?;
    let folder = mark.parent().context("a mark has a folder")?;
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    fs::write(mark, fingerprint).with_context(|| mark.display().to_string())
}

fn fingerprint(files: &BTreeMap<PathBuf, Vec<u8>>) -> String {
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn read_sources(ui: &Path, folder: &Path, into: &mut BTreeMap<PathBuf, Vec<u8>>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.strip_prefix(ui).context("a file in ui/ lies in ui/")?.to_owned();
        if NO_SOURCES.iter().any(|no| name == Path::new(no)) {
            continue;
        } else if path.is_dir() {
            read_sources(ui, &path, into)?;
        } else {
            into.insert(name, fs::read(&path).with_context(|| path.display().to_string())?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn work_is_done_once_for_the_same_sources() {
        let folder = std::env::temp_dir().join(format!("capture-five-xtask-{}", std::process::id()));
        let mark = folder.join("mark");
        let times = Cell::new(0);
        let work = |text: &str| {
            let sources = [("a.ts".into(), text.as_bytes().to_vec())].into();
            once(&mark, &fingerprint(&sources), "test", || {
                times.set(times.get() + 1);
                Ok(())
            })
            .expect("a mark can be written")
        };
        for (text, done) in [("one", 1), ("one", 1), ("two", 2), ("two", 2), ("one", 3)] {
            work(text);
            assert_eq!(times.get(), done, "after {text}");
        }
        fs::remove_dir_all(folder).expect("the folder was made above");
    }

    #[test]
    fn failed_work_leaves_no_mark() {
        let mark = std::env::temp_dir().join(format!("capture-five-xtask-none-{}", std::process::id()));
        assert!(once(&mark, "x", "test", || anyhow::bail!("no")).is_err());
        assert!(!mark.exists());
    }

    #[test]
    fn sources_leave_out_what_is_made_from_them() {
        let ui = Workspace::find().expect("the checkout").root.join("ui");
        let mut sources = BTreeMap::new();
        read_sources(&ui, &ui, &mut sources).expect("readable");
        assert!(sources.contains_key(Path::new("package.json")));
        assert!(!sources.keys().any(|name| name.starts_with("node_modules") || name.starts_with("dist")));
    }
}
