//! The tables of the fleet.

use spillgate_explain::format::{count, decimal, fixed};
use spillgate_scenario::ShortNames;
use yew::prelude::*;

use super::bars::load_bar;
use crate::view::{
    parts::{cell, head, hidden_caption, named, note, row, scrolled},
    screens::fleet::{
        FleetInput, FleetOutcome, FleetStage, LISTED_CLASSES, LoadFigure, LoadRow, bar_shape,
        class_rows, imbalance_sentence, priority_rows, traffic_lines, zone_rows,
    },
};

/// A column: class and text.
type Column = (&'static str, &'static str);

/// The table of zones.
pub(super) fn zones(
    stage: &FleetStage,
    outcome: &FleetOutcome,
    input: &FleetInput,
    names: &ShortNames,
) -> Html {
    let columns = [
        ("", "zone"),
        ("", "callers"),
        ("", "sends/s"),
        ("", "hosts"),
    ];
    let rows = zone_rows(stage, outcome, input);
    loads(
        "fleet-zones",
        "Load of each zone",
        &columns,
        &rows,
        outcome,
        names,
    )
}

/// The table of priorities.
pub(super) fn priorities(outcome: &FleetOutcome, names: &ShortNames) -> Html {
    let columns = [("", "priority"), ("", "usable hosts")];
    let rows = priority_rows(outcome);
    let name = "What each priority must be able to take";
    loads("fleet-priorities", name, &columns, &rows, outcome, names)
}

/// The table of hosts, and their imbalance.
pub(super) fn classes(outcome: &FleetOutcome, names: &ShortNames) -> Html {
    let columns = [
        ("", "hosts"),
        ("text", "priority"),
        ("text", "zone"),
        ("text", "health"),
        ("", "weight"),
    ];
    let mut rows = class_rows(outcome);
    let more = rows.len().saturating_sub(LISTED_CLASSES);
    rows.truncate(LISTED_CLASSES);
    let imbalance = imbalance_sentence(outcome);
    html! {
        <>
            { loads("fleet-hosts", "Load of each host", &columns, &rows, outcome, names) }
            if more > 0 {
                { note(format!("and {} more; the command with --all prints them", count(more))) }
            }
            <p class="note" data-test="fleet-imbalance">{ imbalance }</p>
        </>
    }
}

/// A table of loads, with a bar in each row.
fn loads(
    test: &'static str,
    name: &'static str,
    columns: &[Column],
    rows: &[LoadRow],
    outcome: &FleetOutcome,
    names: &ShortNames,
) -> Html {
    let has_capacity = outcome.has_capacity;
    let mut columns = columns.to_vec();
    let figures: &[Column] = if has_capacity {
        &[("", "gets/s"), ("", "of capacity")]
    } else {
        &[("", "gets/s")]
    };
    columns.extend(figures);
    columns.push(("load", "load"));
    columns.push(("", "at most/s"));
    columns.extend(figures.iter().skip(1));
    columns.push(("text", "in the case"));
    let lines = rows.iter().enumerate().map(|(at, of)| {
        let shape = bar_shape(of, rows, has_capacity);
        let mut cells = vec![html! { <th scope="row">{ named(names, &of.name) }</th> }];
        let own = of.cells.iter().zip(columns.iter().skip(1));
        cells.extend(own.map(|(text, (class, _))| cell(class, None, named(names, text))));
        cells.extend(figure_cells(of.now, has_capacity));
        cells.push(cell("load", None, load_bar(shape)));
        cells.extend(figure_cells(of.most, has_capacity));
        cells.push(cell("text", None, named(names, &of.condition)));
        row(format!("{at} {}", of.name), None, cells)
    });
    let table = html! {
        <table class="figures">
            { hidden_caption(name) }
            { head(&columns) }
            <tbody data-test={test}>{ for lines }</tbody>
        </table>
    };
    html! { <><h3>{ name }</h3>{ scrolled(name, table) }</> }
}

/// The load, and its part of the capacity.
fn figure_cells(of: LoadFigure, has_capacity: bool) -> Vec<Html> {
    let mut cells = vec![cell("", None, fixed(of.rps).into())];
    if has_capacity {
        cells.push(cell("", None, utilization(of.utilization)));
    }
    cells
}

/// A ratio in percent; more than 100 % is an alarm.
pub(super) fn utilization(ratio: Option<f64>) -> Html {
    match ratio {
        None => "-".into(),
        Some(ratio) if ratio > 1.0 + 1e-9 => {
            html! { <strong class="alarm">{ decimal(100.0 * ratio) }</strong> }
        }
        Some(ratio) => decimal(100.0 * ratio).into(),
    }
}

/// The traffic between zones; empty for a single zone.
pub(super) fn traffic(outcome: &FleetOutcome, names: &ShortNames) -> Html {
    let lines = traffic_lines(outcome);
    if lines.is_empty() {
        return html! {};
    }
    let mut columns = vec![("", "from"), ("text", "to"), ("", "requests/s")];
    columns.extend(outcome.has_bytes.then_some(("", "GB/hour")));
    columns.extend(outcome.has_cost.then_some(("", "cost/hour")));
    let rows = lines.iter().enumerate().map(|(at, line)| {
        let mut cells = vec![
            html! { <th scope="row">{ named(names, &line.from) }</th> },
            cell("text", None, named(names, &line.to)),
        ];
        let figures = line.cells.iter();
        cells.extend(figures.map(|text| cell("", None, text.clone().into())));
        row(at.to_string(), None, cells)
    });
    let name = "Traffic between zones";
    let table = html! {
        <table class="figures">
            { hidden_caption(name) }
            { head(&columns) }
            <tbody data-test="fleet-traffic">{ for rows }</tbody>
        </table>
    };
    html! { <><h3>{ name }</h3>{ scrolled(name, table) }</> }
}
