//! The suggestion of a fault as a change of the text.

use spillgate_scenario::{ImportFault, ImportField, ImportTexts};

use super::caret_offset;

/// Characters that end a name without quotes, in YAML and JSON alike.
const ENDS: [char; 7] = [',', ':', ']', '}', '{', '[', '#'];

/// A replacement in a text field, in UTF-16 units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QuickFix {
    /// The start of the replaced characters.
    pub(crate) start: u32,
    /// Their end.
    pub(crate) end: u32,
    /// The new text.
    pub(crate) replacement: String,
}

/// The change that a fault suggests. `None` without a suggestion, or if the text at its position is
/// not the reported name.
#[must_use]
pub(crate) fn quick_fix(text: &str, fault: &ImportFault) -> Option<QuickFix> {
    let replacement = fault.suggestion.clone()?;
    let position = fault.position?;
    let line = text
        .split('\n')
        .nth(position.line.checked_sub(1)? as usize)?;
    let WrongName { name, is_quoted } = wrong_name_in(line, fault)?;
    let quoted = u32::from(is_quoted);
    let start = caret_offset(text, position) + quoted;
    let length = name.chars().map(|c| c.len_utf16() as u32).sum::<u32>();
    Some(QuickFix {
        start,
        end: start + length,
        replacement,
    })
}

/// Whether the suggestion of each fault can be applied. Reads the texts once, also for many faults.
#[must_use]
pub(crate) fn fixable(texts: &ImportTexts, faults: &[ImportFault]) -> Vec<bool> {
    let mut wanted: Vec<(ImportField, u32, usize)> = (0..)
        .zip(faults)
        .filter(|(_, fault)| fault.suggestion.is_some())
        .filter_map(|(index, fault)| Some((fault.field, fault.position?.line, index)))
        .collect();
    wanted.sort_unstable();
    let mut fixable = vec![false; faults.len()];
    for field in [ImportField::Config, ImportField::Clusters] {
        let mut lines = (1..).zip(texts.of(field).split('\n'));
        let mut here = lines.next();
        for &(_, line, index) in wanted.iter().filter(|(of, ..)| *of == field) {
            while here.is_some_and(|(number, _)| number < line) {
                here = lines.next();
            }
            let found = here.filter(|(number, _)| *number == line);
            if let (Some((_, text)), Some(fault), Some(is)) =
                (found, faults.get(index), fixable.get_mut(index))
            {
                *is = wrong_name_in(text, fault).is_some();
            }
        }
    }
    fixable
}

/// A name that a suggestion replaces.
struct WrongName<'t> {
    name: &'t str,
    is_quoted: bool,
}

/// The reported name at the position of a fault in its line; `None` if the line differs.
fn wrong_name_in<'t>(line: &'t str, fault: &ImportFault) -> Option<WrongName<'t>> {
    let skipped = fault.position?.column.checked_sub(1)? as usize;
    let (at, _) = line.char_indices().nth(skipped)?;
    let rest = line.get(at..)?;
    let name = name_at(rest);
    let is_wrong = !name.is_empty() && Some(name) == wrong_name(fault);
    is_wrong.then(|| WrongName {
        name,
        is_quoted: rest.starts_with(['"', '\'']),
    })
}

/// The name at the start of the text, without quotes. A name with escapes differs from the reported
/// one, so it is not replaced.
fn name_at(rest: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inside) = rest.strip_prefix(quote) {
            return inside.split(quote).next().unwrap_or_default();
        }
    }
    let end = rest.find(|c: char| c.is_whitespace() || ENDS.contains(&c));
    rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
}

/// The reported name: a value, or the field itself.
fn wrong_name(fault: &ImportFault) -> Option<&str> {
    match &fault.found {
        Some(found) => Some(found.trim_matches('"')),
        None => fault.path.rsplit(['.', ' ']).next(),
    }
}

#[cfg(test)]
mod tests {
    use spillgate_scenario::{TextPosition, page_error};

    use super::*;

    fn fixed(text: &str, line: u32, column: u32, found: Option<&str>, path: &str) -> String {
        let fault = ImportFault {
            position: Some(TextPosition { line, column }),
            found: found.map(Into::into),
            path: path.into(),
            suggestion: Some("MAGLEV".into()),
            ..page_error("", String::new())
        };
        let Some(fix) = quick_fix(text, &fault) else {
            return "no fix".into();
        };
        let units: Vec<u16> = text.encode_utf16().collect();
        let (before, after) = (&units[..fix.start as usize], &units[fix.end as usize..]);
        let new: Vec<u16> = fix.replacement.encode_utf16().collect();
        String::from_utf16(&[before, &new, after].concat()).unwrap()
    }

    #[test]
    fn a_suggestion_replaces_a_value() {
        let found = Some("\"MAGLEF\"");
        for (text, line, column, expected) in [
            ("a: MAGLEF # x", 1, 4, "a: MAGLEV # x"),
            ("{a: MAGLEF, b: 1}", 1, 5, "{a: MAGLEV, b: 1}"),
            ("x:\n- \"MAGLEF\"\n", 2, 3, "x:\n- \"MAGLEV\"\n"),
            ("'\u{1f600}': 'MAGLEF'", 1, 6, "'\u{1f600}': 'MAGLEV'"),
        ] {
            assert_eq!(fixed(text, line, column, found, "a"), expected);
        }
    }

    #[test]
    fn a_suggestion_replaces_a_field_name() {
        assert_eq!(
            fixed("- maglef: 1", 1, 3, None, "a[0].maglef"),
            "- MAGLEV: 1"
        );
    }

    #[test]
    fn other_text_is_left_alone() {
        let found = Some("\"MAGLEF\"");
        for (text, line, column) in [
            ("a: RANDOM", 1, 4),
            ("a: {x: 1}", 1, 4),
            ("a: MAGLEF", 1, 40),
            ("a: MAGLEF", 7, 4),
            ("a: MAGLEF", 0, 0),
        ] {
            assert_eq!(fixed(text, line, column, found, "a"), "no fix", "{text}");
        }
    }
}
