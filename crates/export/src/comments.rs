//! Comments in YAML that explain the loads of each cluster.

use std::sync::Arc;

use spillgate_core::{model::Cluster, visible::visible};
use spillgate_explain::format::plain;
use spillgate_scenario::{
    ExplanationNode, Headline, PageFigure, ScenarioOutcome, explain, priority_at,
};

use super::ExportSource;

/// The line before the clusters, and the start of each cluster, in the layout of the writer.
const CLUSTERS: &str = "  clusters:";
const CLUSTER: &str = "  - ";

/// More priorities are summed up.
const MOST_PRIORITIES: usize = 8;

/// A bootstrap with a comment before each cluster. Clusters in one line get their comments at the top.
pub(crate) fn with_comments(bootstrap: &str, source: &ExportSource<'_>) -> String {
    let clusters = source.model.clusters().iter();
    let mut comments = clusters.map(|cluster| comment(cluster, source));
    let mut out = String::with_capacity(bootstrap.len() * 2);
    let mut in_clusters = false;
    for line in bootstrap.lines() {
        if in_clusters && line.starts_with(CLUSTER) {
            write(comments.next().unwrap_or_default(), "  ", &mut out);
        }
        in_clusters |= line == CLUSTERS;
        out.push_str(line);
        out.push('\n');
    }
    let mut at_top = String::new();
    comments.for_each(|lines| write(lines, "", &mut at_top));
    at_top + &out
}

fn write(lines: Vec<String>, indent: &str, out: &mut String) {
    for line in lines {
        out.push_str(indent);
        out.push_str("# ");
        // A name can have a line break.
        out.push_str(&visible(&line));
        out.push('\n');
    }
}

/// The result of a cluster, and the formulas of its loads; empty for a cluster that the playground cannot show.
fn comment(cluster: &Cluster, source: &ExportSource<'_>) -> Vec<String> {
    let mut clusters = vec![cluster.clone()];
    for name in cluster.members() {
        let known = clusters.iter().any(|one| one.name == *name);
        clusters.extend(source.model.cluster(name).filter(|_| !known).cloned());
    }
    let clusters = clusters.into_iter().map(Arc::new).collect();
    let Ok(scenario) = source.scenario(clusters, 0) else {
        return Vec::new();
    };
    let outcome = ScenarioOutcome::of(&scenario);
    let headline = Headline::of(&outcome);
    let result = headline.sentence();
    if outcome.unknown_hosts.is_some() {
        return vec![plain(&format!("{}: {result}", cluster.name))];
    }
    let mut lines = vec![plain(&format!(
        "{}: {result} {}",
        cluster.name, headline.reason
    ))];
    for row in outcome.priorities().iter().take(MOST_PRIORITIES) {
        let figure = PageFigure::Priority(priority_at(row.row.at));
        if let Some(load) = explain(&scenario, &outcome, figure) {
            lines.push(formula(&load));
        }
    }
    lines
}

/// A load, its formula, and those of the figures in it.
fn formula(load: &ExplanationNode) -> String {
    let with_value = |node: &ExplanationNode| {
        if node.formula.is_empty() {
            format!("{} = {}", node.label, node.value)
        } else {
            format!("{} = {} = {}", node.label, node.formula, node.value)
        }
    };
    let causes = load.children.iter().map(with_value);
    let causes: Vec<String> = causes.collect();
    let load = with_value(load);
    plain(&if causes.is_empty() {
        format!("  {load}")
    } else {
        format!("  {load}; {}", causes.join("; "))
    })
}
