//! `spillgate fleet --format text|markdown`: the verdict, then tables, worst first.

use spillgate_explain::format::{fixed, plain, plural};
use spillgate_sim::fleet::{LocalClusterHosts, LostCallers};

use super::{
    answer::FleetAnswer,
    args::FleetArgs,
    figures::{expectation, in_style},
    tables::{cases, classes, needs, traffic, zones},
};
use crate::{color::bold, markdown_text::escaped, split::Style};

/// The whole answer.
pub(super) fn write(answer: &FleetAnswer, args: &FleetArgs, style: Style) -> String {
    let mut text = match style {
        Style::Plain => format!("{}\n", answer.verdict),
        Style::Colored => format!("{}\n", bold(&answer.verdict)),
        Style::Markdown => format!("### {}\n\n", escaped(&answer.verdict)),
    };
    text.push_str(&in_style(&senders(answer), style));
    text.push('\n');
    if style == Style::Markdown {
        // Lines of their own: Markdown joins the lines of a paragraph.
        let limits = answer.limits.text();
        text.extend(limits.lines().map(|line| format!("\n{}\n", escaped(line))));
    } else {
        text.push_str(&answer.limits.text());
    }
    let tables = [
        ("zones", Some(zones(answer, style))),
        ("without zones", cases(answer, args, style)),
        ("priorities", Some(needs(answer, style))),
        ("traffic between zones", traffic(answer, args, style)),
        ("hosts", Some(classes(answer, args, style))),
    ];
    for (heading, table) in tables {
        let Some(table) = table else { continue };
        match style {
            Style::Markdown => text.push_str(&format!("\n**{heading}**\n\n{table}")),
            Style::Plain | Style::Colored => text.push_str(&format!("\n{table}")),
        }
    }
    let expectations = answer.expectations.iter();
    for (at, expected) in expectations.enumerate() {
        let line = expectation(answer, expected);
        if at == 0 {
            text.push('\n');
        }
        text.push_str(&match style {
            Style::Markdown => format!("- {}\n", escaped(&line)),
            Style::Plain | Style::Colored => format!("{line}\n"),
        });
    }
    text
}

/// Who sends what, and what the figures assume.
fn senders(answer: &FleetAnswer) -> String {
    let callers: u64 = answer.callers().iter().map(|of| of.callers).sum();
    let requests = answer.present().map_or(0.0, |case| case.requests);
    let clusters = answer.clusters.join(", ");
    let send = if callers == 1 { "sends" } else { "send" };
    let callers = plural(usize::try_from(callers).unwrap_or(usize::MAX), "caller");
    let hosts = plural(answer.report.hosts.len(), "host");
    let mut text = format!(
        "{callers} {send} {} requests/s to {clusters} ({hosts})",
        fixed(requests)
    );
    text.push_str(match answer.local() {
        Some(LocalClusterHosts::Callers) => "; zone-aware routing counts these callers",
        Some(LocalClusterHosts::AsConfigured) => {
            "; zone-aware routing counts the configured local cluster"
        }
        None => "; no local cluster, so no zone-aware routing",
    });
    text.push_str(match answer.fleet.lost_callers {
        LostCallers::Stay => "",
        LostCallers::Fail => "; callers fail with their zone",
        LostCallers::Move => "; callers fail with their zone, and the others send their requests",
    });
    plain(&text)
}
