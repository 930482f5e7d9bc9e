//! The loss of each zone, in words and figures.

use spillgate_explain::format::fixed;
use spillgate_scenario::ShortNames;
use yew::prelude::*;

use super::tables::utilization;
use crate::view::{
    parts::{cell, head, hidden_caption, named, note, row, scrolled},
    screens::fleet::{FleetOutcome, case_sentence},
};

/// A sentence and a row for each zone.
pub(super) fn losses(outcome: &FleetOutcome, names: &ShortNames) -> Html {
    if outcome.losses().next().is_none() {
        return note("No host has a zone, so no zone can fail.".into());
    }
    let sentences = outcome.losses().map(|(at, case)| {
        let class = (!case.survives()).then_some("fails");
        let sentence = case_sentence(outcome, at).unwrap_or_default();
        html! { <li key={at} {class}>{ named(names, &sentence) }</li> }
    });
    html! {
        <>
            <h3>{ "If a zone fails" }</h3>
            <ul class="fleet-losses" data-test="fleet-losses">{ for sentences }</ul>
            { figures(outcome, names) }
        </>
    }
}

fn figures(outcome: &FleetOutcome, names: &ShortNames) -> Html {
    let mut columns = vec![("", "lost zone")];
    columns.extend(outcome.has_capacity.then_some(("", "highest of capacity")));
    columns.extend([("", "no host/s"), ("", "between zones/s")]);
    columns.extend(outcome.has_bytes.then_some(("", "GB/hour")));
    columns.extend(outcome.has_cost.then_some(("", "cost/hour")));
    columns.push(("", "survives"));
    let rows = outcome.losses().map(|(at, case)| {
        let name = outcome.report.case_name(at);
        let mut cells = vec![html! { <th scope="row">{ named(names, &name) }</th> }];
        if outcome.has_capacity {
            cells.push(cell("", None, utilization(case.highest())));
        }
        cells.push(cell("", None, fixed(case.no_host).into()));
        cells.push(cell("", None, fixed(case.crossing_rps()).into()));
        if outcome.has_bytes {
            cells.push(cell("", None, outcome.gb_text(case).into()));
        }
        if outcome.has_cost {
            cells.push(cell("", None, outcome.cost_text(case).into()));
        }
        cells.push(if case.survives() {
            cell("", None, "yes".into())
        } else {
            cell("", None, html! { <strong class="alarm">{ "no" }</strong> })
        });
        row(at.to_string(), None, cells)
    });
    let name = "The loss of each zone";
    let table = html! {
        <table class="figures">
            { hidden_caption(name) }
            { head(&columns) }
            <tbody data-test="fleet-cases">{ for rows }</tbody>
        </table>
    };
    scrolled(name, table)
}
