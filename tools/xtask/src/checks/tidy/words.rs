//! Phrases that the project does not use: operators should read Envoy's terms in plain English.

use crate::text_files::TextFile;

/// The phrases with their replacements.
const PHRASES: &str = include_str!("words.txt");
/// Places where a phrase is right: `path or folder | phrase | reason`.
const EXCEPTIONS: &str = include_str!("word_exceptions.txt");

/// The lists themselves, and text that other projects wrote.
const UNCHECKED: [&str; 4] = [
    "tools/xtask/src/checks/tidy/word",
    "Cargo.lock",
    "tests/e2e/schemas/",
    "LICENSE",
];

struct Phrase<'a> {
    text: &'a str,
    any_ending: bool,
    replacement: &'a str,
}

struct Exception<'a> {
    path: &'a str,
    phrase: &'a str,
}

/// Every use of a phrase outside the exceptions, with its replacement; every exception without use.
pub fn banned(files: &[TextFile]) -> Vec<String> {
    check(files, &phrases(PHRASES), &exceptions(EXCEPTIONS))
}

fn check(files: &[TextFile], phrases: &[Phrase<'_>], exceptions: &[Exception<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    let mut used = vec![false; exceptions.len()];
    let checked = files.iter().filter(|file| {
        !UNCHECKED
            .iter()
            .any(|skipped| file.path.starts_with(skipped))
    });
    for file in checked {
        for (index, line) in file.text.lines().enumerate() {
            let line = readable(line);
            for phrase in phrases.iter().filter(|phrase| phrase.is_in(&line)) {
                let excepted = exceptions
                    .iter()
                    .position(|e| file.path.starts_with(e.path) && e.phrase == phrase.text);
                match excepted.and_then(|place| used.get_mut(place)) {
                    Some(used) => *used = true,
                    None => found.push(format!(
                        "{}:{}: `{}`; write: {}",
                        file.path,
                        index + 1,
                        phrase.text,
                        phrase.replacement
                    )),
                }
            }
        }
    }
    let unused = exceptions.iter().zip(used).filter(|(_, used)| !used);
    found.extend(unused.map(|(e, _)| format!("no use of `{}` in {}", e.phrase, e.path)));
    found
}

/// The line in lower case; the name of a function as words, because test names are sentences.
fn readable(line: &str) -> String {
    let line = line.to_lowercase();
    let code = line.trim_start();
    let name = code
        .strip_prefix("fn ")
        .and_then(|rest| rest.split_once('('));
    match name {
        Some((name, rest)) => format!("fn {}({rest}", name.replace('_', " ")),
        None => line,
    }
}

impl Phrase<'_> {
    fn is_in(&self, line: &str) -> bool {
        line.match_indices(self.text).any(|(at, found)| {
            let before = line[..at].chars().next_back();
            let after = line[at + found.len()..].chars().next();
            !before.is_some_and(is_word) && (self.any_ending || !after.is_some_and(is_word))
        })
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

fn entries(list: &str) -> impl Iterator<Item = &str> {
    let lines = list.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn phrases(list: &str) -> Vec<Phrase<'_>> {
    let pairs = entries(list).filter_map(|line| line.split_once(" | "));
    pairs
        .map(|(phrase, replacement)| Phrase {
            text: phrase.trim_end_matches('*'),
            any_ending: phrase.ends_with('*'),
            replacement,
        })
        .collect()
}

fn exceptions(list: &str) -> Vec<Exception<'_>> {
    let columns = entries(list).map(|line| line.splitn(3, " | ").collect::<Vec<_>>());
    columns
        .filter_map(|columns| match columns[..] {
            [path, phrase, _reason] => Some(Exception { path, phrase }),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, exceptions_list: &str) -> Vec<String> {
        let file = TextFile {
            path: "a/b.rs".into(),
            text: text.into(),
        };
        let list = "tier | priority\nwas lost | failed\ncrowd* | hosts\n";
        check(&[file], &phrases(list), &exceptions(exceptions_list))
    }

    #[test]
    fn phrases_are_found_as_whole_words_in_text_and_function_names() {
        let text = "// A Tier.\nlet tier_of = x.was_lost();\n\"two crowded\"\n    fn it_was_lost() {\n`no-tier`\n";
        assert_eq!(
            found(text, ""),
            [
                "a/b.rs:1: `tier`; write: priority",
                "a/b.rs:3: `crowd`; write: hosts",
                "a/b.rs:4: `was lost`; write: failed",
            ]
        );
    }

    #[test]
    fn exceptions_apply_to_their_path_and_must_be_used() {
        let list = "a/ | tier | a storage tier\nc/ | tier | unused\n";
        assert_eq!(found("storage tier\n", list), ["no use of `tier` in c/"]);
    }

    #[test]
    fn the_lists_are_well_formed() {
        assert_eq!(entries(PHRASES).count(), phrases(PHRASES).len());
        assert_eq!(entries(EXCEPTIONS).count(), exceptions(EXCEPTIONS).len());
    }
}
