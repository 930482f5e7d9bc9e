//! The table of priorities.

use yew::prelude::*;

use crate::{
    state::{
        PageFigure, PanicMode, PriorityReport, Store, change, count, decimal, fixed, priority_at,
        whole,
    },
    view::{
        Act, Shared,
        parts::{FigureButton, cell, head, hidden_caption, row, swatch},
    },
};

/// One row per priority; each load is a button that opens its explanation.
pub(crate) fn priority_table(store: &Shared, act: &Act) -> Html {
    let mut columns = vec![
        ("", "priority"),
        ("minor", "hosts"),
        ("", "healthy"),
        ("minor", "availability"),
        ("", "load"),
    ];
    if store.outcome.shares_differ_from_loads() {
        columns.push(("", "traffic"));
    }
    columns.extend([("", "per host"), ("", "panic"), ("minor", "change")]);
    let priorities = store.outcome.priorities().iter();
    html! {
        <table class="figures">
            { hidden_caption("Split by priority") }
            { head(&columns) }
            <tbody>{ for priorities.map(|priority| draw(priority, store, act)) }</tbody>
        </table>
    }
}

fn draw(priority: &PriorityReport, store: &Store, act: &Act) -> Html {
    let figure = PageFigure::Priority(priority_at(priority.row.at));
    let id = store.outcome.id(priority);
    let selected = store.selected == Some(figure);
    let test = |what: &str| Some(format!("{what}-{id}"));
    let available = priority.row.availability;
    let availability = match available.degraded {
        0 => available.healthy.to_string(),
        degraded => format!("{} + {degraded}", available.healthy),
    };
    let healthy = match priority.degraded() {
        0 => count(priority.healthy()),
        degraded => format!("{} + {degraded}", count(priority.healthy())),
    };
    let load = FigureButton {
        test: test("load"),
        of: priority.name.clone(),
        text: whole(priority.row.load()),
        selected,
        onclick: act.select(figure),
    };
    let panic = match priority.panic {
        PanicMode::Off => html! { "no" },
        PanicMode::Priority => html! { <strong class="alarm">{ "panic" }</strong> },
        PanicMode::Total => html! { <strong class="alarm">{ "total" }</strong> },
    };
    let mut cells = vec![
        html! { <th scope="row">{ swatch(priority.place) }{ &priority.name }</th> },
        cell("minor", test("hosts"), count(priority.hosts.len()).into()),
        cell("", test("healthy-count"), healthy.into()),
        cell("minor", test("availability"), availability.into()),
        cell("", None, load.view()),
    ];
    if store.outcome.shares_differ_from_loads() {
        cells.push(cell("", test("traffic"), decimal(priority.share()).into()));
    }
    cells.extend([
        cell("", test("per-host"), per_host(priority).into()),
        cell("", test("panic"), panic),
        cell("minor", test("change"), changed(store, priority).into()),
    ]);
    row(id, selected.then_some("selected"), cells)
}

fn per_host(priority: &PriorityReport) -> String {
    match priority.per_host() {
        None => decimal(0.0),
        Some((low, high)) if high - low < 0.05 => decimal((low + high) / 2.0),
        Some((low, high)) => format!("{}\u{2013}{}", fixed(low), decimal(high)),
    }
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
