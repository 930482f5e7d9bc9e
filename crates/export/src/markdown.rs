//! Markdown: the result of the shown cluster, and the table of all hosts.

use spillgate_config::write::hosts_markdown;
use spillgate_core::visible::{is_hidden, visible};
use spillgate_explain::format::plain;
use spillgate_scenario::{EditedScenario, Headline, PanicMode, ScenarioOutcome, fixed, whole};

use super::ExportSource;

/// The sentences and the loads of the shown cluster, if the playground can show it, then the hosts.
pub(crate) fn markdown(source: &ExportSource<'_>) -> String {
    let hosts = hosts_markdown(source.model);
    match source.shown() {
        Ok(scenario) => format!("{}\n{hosts}", loads(&scenario)),
        Err(_) => hosts,
    }
}

fn loads(scenario: &EditedScenario) -> String {
    let outcome = ScenarioOutcome::of(scenario);
    let headline = Headline::of(&outcome);
    if outcome.unknown_hosts.is_some() {
        return format!("**{}**\n", escaped(&headline.sentence()));
    }
    let mut out = format!(
        "**{}** {}\n\n",
        escaped(&headline.sentence()),
        escaped(&headline.reason)
    );
    out.push_str(
        "| priority | hosts | healthy | degraded | availability | load | share | panic |\n",
    );
    out.push_str("|---|---:|---:|---:|---:|---:|---:|---|\n");
    for row in outcome.priorities() {
        let panic = match row.panic {
            PanicMode::Off => "no",
            PanicMode::Priority => "panic",
            PanicMode::Total => "total panic",
        };
        let availability = row.row.availability;
        let cells = [
            escaped(&row.name),
            row.hosts.len().to_string(),
            row.healthy().to_string(),
            row.degraded().to_string(),
            whole(
                availability
                    .healthy
                    .saturating_add(availability.degraded)
                    .min(100),
            ),
            whole(row.row.load()),
            format!("{} %", fixed(row.share())),
            panic.into(),
        ];
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    plain(&out)
}

/// Text in a cell or a paragraph: on one line, and without markup of its own.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if is_hidden(c) => out.push_str(&visible(c.encode_utf8(&mut [0; 4]))),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}
