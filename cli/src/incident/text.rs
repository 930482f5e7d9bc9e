//! `spillgate incident --format text|markdown`: the answers in sentences, then the timeline.

use spillgate_explain::format::plural;
use spillgate_incident::IncidentReport;

use super::{
    answer::{ClusterIncident, IncidentAnswer},
    args::IncidentArgs,
    comparison::Comparison,
    figures::expectation,
    tables,
};
use crate::{color::bold, markdown_text::escaped, split::Style};

/// The whole answer.
pub(super) fn write(
    answer: &IncidentAnswer,
    comparison: Option<&Comparison>,
    args: &IncidentArgs,
    style: Style,
) -> String {
    let mut text = match answer.clusters.as_slice() {
        [only] => of_cluster(only, args, style),
        _ => of_clusters(answer, args, style),
    };
    if let Some(comparison) = comparison {
        let subject = format!("by {}, in the worst run", comparison.subject);
        heading(&mut text, &subject, style);
        text.push_str(&tables::comparison(comparison, style));
    }
    let mut closing = paragraphs(answer.doubts(), style);
    let limits = answer.limits.text();
    closing.push_str(&paragraphs(limits.lines().map(str::to_owned), style));
    if let Some(other) = comparison.and_then(|of| of.other.as_ref()) {
        closing.push_str(&paragraphs(other.lines(answer), style));
    }
    if !closing.is_empty() {
        text.push('\n');
        text.push_str(closing.trim_start_matches('\n'));
    }
    text
}

/// The only cluster in detail.
fn of_cluster(cluster: &ClusterIncident, args: &IncidentArgs, style: Style) -> String {
    let report = &cluster.report;
    let mut text = title(&format!("{}: {}", report.cluster, report.verdict()), style);
    text.push_str(&paragraphs(report.sentences(), style));
    let settings = cluster.settings.iter().map(|of| {
        let path = of.setting.path();
        match &of.place {
            Some(place) => format!("{} ({path}, {place})", of.setting.text()),
            None => format!("{} ({path})", of.setting.text()),
        }
    });
    text.push_str(&paragraphs(settings, style));
    heading(&mut text, &timeline_title(report), style);
    text.push_str(&tables::timeline(report, args, style));
    expectations(&mut text, std::slice::from_ref(cluster), style);
    text
}

/// A line for each cluster.
fn of_clusters(answer: &IncidentAnswer, args: &IncidentArgs, style: Style) -> String {
    let failing = answer.clusters.iter().filter(|of| of.report.failing > 0);
    let verdict = format!(
        "hosts fail in {} of {}; figures of the worst run, --cluster NAME shows a cluster in detail",
        failing.count(),
        plural(answer.clusters.len(), "cluster")
    );
    let mut text = title(&verdict, style);
    text.push('\n');
    text.push_str(&tables::clusters(answer, args, style));
    expectations(&mut text, &answer.clusters, style);
    text
}

fn title(title: &str, style: Style) -> String {
    let title = spillgate_explain::format::plain(title);
    match style {
        Style::Plain => format!("{title}\n"),
        Style::Colored => format!("{}\n", bold(&title)),
        Style::Markdown => format!("### {}\n", escaped(&title)),
    }
}

fn heading(text: &mut String, heading: &str, style: Style) {
    match style {
        Style::Markdown => text.push_str(&format!("\n**{}**\n\n", escaped(heading))),
        Style::Plain | Style::Colored => text.push_str(&format!("\n{heading}\n")),
    }
}

/// Lines; in Markdown paragraphs, which would join lines.
fn paragraphs(lines: impl IntoIterator<Item = String>, style: Style) -> String {
    let lines = lines.into_iter().map(|line| match style {
        Style::Markdown => format!("\n{}\n", escaped(&line)),
        Style::Plain | Style::Colored => format!("{line}\n"),
    });
    lines.collect()
}

fn timeline_title(report: &IncidentReport) -> String {
    match report.runs {
        1 => "timeline, in seconds".into(),
        runs => format!("timeline of the first of {runs} runs, in seconds"),
    }
}

fn expectations(text: &mut String, clusters: &[ClusterIncident], style: Style) {
    let several = clusters.len() > 1;
    let mut lines = Vec::new();
    for cluster in clusters {
        for expected in &cluster.expectations {
            let line = expectation(expected);
            if several && !expected.ok {
                lines.push(format!("{line} ({})", cluster.report.cluster));
            } else if !several {
                lines.push(line);
            }
        }
    }
    if several && lines.is_empty() {
        let first = clusters.first().map(|of| of.expectations.as_slice());
        for expected in first.unwrap_or_default() {
            lines.push(format!("holds {} in all clusters", expected.expr));
        }
    }
    if !lines.is_empty() {
        text.push('\n');
    }
    for line in lines {
        text.push_str(&match style {
            Style::Markdown => format!("- {}\n", escaped(&line)),
            Style::Plain | Style::Colored => format!("{line}\n"),
        });
    }
}
