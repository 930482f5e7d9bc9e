//! Rules on single files.

use crate::text_files::TextFile;

/// Above this a file is named, as a hint.
const LONG: usize = 400;
/// Above this a file has more than one idea.
const TOO_LONG: usize = 600;

/// Rust sources whose first line is not a module doc. Test programs of packages are exempt: their names
/// suffice.
pub fn without_doc(files: &[TextFile]) -> Vec<String> {
    let missing = rust(files)
        .filter(|file| !file.path.split('/').skip(1).any(|part| part == "tests"))
        .filter(|file| !file.text.starts_with("//!"));
    missing.map(|file| file.path.clone()).collect()
}

/// Rust sources with more than [`TOO_LONG`] lines; those above [`LONG`] are printed.
pub fn too_long(files: &[TextFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in rust(files) {
        let lines = file.text.lines().count();
        if lines > TOO_LONG {
            found.push(format!("{}: {lines} lines", file.path));
        } else if lines > LONG {
            println!(
                "  warning: {} has {lines} lines; does it hold two ideas?",
                file.path
            );
        }
    }
    found
}

/// Lines that end in a space or a tab.
pub fn trailing_space(files: &[TextFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        for (index, line) in file.text.lines().enumerate() {
            if line.ends_with([' ', '\t']) {
                found.push(format!("{}:{}", file.path, index + 1));
            }
        }
    }
    found
}

/// Texts of programs that name a Markdown file of `docs/`: their readers may have no copy of the repository. They name
/// `spillgate explain-code CODE`, whose links `cli/src/explain_code/links.rs` writes.
pub fn named_pages(files: &[TextFile]) -> Vec<String> {
    let is_shipped = |file: &&TextFile| {
        let mut parts = file.path.split('/');
        let is_test = file.path.ends_with("/tests.rs") || parts.clone().any(|part| part == "tests");
        parts.any(|part| part == "src") && !is_test && !file.path.starts_with("tools/")
    };
    let mut found = Vec::new();
    for file in rust(files).filter(is_shipped) {
        for (index, line) in file.text.lines().enumerate() {
            let code = line.trim_start();
            let is_text = !code.starts_with("//") && !code.contains("include_str!");
            let page = code.split_once("docs/").map(|(_, page)| page);
            if is_text && page.is_some_and(|page| page.contains(".md") || page.contains(".json")) {
                found.push(format!("{}:{}", file.path, index + 1));
            }
        }
    }
    found
}

fn rust(files: &[TextFile]) -> impl Iterator<Item = &TextFile> {
    files.iter().filter(|file| file.path.ends_with(".rs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        let (path, text) = (path.to_owned(), text.to_owned());
        TextFile { path, text }
    }

    #[test]
    fn each_rule_finds_what_it_is_for() {
        let long = format!("//! Doc.\n{}", "x\n".repeat(TOO_LONG));
        let files = [
            file("a/src/ok.rs", "//! Doc.\n"),
            file("a/src/bare.rs", "fn f() {}\n"),
            file("a/tests/t.rs", "#![allow(clippy::panic)]\n"),
            file("tests/a/src/bare.rs", "fn f() {}\n"),
            file("a/src/long.rs", &long),
            file("README.md", "one \ntwo\nthree\t\n"),
        ];
        assert_eq!(
            without_doc(&files),
            ["a/src/bare.rs", "tests/a/src/bare.rs"]
        );
        assert_eq!(too_long(&files), ["a/src/long.rs: 601 lines"]);
        assert_eq!(trailing_space(&files), ["README.md:1", "README.md:3"]);
    }
    #[test]
    fn a_text_names_no_page_of_the_repository() {
        let text =
            "//! See docs/a.md.\nlet a = \"see docs/a.md#b\";\ninclude_str!(\"../docs/a.md\");\n";
        let files = [
            file("cli/src/a.rs", text),
            file("cli/src/a/tests.rs", text),
            file("tools/xtask/src/a.rs", text),
        ];
        assert_eq!(named_pages(&files), ["cli/src/a.rs:2"]);
    }
}
