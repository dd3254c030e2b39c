//! Lists that must agree: the top level, and the dependencies that ARCHITECTURE.md gives reasons for.

use std::collections::BTreeSet;

use serde_json::Value;

use super::tree::Tree;

/// What may lie at the top level, beside names that start with a dot.
const TOP_LEVEL: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "crates",
    "deny.toml",
    "gen",
    "src-tauri",
    "tauri.conf.json",
    "tests",
    "ui",
];

/// Strangers at the top level.
pub fn top_level(tree: &Tree) -> Vec<String> {
    let strangers = tree.top_level().into_iter().filter(|name| !name.starts_with('.') && !TOP_LEVEL.contains(name));
    strangers
        .map(|name| format!("{name} does not belong at the top level: put it into the crate that it is for"))
        .collect()
}

/// Dependencies, of Rust and of the UI, without a reason in ARCHITECTURE.md, and reasons for what is none.
pub fn documented(metadata: &Value, tree: &Tree) -> Vec<String> {
    const PAGE: &str = "ARCHITECTURE.md";
    let used: BTreeSet<String> = rust(metadata).into_iter().chain(npm(tree)).collect();
    let page = tree.text(PAGE).unwrap_or_default();
    let section =
        page.split_once("\n## Dependencies").map_or("", |(_, rest)| rest.split("\n## ").next().unwrap_or(rest));
    let named: BTreeSet<String> = section.lines().filter_map(first_cell).flat_map(code_words).collect();
    let undocumented =
        used.difference(&named).map(|name| format!("{PAGE} gives no reason for the dependency `{name}`"));
    let unused =
        named.difference(&used).map(|name| format!("{PAGE} gives a reason for `{name}`, which nothing depends on"));
    undocumented.chain(unused).collect()
}

/// The first cell of a row of a Markdown table.
fn first_cell(line: &str) -> Option<&str> {
    line.strip_prefix('|')?.split('|').next()
}

/// The words in backticks.
fn code_words(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(String::from).collect()
}

fn rust(metadata: &Value) -> BTreeSet<String> {
    let packages = || metadata["packages"].as_array().into_iter().flatten();
    let ours: BTreeSet<_> = packages().filter_map(|package| package["name"].as_str()).collect();
    let dependencies = packages().flat_map(|package| package["dependencies"].as_array().into_iter().flatten());
    let names = dependencies.filter_map(|dependency| dependency["name"].as_str());
    names.filter(|name| !ours.contains(name)).map(String::from).collect()
}

fn npm(tree: &Tree) -> BTreeSet<String> {
    let package: Value = serde_json::from_str(tree.text("ui/package.json").unwrap_or_default()).unwrap_or_default();
    let lists = ["dependencies", "devDependencies"].into_iter().filter_map(|list| package[list].as_object());
    lists.flat_map(|list| list.keys().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn strangers_at_the_top_are_found() {
        let tree = Tree::of(&[("Cargo.toml", ""), (".ci/run", ""), ("docs/plan.md", ""), ("crates/docs/a.rs", "")]);
        let found = top_level(&tree);
        assert!(matches!(&found[..], [one] if one.starts_with("docs ")), "{found:?}");
    }

    #[test]
    fn dependencies_and_reasons_must_agree() {
        let dependency = |name: &str| json!({"name": name});
        let metadata = json!({"packages": [
            {"name": "app", "dependencies": [dependency("rules"), dependency("tokio"), dependency("left-pad")]},
            {"name": "rules", "dependencies": [dependency("serde")]},
        ]});
        let page = "# A\n\n## Dependencies\n\n| `tokio`, `serde` | says `why` |\n| `svelte`, `gone` | too |\n\n## More\n| `x` | |";
        let tree = Tree::of(&[
            ("ARCHITECTURE.md", page),
            ("ui/package.json", r#"{"devDependencies": {"svelte": "5", "vite": "8"}}"#),
        ]);
        let found = documented(&metadata, &tree);
        assert_eq!(found.len(), 3, "{found:?}");
        for (finding, name) in found.iter().zip(["`left-pad`", "`vite`", "`gone`"]) {
            assert!(finding.contains(name), "{finding}");
        }
    }
}
