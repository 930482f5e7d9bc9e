//! The figures of the levels.

use yew::prelude::*;

use crate::{
    state::{Figure, LevelRow, Panic, Store, change, count, decimal, fixed, whole},
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
    let levels = store.outcome.levels.iter();
    html! {
        <table class="figures">
            { hidden_caption("The split by level") }
            { head(&columns) }
            <tbody>{ for levels.map(|level| draw(level, store, differs, act)) }</tbody>
        </table>
    }
}

fn draw(level: &LevelRow, store: &Store, differs: bool, act: &Act) -> Html {
    let figure = Figure::Level(level.at);
    let selected = store.selected == Some(figure);
    let test = |what: &str| Some(format!("{what}-{}", level.id));
    let availability = match level.availability.degraded {
        0 => level.availability.healthy.to_string(),
        degraded => format!("{} + {degraded}", level.availability.healthy),
    };
    let healthy = match level.degraded {
        0 => count(level.healthy),
        degraded => format!("{} + {degraded}", count(level.healthy)),
    };
    let load = FigureButton {
        test: test("load"),
        name: format!("{}: why {} takes it", whole(level.load), level.name),
        text: whole(level.load),
        selected,
        onclick: act.select(figure),
    };
    let panic = match level.panic {
        Panic::No => html! { "no" },
        Panic::Level => html! { <strong class="alarm">{ "panic" }</strong> },
        Panic::Total => html! { <strong class="alarm">{ "total" }</strong> },
    };
    let mut cells = vec![
        html! { <th scope="row">{ swatch(level.line) }{ &level.name }</th> },
        cell("minor", test("hosts"), count(level.hosts).into()),
        cell("", test("healthy-count"), healthy.into()),
        cell("minor", test("availability"), availability.into()),
        cell("", None, load.view()),
    ];
    if differs {
        cells.push(cell("", test("traffic"), decimal(level.share).into()));
    }
    cells.extend([
        cell("", test("per-host"), per_host(level).into()),
        cell("", test("panic"), panic),
        cell("minor", test("change"), changed(store, level).into()),
    ]);
    row(level.id.clone(), selected, cells)
}

fn per_host(level: &LevelRow) -> String {
    match level.per_host {
        None => decimal(0.0),
        Some((low, high)) if high - low < 0.05 => decimal((low + high) / 2.0),
        Some((low, high)) => format!("{}\u{2013}{}", fixed(low), decimal(high)),
    }
}

/// Against the same level before the latest step; a level that is new has nothing to compare.
fn changed(store: &Store, level: &LevelRow) -> String {
    let before = store.previous.as_ref().and_then(|before| {
        let mut levels = before.levels.iter();
        levels.find(|b| b.id == level.id).map(|b| b.load)
    });
    match before {
        None => "\u{2013}".into(),
        Some(before) => change(f64::from(level.load) - f64::from(before)),
    }
}
