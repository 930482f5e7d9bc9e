//! `spillgate diff --format sarif`: the lint findings that only the new side has.

use spillgate_config::Position;
use spillgate_lint::Finding;

use super::answer::DiffAnswer;
use crate::lint::sarif_of;

/// New findings with their places.
#[derive(Debug, Default)]
pub(super) struct NewFindings {
    /// The name of the input.
    file: String,
    /// File, position and finding.
    placed: Vec<(String, Position, Finding)>,
}

impl NewFindings {
    pub(super) fn of(answer: &DiffAnswer<'_>) -> Self {
        let files = answer.new.config.files();
        let placed = answer.findings.new.iter().map(|finding| {
            let place = files.place(finding.position);
            (place.name.to_owned(), place.position, (*finding).clone())
        });
        Self {
            file: files.name(),
            placed: placed.collect(),
        }
    }

    /// The findings of several points of view, each once.
    pub(super) fn merged(all: impl Iterator<Item = Self>) -> Self {
        let mut merged = Self::default();
        for found in all {
            merged.file = found.file;
            for placed in found.placed {
                if !merged.placed.contains(&placed) {
                    merged.placed.push(placed);
                }
            }
        }
        merged
    }

    /// The log.
    pub(super) fn log(&self) -> String {
        let placed = self.placed.iter();
        let placed = placed.map(|(name, position, finding)| (name.as_str(), *position, finding));
        sarif_of("spillgate diff", &self.file, placed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spillgate_lint::Severity;

    fn found(lines: &[u32]) -> NewFindings {
        let placed = lines.iter().map(|&line| {
            let position = Position { line, column: 1 };
            let finding = Finding {
                rule: "rule",
                severity: Severity::Info,
                path: String::new(),
                position,
                cause: String::new(),
                effect: String::new(),
                fix: String::new(),
                plan: Vec::new(),
            };
            ("mesh.yaml".to_owned(), position, finding)
        });
        NewFindings {
            file: "mesh.yaml".into(),
            placed: placed.collect(),
        }
    }

    #[test]
    fn findings_of_all_zones_are_written_once() {
        let merged = NewFindings::merged([found(&[1]), found(&[1, 7])].into_iter());
        let log: serde_json::Value = serde_json::from_str(&merged.log()).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        let lines = results.iter().map(|of| {
            let place = &of["locations"][0]["physicalLocation"];
            place["region"]["startLine"].as_u64().unwrap()
        });
        assert_eq!(lines.collect::<Vec<_>>(), [1, 7]);
    }
}
