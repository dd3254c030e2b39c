//! What must not be left in the sources.

use super::tree::Tree;

/// Files longer than this are worth a look: is it still one thing?
const LINES_MAX: usize = 600;
/// A component that is longer is more than one.
const COMPONENT_LINES_MAX: usize = 250;

/// Where a word must not be, by the start and the end of the path.
struct Rule {
    under: &'static str,
    ending: &'static str,
    words: &'static [&'static str],
}

const RULES: &[Rule] = &[
    Rule {
        under: "crates/",
        ending: ".rs",
        words: &["todo!(", "unimplemented!(", "dbg!(", "#[ignore", "TODO", "FIXME"],
    },
    Rule {
        under: "src-tauri/",
        ending: ".rs",
        words: &["todo!(", "unimplemented!(", "dbg!(", "#[ignore", "TODO", "FIXME"],
    },
    Rule {
        under: "tests/",
        ending: ".rs",
        words: &["todo!(", "unimplemented!(", "dbg!(", "#[ignore", "TODO", "FIXME"],
    },
    Rule { under: "ui/src/", ending: ".ts", words: &["console.log(", "debugger;", "TODO", "FIXME"] },
    Rule { under: "ui/src/", ending: ".svelte", words: &["console.log(", "debugger;", "TODO", "FIXME"] },
    Rule { under: "ui/tests/", ending: ".ts", words: &[".skip(", ".only(", ".todo(", "TODO", "FIXME"] },
];

/// This file names them all.
const EXCEPT: &str = "crates/xtask/src/tidy/source.rs";

/// Marks of unfinished work: placeholders, traces, tests that do not run.
pub fn forbidden(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for Rule { under, ending, words } in RULES {
        for (path, text) in tree.under(under).filter(|(path, _)| path.ends_with(ending) && *path != EXCEPT) {
            for (number, line) in text.lines().enumerate() {
                let words = words.iter().filter(|word| line.contains(**word));
                found.extend(
                    words.map(|word| format!("{path}:{}: {word:?} must not be left in the sources", number + 1)),
                );
            }
        }
    }
    found
}

/// Long files: no fault, but worth knowing.
pub fn long_files(tree: &Tree) -> Vec<String> {
    let is_source = |path: &str| [".rs", ".ts", ".svelte"].iter().any(|ending| path.ends_with(ending));
    let lengths = tree.under("").filter(|(path, _)| is_source(path)).map(|(path, text)| (path, text.lines().count()));
    lengths.filter(|(_, lines)| *lines > LINES_MAX).map(|(path, lines)| format!("{path} has {lines} lines")).collect()
}

/// Components that are to be cut.
pub fn long_components(tree: &Tree) -> Vec<String> {
    let components = tree.under("ui/src/").filter(|(path, _)| path.ends_with(".svelte"));
    let lengths = components.map(|(path, text)| (path, text.lines().count()));
    let long = lengths.filter(|(_, lines)| *lines > COMPONENT_LINES_MAX);
    long.map(|(path, lines)| format!("{path} has {lines} lines: a component has at most {COMPONENT_LINES_MAX}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_component_is_found() {
        let long = "\n".repeat(COMPONENT_LINES_MAX + 1);
        let whole = "\n".repeat(COMPONENT_LINES_MAX);
        let tree = Tree::of(&[("ui/src/A.svelte", &long), ("ui/src/B.svelte", &whole), ("ui/src/c.ts", &long)]);
        assert_eq!(long_components(&tree), ["ui/src/A.svelte has 251 lines: a component has at most 250"]);
    }

    #[test]
    fn marks_of_unfinished_work_are_found() {
        let tree = Tree::of(&[
            ("crates/rules/src/lib.rs", "fn a() {}\nfn b() { todo!() }\n"),
            ("src-tauri/src/lib.rs", "// TODO: later\n"),
            ("tests/tests/lan_games.rs", "#[ignore = \"slow\"]\n"),
            ("ui/src/Home.svelte", "console.log(view)\n"),
            ("ui/tests/a.test.ts", "it.skip('x', () => {})\n"),
            ("ui/src/notes.md", "TODO\n"),
            ("crates/cpu/src/lib.rs", "points.skip(1)\n"),
        ]);
        let found = forbidden(&tree);
        assert_eq!(found.len(), 5, "{found:?}");
        assert!(found[0].starts_with("crates/rules/src/lib.rs:2:"), "{found:?}");
    }

    #[test]
    fn long_files_are_noted() {
        let long = "\n".repeat(LINES_MAX + 1);
        let tree = Tree::of(&[("crates/a/src/lib.rs", &long), ("tests/data/a.tsv", &long), ("ui/src/a.ts", "x")]);
        assert_eq!(long_files(&tree), ["crates/a/src/lib.rs has 601 lines"]);
    }
}
