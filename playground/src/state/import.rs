//! From pasted text to a scenario, and from a position back to the text.

use std::rc::Rc;

use spillgate_config::{
    Diagnostic, Position, Severity,
    envoy::{Format, Marks, read_clusters_only},
};
use spillgate_core::model::{Cluster, ClusterKind};
use spillgate_link::proposed;

use super::{Scenario, ScenarioError, plural};

/// A text that was read, kept to point at.
#[derive(Debug)]
pub struct Origin {
    /// The text.
    pub text: String,
    /// Where its values stand.
    pub marks: Marks,
    /// What it said, before any edit.
    pub clusters: Vec<Cluster>,
}

/// What a text offers.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The text, its marks and its clusters.
    pub origin: Rc<Origin>,
    /// What has no effect here, or not the effect that it seems to have.
    pub warnings: Vec<Fault>,
    /// The cluster that most likely is meant: one that an aggregate or a level list makes
    /// interesting.
    pub proposed: usize,
}

/// A finding in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Whether the text cannot be used.
    pub error: bool,
    /// A stable name of the kind.
    pub code: &'static str,
    /// Line and column, from 1.
    pub position: Option<Position>,
    /// The field and what is wrong with it.
    pub message: String,
    /// What stands there.
    pub found: Option<String>,
    /// What should.
    pub expected: Option<String>,
    /// What was probably meant.
    pub suggestion: Option<String>,
}

/// Reads an Envoy configuration, YAML or JSON.
///
/// # Errors
/// Every fault that keeps it from being used.
pub fn read(text: &str) -> Result<Imported, Vec<Fault>> {
    if text.trim().is_empty() {
        return Err(vec![fault("page/empty", "there is nothing to read yet")]);
    }
    let config = read_clusters_only(text, Format::guess("", text))
        .map_err(|diagnostics| diagnostics.into_iter().map(Fault::from).collect::<Vec<_>>())?;
    let clusters = config.model.into_clusters();
    if clusters.is_empty() {
        return Err(vec![fault(
            "page/no-cluster",
            "there is no cluster in it: paste a bootstrap, a list of clusters or a single one",
        )]);
    }
    let proposed = proposed(&clusters);
    Ok(Imported {
        origin: Rc::new(Origin {
            text: text.to_owned(),
            marks: config.marks,
            clusters,
        }),
        warnings: config.warnings.into_iter().map(Fault::from).collect(),
        proposed,
    })
}

/// The scenario that shows one of the clusters that were read.
///
/// # Errors
/// When the page cannot show it, and why.
pub fn select(imported: &Imported, root: usize) -> Result<Scenario, ScenarioError> {
    Scenario::new(imported.origin.clusters.clone(), root)
        .map(|scenario| scenario.with_origin(Some(Rc::clone(&imported.origin))))
}

impl Imported {
    /// The clusters to choose from: name and what they are made of.
    pub fn choices(&self) -> impl Iterator<Item = (usize, &str, String)> {
        let clusters = self.origin.clusters.iter().enumerate();
        clusters.map(|(at, cluster)| (at, cluster.name.as_str(), describe(cluster)))
    }
}

fn describe(cluster: &Cluster) -> String {
    match &cluster.kind {
        ClusterKind::Plain(plain) => {
            let hosts: usize = plain.levels.iter().map(|l| l.endpoints.len()).sum();
            format!(
                "{}, {}, {}",
                plain.policy.name(),
                plural(plain.levels.len(), "level"),
                plural(hosts, "host")
            )
        }
        ClusterKind::Aggregate(aggregate) => {
            format!("aggregate of {}", aggregate.members.join(", "))
        }
        ClusterKind::OriginalDst(_) => "ORIGINAL_DST".to_owned(),
    }
}

fn fault(code: &'static str, message: &str) -> Fault {
    Fault::from(Diagnostic::error(code, message))
}

impl From<ScenarioError> for Fault {
    fn from(error: ScenarioError) -> Self {
        fault("page/scenario", &error.to_string())
    }
}

impl From<Diagnostic> for Fault {
    fn from(diagnostic: Diagnostic) -> Self {
        let message = if diagnostic.path.is_empty() {
            diagnostic.message
        } else {
            format!("{}: {}", diagnostic.path, diagnostic.message)
        };
        Self {
            error: diagnostic.severity == Severity::Error,
            code: diagnostic.code,
            position: diagnostic.position,
            message,
            found: diagnostic.found,
            expected: diagnostic.expected,
            suggestion: diagnostic.suggestion,
        }
    }
}

/// Where a position is in a text, in the UTF-16 units that a browser's text fields count.
#[must_use]
pub fn caret_offset(text: &str, position: Position) -> u32 {
    let mut offset: u32 = 0;
    let mut line = 1;
    let mut column = 1;
    for c in text.chars() {
        if line > position.line || (line == position.line && column >= position.column) {
            break;
        }
        if line == position.line && c == '\n' {
            break;
        }
        if c == '\n' {
            line += 1;
            column = 1;
        } else {
            column += 1;
        }
        offset = offset.saturating_add(c.len_utf16() as u32);
    }
    offset
}

/// A line of an excerpt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineView {
    /// Its number, from 1.
    pub number: u32,
    /// Its text, cut where it is very long.
    pub text: String,
    /// Whether it is the line that was asked for.
    pub marked: bool,
}

/// The lines around a position.
#[must_use]
pub fn excerpt(text: &str, position: Position, around: u32) -> Vec<LineView> {
    const LONGEST: usize = 160;
    let first = position.line.saturating_sub(around).max(1);
    let last = position.line.saturating_add(around);
    (1..)
        .zip(text.lines())
        .skip_while(|(number, _)| *number < first)
        .take_while(|(number, _)| *number <= last)
        .map(|(number, line)| LineView {
            number,
            text: line.chars().take(LONGEST).collect(),
            marked: number == position.line,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caret_stands_before_its_character() {
        let at = |line, column| caret_offset("ab\nc\u{1f600}d\n", Position { line, column });
        assert_eq!(at(1, 1), 0);
        assert_eq!(at(1, 3), 2);
        assert_eq!(at(1, 9), 2, "past the end of a line is its end");
        assert_eq!(at(2, 3), 6, "an astral character counts twice");
        assert_eq!(at(9, 9), 8);
    }

    #[test]
    fn an_excerpt_marks_its_line() {
        let text = "a\nb\nc\nd\ne\n";
        let position = Position { line: 2, column: 1 };
        let lines = excerpt(text, position, 2);
        let numbers: Vec<_> = lines.iter().map(|l| (l.number, l.marked)).collect();
        assert_eq!(numbers, [(1, false), (2, true), (3, false), (4, false)]);
        assert!(excerpt("", position, 2).is_empty());
    }

    #[test]
    fn a_config_becomes_a_scenario() {
        let text = "static_resources:\n  clusters:\n  - name: shop\n    type: STATIC\n    \
            load_assignment:\n      cluster_name: shop\n      endpoints:\n      - priority: 0\n        \
            lb_endpoints:\n        - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}\n        \
            - endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}\n          \
            health_status: UNHEALTHY\n";
        let imported = read(text).unwrap();
        let scenario = select(&imported, imported.proposed).unwrap();
        assert_eq!(scenario.name(0), "shop");
        assert_eq!(scenario.plain(0).unwrap().levels[0].endpoints.len(), 2);
    }

    #[test]
    fn faults_come_with_their_places_and_all_at_once() {
        let faults = read(
            "static_resources:\n  clusters:\n  - name: a\n    lb_policy: MAGLEF\n  - name: b\n    \
             lb_policy: RANDON\n",
        )
        .unwrap_err();
        let lines: Vec<_> = faults
            .iter()
            .filter_map(|f| Some(f.position?.line))
            .collect();
        assert!(lines.contains(&4) && lines.contains(&6), "{faults:?}");
        assert!(read("  ").is_err());
        assert!(read("{}").is_err());
    }
}
