//! The tables of the pictures, and the phases of the command line.

use crate::view::parts::{cell, hidden_caption, named, note, row, term};
use spillgate_codec::import::{ReasonCount, TimelinePhase};
use spillgate_scenario::{ShortNames, decimal};
use yew::prelude::*;

use super::run::ShownRun;
use crate::view::screens::{
    over_time::seconds,
    timeline::{Period, reasons, term_text},
};

/// The share of each priority by period.
pub(super) fn load_table(run: &ShownRun) -> Html {
    let share = |own: u32, all: u32| match all {
        0 => String::new(),
        _ => decimal(f64::from(own) * 100.0 / f64::from(all)),
    };
    let rows = run.periods.iter().map(|period| {
        let mut cells = vec![from(period.from)];
        let own = period.priorities.iter();
        cells.extend(own.map(|own| cell("", None, share(*own, period.requests).into())));
        let none = period.requests - period.priorities.iter().sum::<u32>().min(period.requests);
        cells.push(cell("", None, share(none, period.requests).into()));
        row(period.from.to_string(), None, cells)
    });
    let names = run.recording.priorities.iter().cloned();
    let columns = ["from".to_owned()].into_iter().chain(names);
    sheet(
        &run.names,
        "Load by priority",
        columns.chain(["no host".to_owned()]),
        rows.collect(),
    )
}

/// The requests of each host by period.
pub(super) fn heat_table(run: &ShownRun) -> Html {
    let rows = run.rows.iter().map(|line| {
        let mut cells = vec![html! { <th scope="row">{ named(&run.names, &line.name) }</th> }];
        cells.extend(run.periods.iter().map(|period| {
            let own = period.hosts.get(line.hosts.clone()).unwrap_or_default();
            cell("", None, own.iter().sum::<u32>().to_string().into())
        }));
        row(line.name.clone(), None, cells)
    });
    let times = run.periods.iter().map(|period| seconds(period.from));
    let columns = ["host, from".to_owned()].into_iter().chain(times);
    sheet(&run.names, "Requests by host", columns, rows.collect())
}

/// The outcomes of requests by period.
pub(super) fn sessions_table(run: &ShownRun) -> Html {
    let rows = run.periods.iter().map(|period: &Period| {
        let mut cells = vec![from(period.from)];
        let values = [period.kept, period.moved, period.new, period.failed];
        cells.extend(values.map(|value| cell("", None, value.to_string().into())));
        row(period.from.to_string(), None, cells)
    });
    let columns = [
        "from",
        "stays on its host",
        "moves to another host",
        "starts a session",
        "finds no host",
    ]
    .map(str::to_owned);
    sheet(
        &run.names,
        "Requests by session",
        columns.into_iter(),
        rows.collect(),
    )
}

#[inline(never)]
fn sheet(
    names: &ShortNames,
    caption: &'static str,
    columns: impl Iterator<Item = String>,
    rows: Vec<Html>,
) -> Html {
    let columns = columns.map(|name| html! { <th scope="col">{ named(names, &name) }</th> });
    html! {
        <table class="figures">
            { hidden_caption(caption) }
            <thead><tr>{ for columns }</tr></thead>
            <tbody>{ for rows }</tbody>
        </table>
    }
}

fn from(millis: u64) -> Html {
    html! { <th scope="row">{ seconds(millis) }</th> }
}

/// The table of `spillgate simulate`, with the reasons and the broken rule.
pub(super) fn phases(run: &ShownRun) -> Html {
    let phases = &run.recording.phases;
    let sum = |counts: &[ReasonCount]| counts.iter().map(|why| why.count).sum::<u64>();
    let rows = phases.iter().enumerate().map(|(at, phase)| {
        let name = if phase.name.is_empty() {
            "start"
        } else {
            &phase.name
        };
        let mut cells = vec![
            from(phase.from),
            html! { <th scope="row" class="phase">{ name }</th> },
        ];
        let values = [
            phase.requests,
            phase.kept,
            sum(&phase.moved),
            phase.new,
            sum(&phase.failed),
            sum(&phase.refused),
            sum(&phase.hostile),
        ];
        cells.extend(values.map(|value| cell("", None, value.to_string().into())));
        row(at.to_string(), None, cells)
    });
    let words = [
        "phase", "requests", "kept", "moved", "new", "failed", "refused", "hostile",
    ];
    let ids = [
        "timeline-term-phase",
        "timeline-term-requests",
        "timeline-term-kept",
        "timeline-term-moved",
        "timeline-term-new",
        "timeline-term-failed",
        "timeline-term-refused",
        "timeline-term-hostile",
    ];
    let columns = words.into_iter().zip(ids);
    let columns = columns.map(|(word, id)| term(id, word.into(), term_text(word)));
    let why = |words, of: fn(&TimelinePhase) -> &[ReasonCount]| {
        reasons(words, phases.iter().flat_map(of))
    };
    let all = [
        why("Why sessions moved", |phase| &phase.moved),
        why("Why requests failed", |phase| &phase.failed),
        why("Why gateways refused tokens", |phase| &phase.refused),
        why("Hostile requests", |phase| &phase.hostile),
    ]
    .into_iter()
    .flatten();
    let broken = run.recording.broken.as_ref().map(|broken| {
        format!(
            "Rule broken at {}: {}: {}. Found {}; expected {}.",
            seconds(broken.at),
            broken.check,
            broken.rule,
            broken.found,
            broken.expected
        )
    });
    html! {
        <div class="phases">
            <h3>{ "Requests between events" }</h3>
            <div class="scroll" tabindex="0" role="region" aria-label="Requests between events">
                <table class="figures">
                    { hidden_caption("Requests between events") }
                    <thead>
                        <tr>
                            <th scope="col">{ "from" }</th>
                            { for columns.map(|term| html! { <th scope="col">{ term }</th> }) }
                        </tr>
                    </thead>
                    <tbody data-test="timeline-phases">{ for rows }</tbody>
                </table>
            </div>
            { for all.map(note) }
            if let Some(broken) = broken {
                <p class="alarm" data-test="timeline-broken">{ broken }</p>
            }
        </div>
    }
}
