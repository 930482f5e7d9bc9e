//! The tables of `what-if`: before and after, zones, zone failures, expectations.

use comfy_table::{Cell, Color};
use spillgate_core::{shares::Distribution, snapshot::HostRef};

use crate::{
    split::{Style, bar, lines, number, percent, table, text},
    what_if::{
        loss_report::{Answer, Expected},
        question::Question,
    },
};

/// The priorities before and after.
pub(super) fn loads(answer: &Answer, names: &[String], style: Style) -> String {
    let head = [
        "priority", "healthy", "before %", "", "after %", "", "change", "",
    ];
    let mut table = table(style, &head);
    let (before, after) = (&answer.what_if.before, &answer.what_if.after);
    let rows = before.priorities.iter().zip(&after.priorities).zip(names);
    for (place, ((was, is), name)) in rows.enumerate() {
        let healthy = match (was.health.healthy, is.health.healthy, is.health.hosts) {
            (was, is, hosts) if was == is => format!("{is} of {hosts}"),
            (was, is, hosts) => format!("{was} → {is} of {hosts}"),
        };
        let panic = match (after.panics(place), style) {
            (true, Style::Colored) => text("panic").fg(Color::Red),
            (true, _) => text("panic"),
            (false, _) => text(""),
        };
        let (was, is) = (f64::from(was.load()), f64::from(is.load()));
        table.add_row([
            text(name),
            number(healthy),
            percent(was),
            bar(was, style),
            percent(is),
            bar(is, style),
            change(was, is),
            panic,
        ]);
    }
    if before.no_host > 0.0 || after.no_host > 0.0 {
        table.add_row([
            text("no host"),
            text(""),
            percent(before.no_host),
            bar(before.no_host, style),
            percent(after.no_host),
            bar(after.no_host, style),
            change(before.no_host, after.no_host),
            text(""),
        ]);
    }
    lines(&table)
}

/// The share of each zone; `None` for a single zone.
pub(super) fn zones(question: &Question, answer: &Answer, style: Style) -> Option<String> {
    if question.zones.len() < 2 {
        return None;
    }
    let what_if = &answer.what_if;
    let head = ["zone", "lost", "before %", "", "after %", "", "change"];
    let mut table = table(style, &head);
    for zone in &question.zones {
        let lost = zone.hosts.iter().filter(|host| what_if.lost.contains(host));
        let was = share(&what_if.shares_before, &zone.hosts);
        let is = share(&what_if.shares_after, &zone.hosts);
        table.add_row([
            text(&zone.zone),
            number(format!("{} of {}", lost.count(), zone.hosts.len())),
            percent(was),
            bar(was, style),
            percent(is),
            bar(is, style),
            change(was, is),
        ]);
    }
    Some(lines(&table))
}

/// The effects of losing whole zones (`--n-minus`).
pub(super) fn failures(
    question: &Question,
    answer: &Answer,
    names: &[String],
    style: Style,
) -> Option<String> {
    let count = question.n_minus?;
    let mut table = table(
        style,
        &["lost zones", "load", "panic", "no host %", "survives"],
    );
    for failure in &answer.n_minus {
        let state = &failure.state;
        let loads = names.iter().zip(state.loads());
        let loads: Vec<String> = loads
            .map(|(name, load)| format!("{name} {load} %"))
            .collect();
        let panics = names.iter().enumerate();
        let panics = panics.filter(|(place, _)| state.panics(*place));
        let panics: Vec<&str> = panics.map(|(_, name)| name.as_str()).collect();
        table.add_row([
            text(question.zone_names(failure).join(" and ")),
            text(loads.join(", ")),
            text(panics.join(", ")),
            percent(state.no_host),
            if state.survives() {
                verdict("yes", Color::Green, style)
            } else {
                verdict("NO", Color::Red, style)
            },
        ]);
    }
    let whole = match (count, answer.survives()) {
        (1, true) => "The cluster survives the loss of any single zone.",
        (1, false) => "The cluster does not survive the loss of every single zone.",
        (_, true) => "The cluster survives the loss of any two zones.",
        (_, false) => "The cluster does not survive the loss of every pair of zones.",
    };
    Some(format!("{}{whole}\n", lines(&table)))
}

/// The expectations and their results.
pub(crate) fn expectations<'e>(
    checked: impl IntoIterator<Item = &'e Expected>,
    style: Style,
) -> Option<String> {
    let mut checked = checked.into_iter().peekable();
    checked.peek()?;
    let mut table = table(style, &["expected", "found", ""]);
    for expected in checked {
        let value = expected.value.map_or("-".into(), rounded);
        table.add_row([
            text(&expected.expr),
            number(value),
            if expected.ok {
                verdict("ok", Color::Green, style)
            } else {
                verdict("FAILED", Color::Red, style)
            },
        ]);
    }
    Some(lines(&table))
}

/// A colored word.
fn verdict(word: &str, color: Color, style: Style) -> Cell {
    match style {
        Style::Colored => text(word).fg(color),
        Style::Plain | Style::Markdown => text(word),
    }
}

/// Three decimals at most.
pub(crate) fn rounded(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// The change in percentage points; empty below 0.05.
fn change(before: f64, after: f64) -> Cell {
    let change = after - before;
    number(if change.abs() < 0.05 {
        String::new()
    } else {
        format!("{change:+.1}")
    })
}

/// The share of these hosts together, in percent.
fn share(distribution: &Distribution, hosts: &[HostRef]) -> f64 {
    let shares = distribution.shares.iter();
    shares
        .filter(|share| {
            let host = HostRef {
                cluster: share.owner,
                priority: share.priority,
                host: share.host,
            };
            hosts.binary_search(&host).is_ok()
        })
        // The sum of an empty iterator is -0.0.
        .fold(0.0, |sum, share| sum + share.share)
}
