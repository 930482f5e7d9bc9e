//! `spillgate simulate --format text`: a table of phases, the reasons and the broken rule.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{
    SimulationReport,
    simulation::{PhaseAnswer, RuleViolation, UncheckedRule},
};
use crate::split::{Style, lines, number, table, text};

/// The result as text.
pub(super) fn write(answer: &SimulationReport) -> String {
    let mut out = heading(answer);
    out.push_str("\n\n");
    out.push_str(&phases(answer));
    let mut reasons = String::new();
    why(&mut reasons, "moved", answer, |phase| &phase.moved);
    why(&mut reasons, "failed", answer, |phase| &phase.failed);
    why(&mut reasons, "refused", answer, |phase| &phase.refused);
    why(&mut reasons, "hostile", answer, |phase| &phase.hostile);
    if !reasons.is_empty() {
        out.push('\n');
        out.push_str(&reasons);
    }
    out.push('\n');
    match &answer.violation {
        Some(violation) => out.push_str(&broken(violation)),
        None => {
            let count = answer.rules.len();
            let all = count + answer.not_checked.len();
            let _ = match answer.not_checked.as_slice() {
                [] => writeln!(out, "All {count} rules held after every request."),
                _ => writeln!(
                    out,
                    "{count} of {all} rules were checked, and held after every request."
                ),
            };
            for UncheckedRule { check, because } in &answer.not_checked {
                let _ = writeln!(out, "Not checked: {check}, because {because}.");
            }
        }
    }
    out
}

/// The seeds, the number of events and the simulated time.
fn heading(answer: &SimulationReport) -> String {
    let (events, seconds) = (answer.events, seconds(answer.took_ms));
    match (&answer.violation, answer.runs) {
        (Some(broken), runs) if runs > 1 => format!(
            "run {runs}, seed {}: {events} events in {seconds} s",
            broken.seed
        ),
        (_, 1) => format!("seed {}: {events} events in {seconds} s", answer.seed),
        (_, runs) => {
            let last = answer.seed.wrapping_add(runs - 1);
            format!(
                "{runs} runs, seeds {} to {last}: {events} events in {seconds} s",
                answer.seed
            )
        }
    }
}

/// Milliseconds as seconds with one decimal.
fn seconds(millis: u64) -> String {
    format!("{}.{}", millis / 1_000, millis % 1_000 / 100)
}

/// The table of phases.
fn phases(answer: &SimulationReport) -> String {
    let head = [
        "from", "phase", "requests", "kept", "moved", "new", "failed", "refused", "hostile",
    ];
    let mut table = table(Style::Plain, &head);
    for phase in &answer.phases {
        let name = if phase.name.is_empty() {
            "start"
        } else {
            &phase.name
        };
        let all = |counts: &BTreeMap<&str, u64>| number(counts.values().sum::<u64>());
        table.add_row([
            number(format!("{} s", seconds(phase.from_ms))),
            text(name),
            number(phase.requests),
            number(phase.kept),
            all(&phase.moved),
            number(phase.new),
            all(&phase.failed),
            all(&phase.refused),
            all(&phase.hostile),
        ]);
    }
    lines(&table)
}

/// A line with the reasons of all phases; no line without reasons.
fn why(
    out: &mut String,
    what: &str,
    answer: &SimulationReport,
    of: impl Fn(&PhaseAnswer) -> &BTreeMap<&'static str, u64>,
) {
    let mut all: BTreeMap<&str, u64> = BTreeMap::new();
    for (reason, count) in answer.phases.iter().flat_map(of) {
        *all.entry(reason).or_default() += count;
    }
    let all: Vec<String> = all
        .iter()
        .map(|(reason, n)| format!("{reason} {n}"))
        .collect();
    if !all.is_empty() {
        let _ = writeln!(out, "{what}: {}", all.join(", "));
    }
}

/// The broken rule and the command that replays it.
fn broken(violation: &RuleViolation) -> String {
    let RuleViolation {
        check,
        rule,
        event,
        client,
        gateway,
        found,
        expected,
        replay,
        ..
    } = violation;
    let at = seconds(violation.at_ms);
    format!(
        "Rule broken: {check}: {rule}\n  \
         event {event}, at {at} s: client {client} through gateway {gateway}\n  \
         found {found}\n  \
         expected {expected}\n  \
         replay: {replay}\n"
    )
}
