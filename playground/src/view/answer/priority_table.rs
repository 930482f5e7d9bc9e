//! The table of priorities.

use spillgate_scenario::{
    HostAt, PageFigure, PanicMode, PriorityReport, change, count, decimal, healthy_cell,
    panic_cell, per_host_cell, priority_at, whole,
};
use yew::prelude::*;

use crate::{
    state::Store,
    view::{
        Act, Shared,
        parts::{FigureButton, cell, hidden_caption, named, row, scrolled, swatch, term},
    },
};

const PRIORITY: &str = "Envoy fills P0 first. P1 gets requests only if P0 has not enough healthy hosts, P2 \
    only if P0 and P1 have not enough, and so on.";
const AVAILABILITY: &str = "How many of all requests the usable hosts are considered enough for, in percent: \
    the usable part of the hosts times the overprovisioning factor, at most 100.";
const LOAD: &str =
    "The part of all requests that Envoy sends to this priority. Loads sum to 100 %.";
const PANIC: &str = "Panic mode: if the availabilities of all priorities together are below 100 %, and the healthy and \
    degraded hosts of a priority are a smaller part of its hosts, without excluded ones, than the panic threshold, Envoy \
    ignores health and uses all its hosts.";

/// One row per priority; each load is a button that opens its explanation.
pub(crate) fn priority_table(store: &Shared, act: &Act) -> Html {
    let mut columns: Vec<(&'static str, Html)> = vec![
        ("", term("term-priority", "priority".into(), PRIORITY)),
        ("minor", "hosts".into()),
        ("", "healthy".into()),
        (
            "minor",
            term("term-availability", "availability".into(), AVAILABILITY),
        ),
        ("", term("term-load", "load".into(), LOAD)),
    ];
    if store.outcome.shares_differ_from_loads() {
        columns.push(("", "traffic".into()));
    }
    columns.extend([
        ("", "per host".into()),
        ("", term("term-panic", "panic".into(), PANIC)),
    ]);
    if store.previous.is_some() {
        columns.push(("minor", "change".into()));
    }
    let columns = columns
        .into_iter()
        .map(|(class, text)| html! { <th scope="col" {class}>{ text }</th> });
    let priorities = store.outcome.priorities().iter();
    let table = html! {
        <table class="figures">
            { hidden_caption("Split by priority") }
            <thead><tr>{ for columns }</tr></thead>
            <tbody>{ for priorities.map(|priority| draw(priority, store, act)) }</tbody>
        </table>
    };
    scrolled("Split by priority", table)
}

fn draw(priority: &PriorityReport, store: &Store, act: &Act) -> Html {
    let figure = PageFigure::Priority(priority_at(priority.row.at));
    let id = store.outcome.id(priority);
    let selected = store.selected.and_then(PageFigure::priority) == figure.priority();
    let test = |what: &str| Some(format!("{what}-{id}"));
    let available = priority.row.availability;
    let availability = match available.degraded {
        0 => available.healthy.to_string(),
        degraded => format!("{} + {degraded}", available.healthy),
    };
    let load = FigureButton {
        test: test("load"),
        of: priority.name.clone(),
        text: whole(priority.row.load()),
        selected: store.selected == Some(figure),
        onclick: act.select(figure),
    };
    let at = priority_at(priority.row.at);
    let button = |test: Option<String>, figure: PageFigure, what: &str, text: String| {
        let button = FigureButton {
            test,
            of: format!("{what} of {}", priority.name),
            text,
            selected: store.selected == Some(figure),
            onclick: act.select(figure),
        };
        button.view()
    };
    let panic = panic_cell(&store.outcome, priority);
    let panic_class = match priority.panic {
        PanicMode::Off => "",
        PanicMode::Priority | PanicMode::Total => "alarm",
    };
    let panic = button(
        test("panic"),
        PageFigure::Panic(at),
        "the panic mode",
        panic.into(),
    );
    let availability = button(
        test("availability"),
        PageFigure::Availability(at),
        "the availability",
        availability,
    );
    let per_host = match largest_share(priority) {
        None => per_host_cell(priority).into(),
        Some(host) => button(
            test("per-host"),
            PageFigure::Host(HostAt { priority: at, host }),
            "the largest share of a host",
            per_host_cell(priority),
        ),
    };
    let mut cells = vec![
        html! { <th scope="row">{ swatch(priority.place) }{ named(&store.names, &priority.name) }</th> },
        cell("minor", test("hosts"), count(priority.hosts.len()).into()),
        cell("", test("healthy-count"), healthy_cell(priority).into()),
        cell("minor", None, availability),
        cell("", None, load.view()),
    ];
    if store.outcome.shares_differ_from_loads() {
        cells.push(cell("", test("traffic"), decimal(priority.share()).into()));
    }
    cells.extend([cell("", None, per_host), cell(panic_class, None, panic)]);
    if store.previous.is_some() {
        let changed = changed(store, priority);
        cells.push(cell("minor", test("change"), changed.into()));
    }
    row(id, selected.then_some("selected"), cells)
}

/// The host with the largest share; `None` if no host serves.
fn largest_share(priority: &PriorityReport) -> Option<usize> {
    let shares = priority.hosts.iter().copied().enumerate();
    let serving = shares.filter(|&(_, share)| share > 0.0);
    let largest = serving.reduce(|most, next| if next.1 > most.1 { next } else { most });
    largest.map(|(host, _)| host)
}

/// The change since the latest step; a new priority has none.
fn changed(store: &Store, priority: &PriorityReport) -> String {
    let before = store.previous.as_ref().and_then(|before| {
        let row = before.priority(priority_at(priority.row.at));
        row.map(|row| row.row.load())
    });
    match before {
        None => "\u{2013}".into(),
        Some(before) => change(f64::from(priority.row.load()) - f64::from(before)),
    }
}
