//! A public type name exists once in the workspace: a reader who meets `Outcome` knows which one. No text of the
//! playground has such a name: a rename of a type must not change it.

use std::collections::BTreeMap;

use crate::text_files::TextFile;

/// Names that exist more than once: `name | reason`.
const EXCEPTIONS: &str = include_str!("type_names.txt");
/// Where the texts of the playground are.
const TEXTS: [&str; 2] = ["playground/src/", "crates/scenario/src/"];
const KINDS: [&str; 5] = ["struct ", "enum ", "trait ", "type ", "union "];

/// Public types of the same name, with all their places; exceptions without a duplicate.
pub fn duplicates(files: &[TextFile]) -> Vec<String> {
    check(files, &exceptions(EXCEPTIONS))
}

fn check(files: &[TextFile], exceptions: &[&str]) -> Vec<String> {
    let places = places(files);
    let (repeated, unique): (Vec<_>, Vec<_>) =
        places.iter().partition(|(_, places)| places.len() > 1);
    let unique = unique.into_iter().map(|(name, _)| *name);
    let stale = exceptions
        .iter()
        .copied()
        .filter(|name| unique.clone().any(|unique| unique == *name) || !places.contains_key(name))
        .map(|name| format!("the exception {name} exists once or not at all"));
    let repeated = repeated
        .into_iter()
        .filter(|(name, _)| !exceptions.contains(name))
        .map(|(name, places)| format!("{name}: {}", places.join(", ")));
    repeated.chain(stale).collect()
}

/// Words in texts of the playground that are names of public types, with their places.
pub fn in_texts(files: &[TextFile]) -> Vec<String> {
    let types = places(files);
    let mut found = Vec::new();
    for file in sources(files).filter(|file| TEXTS.iter().any(|at| file.path.starts_with(at))) {
        for (index, line) in file.text.lines().enumerate() {
            let code = line.trim_start();
            if code.starts_with("//") {
                continue;
            }
            // Every second part is between quotes.
            let texts = code.split('"').skip(1).step_by(2);
            let words = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
            let names = words.filter(|word| is_compound(word) && types.contains_key(word));
            found.extend(names.map(|name| format!("{}:{}: {name}", file.path, index + 1)));
        }
    }
    found
}

/// Whether a word consists of several, as `LoadShape`; a single one is also an English word.
fn is_compound(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word.chars().skip(1).any(char::is_uppercase)
}

/// The places of each public type.
fn places(files: &[TextFile]) -> BTreeMap<&str, Vec<String>> {
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in sources(files) {
        for (index, line) in file.text.lines().enumerate() {
            if let Some(name) = public_type(line) {
                let place = format!("{}:{}", file.path, index + 1);
                places.entry(name).or_default().push(place);
            }
        }
    }
    places
}

fn sources(files: &[TextFile]) -> impl Iterator<Item = &TextFile> {
    files
        .iter()
        .filter(|file| file.path.ends_with(".rs") && file.path.contains("/src/"))
}

/// The name of the type that a line declares as `pub`, in whatever module.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest = KINDS.iter().find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    rest.get(..end.unwrap_or(rest.len()))
}

fn exceptions(list: &str) -> Vec<&str> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(" | "))
        .map(|(name, _)| name)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile {
            path: path.into(),
            text: text.into(),
        }
    }

    #[test]
    fn repeated_names_are_listed_with_their_places() {
        let files = [
            file("a/src/x.rs", "pub struct Answer<T> {\nstruct Own;\n"),
            file(
                "b/src/y.rs",
                "    pub enum Answer {\npub(crate) struct Own;\n",
            ),
            file("b/tests/z.rs", "pub type Answer = u8;\n"),
        ];
        assert_eq!(check(&files, &[]), ["Answer: a/src/x.rs:1, b/src/y.rs:1"]);
        assert!(check(&files, &["Answer"]).is_empty());
        assert_eq!(
            check(&files, &["Answer", "Own"]),
            ["the exception Own exists once or not at all"]
        );
    }

    #[test]
    fn a_text_of_the_playground_names_no_type() {
        let text = "//! \"LoadShape\"\npub struct LoadShape;\nlet a = \"Walls. LoadShape: Basin, MkDocs\";\nLoadShape {}\n";
        let files = [
            file("playground/src/a.rs", text),
            file("core/src/a.rs", text),
            file("core/src/b.rs", "pub struct Basin;\n"),
        ];
        assert_eq!(in_texts(&files), ["playground/src/a.rs:3: LoadShape"]);
    }
}
