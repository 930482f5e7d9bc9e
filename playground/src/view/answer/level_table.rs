//! The figures of the levels.

use yew::prelude::*;

use crate::{
    state::{
        Figure, PanicMode, PriorityReport, Store, change, count, decimal, fixed, level_at, whole,
    },
    view::{
        Act, Shared,
        parts::{FigureButton, cell, head, hidden_caption, row, swatch},
    },
};

/// One row a level; each load is a button that opens its explanation.
pub(crate) fn level_table(store: &Shared, act: &Act) -> Html {
    let differs = store.outcome.shares_differ_from_loads();
    let mut columns = vec![
        ("", "level"),
        ("minor", "hosts"),
        ("", "healthy"),
        ("minor", "availability"),
        ("", "load"),
    ];
    if differs {
        columns.push(("", "traffic"));
    }
    columns.extend([("", "per host"), ("", "panic"), ("minor", "change")]);
    let levels = store.outcome.levels().iter();
    html! {
        <table class="figures">
            { hidden_caption("The split by level") }
            { head(&columns) }
            <tbody>{ for levels.map(|level| draw(level, store, differs, act)) }</tbody>
        </table>
    }
}

fn draw(level: &PriorityReport, store: &Store, differs: bool, act: &Act) -> Html {
    let figure = Figure::Level(level_at(level.row.at));
    let id = store.outcome.id(level);
    let selected = store.selected == Some(figure);
    let test = |what: &str| Some(format!("{what}-{id}"));
    let available = level.row.availability;
    let availability = match available.degraded {
        0 => available.healthy.to_string(),
        degraded => format!("{} + {degraded}", available.healthy),
    };
    let healthy = match level.degraded() {
        0 => count(level.healthy()),
        degraded => format!("{} + {degraded}", count(level.healthy())),
    };
    let load = FigureButton {
        test: test("load"),
        name: format!("{}: why {} takes it", whole(level.row.load()), level.name),
        text: whole(level.row.load()),
        selected,
        onclick: act.select(figure),
    };
    let panic = match level.panic {
        PanicMode::Off => html! { "no" },
        PanicMode::Priority => html! { <strong class="alarm">{ "panic" }</strong> },
        PanicMode::Total => html! { <strong class="alarm">{ "total" }</strong> },
    };
    let mut cells = vec![
        html! { <th scope="row">{ swatch(level.place) }{ &level.name }</th> },
        cell("minor", test("hosts"), count(level.hosts.len()).into()),
        cell("", test("healthy-count"), healthy.into()),
        cell("minor", test("availability"), availability.into()),
        cell("", None, load.view()),
    ];
    if differs {
        cells.push(cell("", test("traffic"), decimal(level.share()).into()));
    }
    cells.extend([
        cell("", test("per-host"), per_host(level).into()),
        cell("", test("panic"), panic),
        cell("minor", test("change"), changed(store, level).into()),
    ]);
    row(id, selected, cells)
}

fn per_host(level: &PriorityReport) -> String {
    match level.per_host() {
        None => decimal(0.0),
        Some((low, high)) if high - low < 0.05 => decimal((low + high) / 2.0),
        Some((low, high)) => format!("{}\u{2013}{}", fixed(low), decimal(high)),
    }
}

/// Against the same level before the latest step; a level that is new has nothing to compare.
fn changed(store: &Store, level: &PriorityReport) -> String {
    let before = store.previous.as_ref().and_then(|before| {
        let row = before.level(level_at(level.row.at));
        row.map(|row| row.row.load())
    });
    match before {
        None => "\u{2013}".into(),
        Some(before) => change(f64::from(level.row.load()) - f64::from(before)),
    }
}
