//! The list of pending units: vectors and scenarios that are expected to fail (`--pending`).

use std::collections::BTreeMap;

use serde::Deserialize;
use spillgate_config::{Diagnostic, Position};

/// Names of vectors, files and scenario folders, each with a reason.
///
/// Either JSON, `{"format": "spillgate-pending/1", "pending": [{"names": [...], "reason": "..."}]}`,
/// or text: one name per line, followed by the reason. `#` starts a comment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pending {
    names: BTreeMap<String, String>,
}

/// The `format` of the JSON form.
pub(super) const FORMAT: &str = "spillgate-pending/1";

/// The JSON form of the list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    pending: Vec<Group>,
}

/// Names with the same reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    names: Vec<String>,
    reason: String,
}

impl Pending {
    /// Reads either form.
    ///
    /// # Errors
    /// If the JSON is invalid or has another `format`.
    pub fn parse(text: &str) -> Result<Self, Box<Diagnostic>> {
        if text.trim_start().starts_with('{') {
            return Self::parse_json(text);
        }
        let names = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or_default().trim())
            .filter(|line| !line.is_empty())
            .map(
                |line| match line.split_once(|c: char| c.is_whitespace() || c == ':') {
                    Some((name, reason)) => {
                        (name.into(), reason.trim_start_matches([':', ' ']).into())
                    }
                    None => (line.into(), "no reason given".into()),
                },
            )
            .collect();
        Ok(Self { names })
    }

    /// Reads the JSON form.
    fn parse_json(text: &str) -> Result<Self, Box<Diagnostic>> {
        let file: File = serde_json::from_str(text).map_err(|error| {
            let whole = |number| u32::try_from(number).unwrap_or(u32::MAX);
            let position = Position {
                line: whole(error.line()),
                column: whole(error.column()),
            };
            Box::new(
                Diagnostic::error("pending/json", format!("invalid list: {error}"))
                    .at("", position),
            )
        })?;
        if file.format != FORMAT {
            let fault = Diagnostic::error("pending/format", "unknown format")
                .found(format!("{:?}", file.format))
                .expected(format!("{FORMAT:?}"));
            return Err(Box::new(fault));
        }
        let names = file
            .pending
            .into_iter()
            .flat_map(|group| {
                let reason = group.reason;
                group
                    .names
                    .into_iter()
                    .map(move |name| (name, reason.clone()))
            })
            .collect();
        Ok(Self { names })
    }

    /// The reason of a pending unit; `None` for other units.
    #[must_use]
    pub fn reason(&self, name: &str) -> Option<&str> {
        self.names.get(name).map(String::as_str)
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_equivalent() {
        let json = r#"{"format": "spillgate-pending/1",
            "pending": [{"names": ["a", "b"], "reason": "later"}]}"#;
        let text = "# not supported\na later\nb: later\n";
        let pending = Pending::parse(json).unwrap();
        assert_eq!(pending, Pending::parse(text).unwrap());
        assert_eq!(pending.reason("a"), Some("later"));
        assert_eq!(pending.reason("c"), None);
    }

    #[test]
    fn another_format_is_rejected() {
        let error = Pending::parse(r#"{"format": "x", "pending": []}"#).unwrap_err();
        assert!(error.to_string().contains("spillgate-pending/1"), "{error}");
        let error = Pending::parse("{").unwrap_err();
        assert_eq!(error.position, Some(Position { line: 1, column: 1 }));
    }
}
