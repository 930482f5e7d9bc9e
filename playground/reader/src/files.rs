//! The files in a text of the import dialog.
//!
//! The dialog joins several files to one text: each file is a YAML document below a comment with its
//! name. So the user sees and edits all files, and positions are those of the whole text.

use alloc::{vec, vec::Vec};

use spillgate_config::envoy::{Format, SourceText};

/// The start of a document that is a file.
const START: &str = "---\n# ";

/// The extensions of files. Other comments are not names.
const EXTENSIONS: [&str; 3] = ["json", "yaml", "yml"];

/// The files of a text, or the text itself without a name.
pub(crate) fn files(text: &str) -> Vec<SourceText<'_>> {
    let mut starts = starts(text).peekable();
    // A text above the first file would have no name.
    if starts.peek().is_none_or(|(at, _)| *at != 0) {
        return vec![SourceText::guess("", text)];
    }
    let mut files = Vec::new();
    while let Some((at, name)) = starts.next() {
        let end = starts.peek().map_or(text.len(), |(next, _)| *next);
        let own = text.get(at..end).unwrap_or_default();
        // The line break belongs to the lines between the files.
        let own = own.strip_suffix('\n').unwrap_or(own);
        files.push(SourceText {
            name,
            text: own,
            format: match SourceText::guess(name, "").format {
                // Below a comment, JSON is YAML with the scalars of JSON.
                Format::Json => Format::YamlAsJson,
                other => other,
            },
        });
    }
    files
}

/// Where files start, with their names.
fn starts(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let starts = text.match_indices(START);
    starts.filter_map(move |(at, start)| {
        let line_start = at == 0 || text.get(..at)?.ends_with('\n');
        let name = text.get(at.checked_add(start.len())?..)?.lines().next()?;
        (line_start && is_file(name)).then_some((at, name))
    })
}

fn is_file(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|found| EXTENSIONS.iter().any(|e| found.eq_ignore_ascii_case(e)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_names_is_one_file() {
        for text in [
            "",
            "name: a\n",
            "---\n# a cluster\nname: a\n",
            "{}\n---\n# b.yaml\n",
        ] {
            let [only] = files(text)[..] else {
                panic!("{text}");
            };
            assert_eq!((only.name, only.text), ("", text));
        }
    }

    #[test]
    fn positions_are_those_of_the_whole_text() {
        let text = "---\n# a.yaml\nname: a\n---\n# b c.json\n{\"cluster_name\": \"a\"}\n";
        let files = files(text);
        let map = SourceText::map(&files);
        for (number, line) in (1..).zip(text.lines()) {
            let position = spillgate_config::Position {
                line: number,
                column: 1,
            };
            let place = map.place(position);
            let mut own = files[place.file].text.lines();
            assert_eq!(own.nth(place.position.line as usize - 1), Some(line));
        }
        assert_eq!(files[1].name, "b c.json");
        assert_eq!(files[1].format, Format::YamlAsJson);
    }
}
