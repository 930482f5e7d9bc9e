//! A list of targets: those of a file, or of repeated arguments.

use std::collections::BTreeMap;

use spillgate_config::{Diagnostic, Position};

use crate::{TargetSpec, target::FORMS};

/// The maximum number of Envoys that are read. Further ones are counted.
pub const MOST_TARGETS: usize = 1_000;

/// Reads a file with one target on each line, `[NAME=]URL`. Empty lines and comments (`#`) are ignored.
///
/// # Errors
/// Every line that is no target or repeats one, and a file without targets.
pub fn read_target_list(file: &str, text: &str) -> Result<Vec<TargetSpec>, Vec<Diagnostic>> {
    let mut specs = Vec::new();
    let mut faults = Vec::new();
    let mut known = BTreeMap::<String, u32>::new();
    for (number, line) in (1_u32..).zip(text.lines()) {
        let written = line.trim();
        if written.is_empty() || written.starts_with('#') {
            continue;
        }
        let column = 1 + line
            .chars()
            .take_while(|letter| letter.is_whitespace())
            .count();
        let position = Position {
            line: number,
            column: u32::try_from(column).unwrap_or(u32::MAX),
        };
        match TargetSpec::new(format!("{file}:{number}"), written) {
            Err(fault) => faults.push(fault.at("", position)),
            Ok(spec) => match known.insert(spec.label(), number) {
                None => specs.push(spec),
                Some(first) => faults.push(repeated(&format!("line {first}")).at("", position)),
            },
        }
    }
    if faults.is_empty() && specs.is_empty() {
        let fault = Diagnostic::error("exporter/no-targets", "file has no targets");
        faults.push(fault.expected(format!("a line with {FORMS}")));
    }
    if faults.is_empty() {
        Ok(specs)
    } else {
        Err(faults)
    }
}

/// Reads the value of an argument at a place from 1; `earlier` are those before it.
///
/// # Errors
/// If it is no target, or repeats one.
pub fn spec_of_argument(
    number: usize,
    text: &str,
    earlier: &[TargetSpec],
) -> Result<TargetSpec, Box<Diagnostic>> {
    let spec = TargetSpec::new(format!("--admin {number}"), text)?;
    let same = earlier.iter().find(|known| known.label() == spec.label());
    same.map_or(Ok(spec), |known| Err(Box::new(repeated(&known.place))))
}

fn repeated(first: &str) -> Diagnostic {
    let what = format!("target is repeated, first at {first}");
    Diagnostic::error("exporter/repeated-target", what)
        .expected("targets with different names or addresses")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_targets_and_comments() {
        let text =
            "# edge\nedge-1=http://10.0.0.1:9901\n\n  unix:/run/envoy.sock\r\ndns:envoys:9901\n";
        let specs = read_target_list("t", text).unwrap();
        let places: Vec<_> = specs.iter().map(|spec| spec.place.as_str()).collect();
        assert_eq!(places, ["t:2", "t:4", "t:5"]);
    }

    #[test]
    fn all_faults_are_reported_with_their_places() {
        let text = "a=10.0.0.1:1\nhttps://x:1\n  a=10.0.0.2:1\nb=10.0.0.1:1\n";
        let faults = read_target_list("t", text).unwrap_err();
        let lines: Vec<_> = faults.iter().map(|fault| fault.render("t")).collect();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with("t:2:1: admin/url: "), "{lines:?}");
        assert!(
            lines[1].starts_with(
                "t:3:3: exporter/repeated-target: target is repeated, first at line 1"
            )
        );
        let faults = read_target_list("t", "# none\n").unwrap_err();
        assert_eq!(faults[0].code, "exporter/no-targets");
    }

    #[test]
    fn arguments_are_counted_and_must_differ() {
        let first = spec_of_argument(1, "10.0.0.1:1", &[]).unwrap();
        assert_eq!(first.place, "--admin 1");
        let fault = spec_of_argument(2, "http://10.0.0.1:1", &[first]).unwrap_err();
        assert_eq!(fault.code, "exporter/repeated-target");
    }
}
