//! `ui/SHOWN.md`: what the app promises, each promise with tests that are there.

use super::tree::Tree;

const PAGE: &str = "ui/SHOWN.md";

/// Promises without a test, and tests that are nowhere.
pub fn check(tree: &Tree) -> Vec<String> {
    let rows = tree.text(PAGE).unwrap_or_default().lines().filter_map(row);
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return vec![format!("{PAGE} holds no promise: it is a table of promises and their tests")];
    }
    rows.flat_map(|(promise, tests)| {
        let missing = tests.is_empty().then(|| format!("{PAGE}: nothing shows \"{promise}\""));
        let nowhere = tests.into_iter().filter(|test| !exists(tree, test));
        missing.into_iter().chain(nowhere.map(|test| format!("{PAGE}: there is no test `{test}`"))).collect::<Vec<_>>()
    })
    .collect()
}

/// A promise and its tests; nothing for headings and rules.
fn row(line: &str) -> Option<(&str, Vec<&str>)> {
    let (promise, tests) = line.strip_prefix("| ")?.split_once(" | ")?;
    (promise != "Promise").then(|| (promise, tests.split('`').skip(1).step_by(2).collect()))
}

/// A test by its file and its function or title.
fn exists(tree: &Tree, test: &str) -> bool {
    let Some((path, name)) = test.split_once(": ") else { return false };
    let Some(text) = tree.text(path) else { return false };
    if path.ends_with(".rs") {
        let mut lines = text.lines().map(str::trim_start);
        // What stands between the attribute and the function are other attributes.
        while lines.by_ref().any(|line| line.starts_with("#[") && line.contains("test")) {
            let function = lines.by_ref().find(|line| !line.starts_with("#["));
            let function = function.map(|line| line.trim_start_matches("async ").trim_start_matches("fn "));
            if function.and_then(|line| line.strip_prefix(name)).is_some_and(|rest| rest.starts_with('(')) {
                return true;
            }
        }
        return false;
    }
    text.contains(&format!("(\"{name}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promises_need_tests_that_exist() {
        let page = "# A\n\n| Promise | Shown by |\n|---|---|\n| One | `a.rs: holds`, `b.test.ts: says so` |\n| Two | |\n\
                    | Three | `a.rs: helps`, `a.rs: hold`, `c.rs: holds`, `b.test.ts: says` |\n";
        let rust = "fn helps() {}\n#[test]\n#[should_panic]\nasync fn holds() {}\n#[tokio::test]\nfn other() {}\n";
        let tree = Tree::of(&[(PAGE, page), ("a.rs", rust), ("b.test.ts", "it(\"says so\", () => {});")]);
        let found = check(&tree);
        assert_eq!(found.len(), 5, "{found:?}");
        assert!(found[0].contains("Two"), "{found:?}");
        assert!(!check(&Tree::of(&[])).is_empty());
    }
}
