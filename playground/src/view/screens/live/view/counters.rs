//! The decisions of the filter by priority and reason.

use crate::view::parts::{cell, head, hidden_caption, note, row};
use spillgate_scenario::decimal;
use yew::prelude::*;

use super::{comparison::requests, poll::with_monitor};
use crate::view::screens::live::{LiveComparison, LiveMessage};

/// Counters of requests that the filter did not send to a host of its choice: the metric and its meaning.
const PROBLEMS: [(&str, &str); 6] = [
    ("no_host", "without a host"),
    ("hosts_unknown", "refused, because hosts are unknown"),
    ("pass_through", "not steered"),
    ("unknown_target", "with an unknown target"),
    ("health.stale_decisions", "decided on stale health"),
    (
        "host_failures",
        "with refused calls of the host environment",
    ),
];

/// The table, and the other counters of the filter.
pub(super) fn counters(compared: &LiveComparison) -> Html {
    let filter = with_monitor(|monitor| {
        let filter = monitor.last()?.filter.as_ref()?;
        Some((filter.has_filter(), problems(&|name| filter.value(name))))
    });
    let (missing, problems) = match filter {
        None => (Some(LiveMessage::NoCounters), Vec::new()),
        Some((false, problems)) => (Some(LiveMessage::NoFilter), problems),
        Some((true, problems)) => {
            let is_idle = compared.decisions.iter().all(|one| one.count == 0);
            (is_idle.then_some(LiveMessage::NoDecisions), problems)
        }
    };
    let total: u64 = compared.decisions.iter().map(|one| one.count).sum();
    let rows = compared.decisions.iter().map(|one| {
        let key = format!(
            "{}/{}/{}/{}",
            one.cluster, one.priority, one.step, one.reason
        );
        let test = |what: &str| Some(format!("live-decisions-{what}-{key}"));
        let priority = match one.priority.as_str() {
            "none" => "none".to_owned(),
            number => format!("P{number}"),
        };
        let step = if one.step.is_empty() {
            String::new()
        } else {
            format!(", step {}", one.step)
        };
        let share = match total {
            0 => "\u{2013}".into(),
            total => decimal(one.count as f64 / total as f64 * 100.0),
        };
        row(
            key.clone(),
            None,
            vec![
                html! { <th scope="row">{ format!("{} {priority}{step}", one.cluster) }</th> },
                cell("text", None, one.reason.clone().into()),
                cell("", test("count"), requests(one.count).into()),
                cell("", None, share.into()),
            ],
        )
    });
    html! {
        <section class="live-counters" aria-label="Decisions of the filter">
            <h3>{ "Decisions of the filter" }</h3>
            if let Some(missing) = missing {
                { note(missing.to_string()) }
            }
            if !compared.decisions.is_empty() {
                <div class="scroll" role="region" tabindex="0" aria-label="Decisions of the filter by priority and reason">
                    <table class="figures" data-test="live-decisions">
                        { hidden_caption("Decisions of the filter by priority and reason, in the compared time") }
                        { head(&[("", "priority"), ("text", "reason"), ("", "decisions"), ("", "share")]) }
                        <tbody>{ for rows }</tbody>
                    </table>
                </div>
            }
            if !problems.is_empty() {
                { note(format!("Since Envoy started: {}.", problems.join("; "))) }
            }
        </section>
    }
}

fn problems(value: &dyn Fn(&str) -> Option<u64>) -> Vec<String> {
    let counted = PROBLEMS.iter().filter_map(|(name, meaning)| {
        let count = value(name).filter(|count| *count > 0)?;
        Some(format!("{} {meaning}", requests(count)))
    });
    counted.collect()
}
