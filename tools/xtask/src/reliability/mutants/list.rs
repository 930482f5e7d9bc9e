//! The changes that cargo-mutants can make in a package.

use anyhow::{Context as _, Result};
use serde_json::Value;

/// A change of the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// As cargo-mutants prints it: file, line, column and what is changed.
    pub name: String,
    /// The file, from the root of the repository.
    pub file: String,
    /// The first changed line, from 1.
    pub line: usize,
    /// What is changed, with the function.
    pub change: String,
}

/// Reads what `cargo mutants --list --json` prints.
pub fn read_list(text: &str) -> Result<Vec<Mutant>> {
    let list: Value =
        serde_json::from_str(text).context("the list of cargo-mutants is not JSON")?;
    let list = list.as_array().context("cargo-mutants lists nothing")?;
    list.iter().map(read_mutant).collect()
}

/// Reads a change, as lists and outcomes have it.
pub fn read_mutant(value: &Value) -> Result<Mutant> {
    let text = |key: &str| {
        let text = value[key].as_str();
        text.with_context(|| format!("cargo-mutants gives no {key} of a change"))
    };
    let (name, file) = (text("name")?, text("file")?);
    let line = value["span"]["start"]["line"].as_u64();
    // `FILE:LINE:COLUMN: CHANGE`
    let change = name.split_once(": ").map(|(_, change)| change);
    Ok(Mutant {
        name: name.to_owned(),
        file: file.to_owned(),
        line: usize::try_from(line.context("a change without a line")?)?,
        change: change.context("a change without a place")?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_has_a_file_a_line_and_a_text() -> Result<()> {
        let text = r#"[{
            "name": "core/src/a.rs:7:3: replace < with <= in A<'_>::b",
            "file": "core/src/a.rs",
            "span": {"start": {"line": 7, "column": 3}, "end": {"line": 7, "column": 4}},
            "genre": "BinaryOperator"
        }]"#;
        let expected = Mutant {
            name: "core/src/a.rs:7:3: replace < with <= in A<'_>::b".to_owned(),
            file: "core/src/a.rs".to_owned(),
            line: 7,
            change: "replace < with <= in A<'_>::b".to_owned(),
        };
        assert_eq!(read_list(text)?, [expected]);
        assert!(read_list("{}").is_err());
        assert!(read_list(r#"[{"name": "a"}]"#).is_err());
        Ok(())
    }
}
