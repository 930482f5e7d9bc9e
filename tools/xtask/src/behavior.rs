//! `cargo xtask where`: finds the files of a behavior by their module docs, which tidy requires.

use std::cmp::Reverse;

use anyhow::{Result, ensure};

use crate::project::Project;
use crate::text_files::{TextFile, text_files};

/// Files that are printed; more matches mean that the words are too common.
const SHOWN: usize = 15;
/// Endings that a query may have and a doc lacks, or the reverse. The longest comes first.
const ENDINGS: [&str; 6] = ["ing", "ers", "er", "ed", "es", "s"];

/// A file with words of a query in its path or its doc.
struct Match<'a> {
    path: &'a str,
    doc: String,
    /// Words in neither.
    missing: usize,
    /// Words in the name of the file, then words in its first sentence.
    score: (usize, usize),
}

/// Prints the files whose path or first paragraph has all `words`, else most of them, best matches first.
pub fn run(project: &Project, words: &[String]) -> Result<()> {
    let files = text_files(&project.root)?;
    let matches = matches(&files, words);
    ensure!(
        !matches.is_empty(),
        "no module doc has these words; try fewer, or the name of the setting with `git grep`"
    );
    for found in matches.iter().take(SHOWN) {
        println!("{}  {}", found.path, found.doc);
    }
    if matches.len() > SHOWN {
        println!("... and {} more; add a word", matches.len() - SHOWN);
    }
    Ok(())
}

fn matches<'a>(files: &'a [TextFile], words: &[String]) -> Vec<Match<'a>> {
    let stems: Vec<String> = words
        .iter()
        .flat_map(|word| separate(word))
        .map(|word| stem(&word).to_owned())
        .collect();
    let with = |missing| {
        let matches = files.iter().filter_map(|file| match_of(file, &stems));
        matches.filter(|found| found.missing <= missing).collect()
    };
    let mut found: Vec<Match<'_>> = with(0);
    if found.is_empty() && stems.len() > 1 {
        found = with(1);
    }
    found.sort_by_key(|found| (is_test(found.path), Reverse(found.score), found.path));
    found
}

fn match_of<'a>(file: &'a TextFile, stems: &[String]) -> Option<Match<'a>> {
    let doc = paragraph(file)?;
    let (path, text) = (separate(&file.path), separate(&doc));
    let contents = ["mod.rs", "lib.rs", "src"];
    let name = file
        .path
        .rsplit('/')
        .find(|part| !contents.contains(part))?;
    let name = separate(name);
    let starts = |words: &[String], stem: &str| words.iter().any(|word| word.starts_with(stem));
    let count = |words: &[String]| stems.iter().filter(|stem| starts(words, stem)).count();
    let is_in_neither = |stem: &&String| !starts(&text, stem) && !starts(&path, stem);
    Some(Match {
        path: &file.path,
        missing: stems.iter().filter(is_in_neither).count(),
        score: (count(&name), count(&text)),
        doc,
    })
}

/// The first paragraph of the comment at the start of a Rust or JavaScript file.
fn paragraph(file: &TextFile) -> Option<String> {
    let mark = if file.path.ends_with(".rs") {
        "//!"
    } else if file.path.ends_with(".js") {
        "//"
    } else {
        return None;
    };
    let lines = file.text.lines().map_while(|line| line.strip_prefix(mark));
    let lines: Vec<&str> = lines
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

/// The words of a text, also those of names such as `applyLocalityFailover`, in lower case.
fn separate(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in text.chars() {
        if !c.is_alphanumeric() || (after_lower && c.is_uppercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        after_lower = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A word without its ending, if at least four letters are left.
fn stem(word: &str) -> &str {
    ENDINGS
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.len() >= 4))
        .unwrap_or(word)
}

/// Whether a file only tests or measures a behavior.
fn is_test(path: &str) -> bool {
    // The command runs it.
    let ships = path.starts_with("tests/conformance/src/");
    !ships
        && path
            .split('/')
            .any(|part| ["tests", "tests.rs"].contains(&part))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn found(words: &[&str]) -> Vec<String> {
        let file = |path: &str, text: &str| TextFile {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let files = [
            file("a/src/edf.rs", "//! Orders, also for slow\n//! start.\n"),
            file("a/src/slow_start.rs", "//! Fewer requests for new hosts.\n"),
            file("a/tests/slow_start.rs", "//! Slow start.\n"),
            file("a/src/other.rs", "//! Slow.\n//!\n//! Start.\n"),
            file("a/README.md", "slow start\n"),
        ];
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let found = matches(&files, &words);
        found.iter().map(|found| found.path.to_owned()).collect()
    }

    #[test]
    fn files_have_all_words_in_path_or_first_paragraph_and_names_come_first() {
        let expected = [
            "a/src/slow_start.rs",
            "a/src/edf.rs",
            "a/tests/slow_start.rs",
        ];
        assert_eq!(found(&["slow", "start"]), expected);
        assert_eq!(found(&["Slow-Starting"]), expected);
        assert_eq!(found(&["slow", "panic"]).len(), 4);
        assert_eq!(found(&["slow", "panic", "mode"]), [""; 0]);
        assert_eq!(found(&["panic"]), [""; 0]);
    }

    /// The first files that a newcomer sees.
    const FIRST: usize = 3;

    #[test]
    fn behaviors_are_among_the_first_files_found() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut above = package.ancestors();
        let root = above.find(|folder| folder.join("Cargo.lock").is_file());
        let files = text_files(root.unwrap()).unwrap();
        for (behavior, place) in [
            ("panic mode", "core/src/load/panic.rs"),
            ("slow start", "core/src/pick/slow_start.rs"),
            ("ring hash", "core/src/pick/ring_hash.rs"),
            ("subset fallbacks", "core/src/subset/mod.rs"),
            ("seals tokens", "core/src/affinity/seal.rs"),
            ("polling admin", "crates/steer/src/hosts/poller.rs"),
            ("lint rule registration", "crates/lint/src/catalog.rs"),
            (
                "segments of the split",
                "crates/scenario/src/split_segment.rs",
            ),
            ("what-if", "cli/src/what_if/mod.rs"),
            (
                "istio locality failover",
                "crates/mesh/src/istio/failover.rs",
            ),
            ("csv quoting", "core/src/visible.rs"),
            ("conformance", "tests/conformance/src/lib.rs"),
        ] {
            let words: Vec<String> = behavior.split(' ').map(str::to_owned).collect();
            let found = matches(&files, &words);
            let mut first = found.iter().take(FIRST);
            let paths: Vec<&str> = found.iter().take(FIRST).map(|found| found.path).collect();
            assert!(
                first.any(|found| found.path.ends_with(place)),
                "{behavior}: {paths:?}"
            );
        }
    }
}
