//! The headline and the facts below the tables.

use spillgate_core::visible::visible;
use spillgate_explain::{
    format::{percent, plain, plural},
    host_address,
    report::{Effect, LoadState, Onset},
    what_if,
};

use crate::what_if::{loss_report::Answer, question::Question};

/// The maximum number of lost or added hosts that are named; `--format json` names all.
const MOST_NAMED: usize = 20;

/// The loss, its consequences and the lost hosts.
pub(super) fn headline(question: &Question, answer: &Answer, names: &[String]) -> String {
    let (lost, all) = (answer.lost.len(), question.scene().hosts().len());
    let name = question.name();
    let changes = &question.subject.changes;
    let mut parts = Vec::new();
    if !changes.settings.is_empty() {
        parts.push(format!("with {}", changes.settings.join(" and ")));
    }
    if !changes.additions.is_empty() {
        let added = plural(changes.addresses.len(), "host");
        let additions = changes.additions.join(" and ");
        parts.push(format!("gains {added} ({additions})"));
    }
    if lost > 0 {
        let losses: Vec<String> = question.losses.iter().map(ToString::to_string).collect();
        let losses = losses.join(" and ");
        let all = plural(all, "host");
        parts.push(format!("loses {lost} of {all} ({losses})"));
    }
    if parts.is_empty() {
        parts.push("without a loss".into());
    }
    let loss = format!("{name} {}", parts.join(", "));
    let (after, shares) = (&answer.what_if.after, &answer.what_if.shares_after);
    let consequences = match (&answer.grpc, answer.no_figures()) {
        (_, Some(no_figures)) => no_figures.text(),
        (Some(_), None) => without_panic(after, names),
        (None, None) => what_if::consequences(after, shares, names),
    };
    let mut headline = visible(&format!("{loss}: {consequences}.")).into_owned();
    headline.push('\n');
    headline.push_str(&hosts_line("Added hosts", &changes.addresses));
    headline.push_str(&hosts_line("Lost hosts", &answer.lost));
    plain(&headline)
}

/// A line with the first hosts; empty without hosts.
fn hosts_line(title: &str, addresses: &[String]) -> String {
    if addresses.is_empty() {
        return String::new();
    }
    let named = addresses.get(..MOST_NAMED).unwrap_or(addresses);
    let mut line = format!("{title}: {}", named.join(", "));
    if let Some(more @ 1..) = addresses.len().checked_sub(MOST_NAMED) {
        line.push_str(&format!(" and {more} more"));
    }
    line + "\n"
}

/// The state of a client that has no panic mode: one priority takes everything.
fn without_panic(after: &LoadState, names: &[String]) -> String {
    let loads = after.loads().zip(names);
    let taken = loads.filter(|(load, _)| *load > 0);
    let mut parts: Vec<String> = taken
        .map(|(_, name)| format!("{name} takes {}", percent(100.0 - after.no_host)))
        .collect();
    if after.no_host > 0.0 {
        let share = percent(after.no_host);
        parts.push(format!("{share} of the requests find no host"));
    }
    parts.join(", ")
}

/// An effect and the loss with which it begins. A gRPC client leaves a priority as a whole.
fn onset(onset: &Onset, answer: &Answer, names: &[String]) -> String {
    let text = what_if::onset(onset, names).1;
    match (&answer.grpc, onset.what) {
        (Some(_), Effect::Spill) => text.replace("spills over", "fails over"),
        _ => text,
    }
}

/// Knees, margin, overload and keys.
pub(super) fn facts(question: &Question, answer: &Answer, names: &[String]) -> String {
    let mut facts = Vec::new();
    let what = &answer.what_if;
    if !question.swept.is_empty() {
        for onset in &what.onsets {
            facts.push(self::onset(onset, answer, names));
        }
        if what.onsets.is_empty() {
            facts.push(match &answer.grpc {
                Some(_) => "no loss causes failover or requests without a host".into(),
                None => "no loss causes spillover, panic mode or requests without a host".into(),
            });
        }
        if answer.grpc.is_none() {
            facts.push(what_if::panic_margin(what.panic_margin).1);
        }
    }
    if let Some(worst) = what.overload.filter(|worst| worst.factor() > 1.0 + 1e-9) {
        facts.push(format!(
            "of the remaining hosts {} gets the highest increase: {:.2} times its load ({:.1} % \
             instead of {:.1} %)",
            host_address(question.scene().snapshot(), worst.host),
            worst.factor(),
            worst.after,
            worst.before
        ));
    }
    if let Some(capped) = &answer.capped {
        facts.push(format!(
            "if only outlier detection notices the loss, it ejects {} ({} % of {}): {:.1} % of the \
             requests reach lost hosts",
            match capped.ejected {
                0 => "no host".into(),
                hosts => plural(hosts, "host"),
            },
            capped.max_ejection_percent,
            plural(question.scene().hosts().len(), "host"),
            capped.failed
        ));
    }
    if let Some(keys) = &answer.keys_moved
        && question.has_effect()
    {
        let percent = |count: u64| count as f64 * 100.0 / keys.keys as f64;
        facts.push(format!(
            "{:.1} % of the request hashes move to another host, {:.1} % avoidable",
            percent(keys.moved),
            percent(keys.avoidable)
        ));
    }
    let lines = facts
        .iter()
        .map(|fact| format!("- {}\n", visible(&plain(fact))));
    lines.collect()
}
