//! Diagnostics with their file and the line of their position.

use spillgate_config::{
    Diagnostic, NamedText, Position, SourceMap, envoy::SourceText, secret_text::is_described,
};

use crate::excerpt::{Excerpt, Excerpts};

/// A diagnostic with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedDiagnostic {
    /// The file, option or URL.
    pub file: String,
    /// The position in the file.
    pub position: Option<Position>,
    /// The line of the position, if the text is known and has no secret.
    pub excerpt: Option<Excerpt>,
    /// The diagnostic; its own position counts the lines of all files.
    pub diagnostic: Diagnostic,
}

impl LocatedDiagnostic {
    /// All in one line, as [`Diagnostic::render`].
    #[must_use]
    pub fn line(&self) -> String {
        let Self {
            file, diagnostic, ..
        } = self;
        match self.position {
            Some(position) => format!("{file}:{position}: {diagnostic}"),
            None => format!("{file}: {diagnostic}"),
        }
    }
}

/// Finds the places of diagnostics: in a single text or in several, or by the name alone.
pub trait FileNames {
    /// The diagnostics with their places, in the same order.
    fn locate(&self, diagnostics: &[&Diagnostic]) -> Vec<LocatedDiagnostic>;
}

/// The name of an input without a text to show, such as an option.
impl FileNames for str {
    fn locate(&self, diagnostics: &[&Diagnostic]) -> Vec<LocatedDiagnostic> {
        let located = diagnostics
            .iter()
            .map(|one| in_file(one, self.to_owned(), one.position));
        located.collect()
    }
}

impl FileNames for String {
    fn locate(&self, diagnostics: &[&Diagnostic]) -> Vec<LocatedDiagnostic> {
        self.as_str().locate(diagnostics)
    }
}

impl FileNames for SourceMap {
    fn locate(&self, diagnostics: &[&Diagnostic]) -> Vec<LocatedDiagnostic> {
        in_texts(self, &[], diagnostics)
    }
}

impl FileNames for NamedText {
    fn locate(&self, diagnostics: &[&Diagnostic]) -> Vec<LocatedDiagnostic> {
        let mut located = self.name.locate(diagnostics);
        let mut excerpts = Excerpts::new(&self.text);
        for index in in_text_order(diagnostics) {
            if let Some(one) = located.get_mut(index) {
                let position = one.position.filter(|_| !is_about_secret(&one.diagnostic));
                one.excerpt = position.and_then(|position| excerpts.at(position));
            }
        }
        located
    }
}

impl FileNames for [NamedText] {
    fn locate(&self, diagnostics: &[&Diagnostic]) -> Vec<LocatedDiagnostic> {
        let sources: Vec<SourceText<'_>> = self.iter().map(NamedText::source).collect();
        in_texts(&SourceText::map(&sources), self, diagnostics)
    }
}

impl FileNames for Vec<NamedText> {
    fn locate(&self, diagnostics: &[&Diagnostic]) -> Vec<LocatedDiagnostic> {
        self.as_slice().locate(diagnostics)
    }
}

/// The places of diagnostics about texts that were read as one input. `texts` are those of the map, or empty.
#[must_use]
pub fn in_texts(
    map: &SourceMap,
    texts: &[NamedText],
    diagnostics: &[&Diagnostic],
) -> Vec<LocatedDiagnostic> {
    let place = |position: Position| map.place(position);
    let of = |one: &&Diagnostic| match one.position.map(place) {
        Some(place) => in_file(one, place.name.to_owned(), Some(place.position)),
        None => in_file(one, map.name(), None),
    };
    let mut located: Vec<LocatedDiagnostic> = diagnostics.iter().map(of).collect();
    let mut present: Option<(usize, Excerpts<'_>)> = None;
    for index in in_text_order(diagnostics) {
        let shown = diagnostics.get(index).filter(|one| !is_about_secret(one));
        let position = shown.and_then(|one| one.position);
        let (Some(one), Some(place)) = (located.get_mut(index), position.map(place)) else {
            continue;
        };
        if present.as_ref().is_none_or(|(file, _)| *file != place.file) {
            let text = texts.get(place.file);
            present = text.map(|text| (place.file, Excerpts::new(&text.text)));
        }
        let excerpts = present.as_mut().map(|(_, excerpts)| excerpts);
        one.excerpt = excerpts.and_then(|excerpts| excerpts.at(place.position));
    }
    located
}

/// A diagnostic in a file, without its line.
fn in_file(diagnostic: &Diagnostic, file: String, position: Option<Position>) -> LocatedDiagnostic {
    LocatedDiagnostic {
        file,
        position,
        excerpt: None,
        diagnostic: diagnostic.clone(),
    }
}

/// Whether a diagnostic is about a token key or another secret.
fn is_about_secret(diagnostic: &Diagnostic) -> bool {
    let path = diagnostic.path.as_str();
    diagnostic.code == "config/key"
        || path.contains("affinity.keys")
        || path.contains("secret")
        || diagnostic.found.as_deref().is_some_and(is_described)
}

/// The indices of diagnostics by their position.
fn in_text_order(diagnostics: &[&Diagnostic]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..diagnostics.len()).collect();
    order.sort_by_key(|index| diagnostics.get(*index).and_then(|one| one.position));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, text: &str) -> NamedText {
        NamedText {
            name: name.into(),
            text: text.into(),
        }
    }

    fn at(line: u32, column: u32) -> Diagnostic {
        Diagnostic::error("config/value", "out of range").at("a", Position { line, column })
    }

    fn marked(one: &LocatedDiagnostic) -> Option<&str> {
        let excerpt = one.excerpt.as_ref()?;
        excerpt.text.get(excerpt.marked.clone())
    }

    #[test]
    fn a_place_has_the_line_of_its_file() {
        let texts = [
            text("a.yaml", "a: 1\r\nb: [2, \"x y\"]\n"),
            text("b.yaml", "c: 3"),
        ];
        // In any order.
        let faults = [at(4, 4), at(3, 4), at(2, 8), at(1, 4), at(2, 5), at(9, 1)];
        let located = texts.as_slice().locate(&faults.iter().collect::<Vec<_>>());
        let found: Vec<_> = located
            .iter()
            .map(|one| (one.file.as_str(), marked(one)))
            .collect();
        let expected = [
            ("b.yaml", Some("3")),
            // The end of the first file.
            ("a.yaml", Some(" ")),
            ("a.yaml", Some("\"x y\"")),
            ("a.yaml", Some("1")),
            ("a.yaml", Some("2")),
            ("b.yaml", None),
        ];
        assert_eq!(found, expected);
        assert_eq!(
            located.first().map(LocatedDiagnostic::line),
            Some("b.yaml:1:4: config/value: a: out of range".into())
        );
    }

    #[test]
    fn a_line_that_may_have_a_secret_is_not_shown() {
        let key = "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=";
        let lines = format!("keys: [{{id: x, secret: abc}}]\n- {key}\nname: shop");
        let file = text("a.yaml", &lines);
        let found = |one: Diagnostic| file.locate(&[&one]).remove(0).excerpt.is_some();
        assert!(!found(at(1, 7)));
        assert!(!found(at(2, 1)));
        assert!(found(at(3, 1)));
        let position = Position { line: 3, column: 1 };
        assert!(!found(
            Diagnostic::error("config/key", "too short").at("a", position)
        ));
        assert!(!found(at(3, 1).at("affinity.keys[0]", position)));
    }
}
