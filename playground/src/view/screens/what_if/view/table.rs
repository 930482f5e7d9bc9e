//! Before and after: bars and figures.

use crate::view::parts::{cell, head, hidden_caption, named, row, scrolled, swatch};
use spillgate_scenario::{ShortNames, change, decimal, whole};
use yew::prelude::*;

use crate::view::screens::{
    stacked_bars::{StackedBar, StackedSegment, stacked_bars},
    what_if::{BeforeAfter, LossAnswer},
};

/// One bar for before and one for after. The table below has the same figures.
pub(super) fn before_and_after(answer: &LossAnswer) -> Html {
    let bar = |label, load: fn(&BeforeAfter<u32>) -> u32| {
        let segments = answer.priorities.iter().map(|priority| {
            let width = load(priority);
            let name = priority.name.rsplit(' ').next().unwrap_or_default();
            StackedSegment {
                width: f64::from(width),
                text: format!("{name} {}", whole(width)),
            }
        });
        StackedBar {
            label,
            segments: segments.collect(),
        }
    };
    stacked_bars(
        &answer.headline,
        vec![
            bar("before", |priority| priority.before),
            bar("after", |priority| priority.after),
        ],
    )
}

/// The same figures as a table.
pub(super) fn table(answer: &LossAnswer, names: &ShortNames) -> Html {
    let priorities = answer
        .priorities
        .iter()
        .enumerate()
        .map(|(place, priority)| {
            let test = |what: &str| Some(format!("{what}-{}", priority.name));
            let panic = if priority.panic {
                html! { <strong class="alarm">{ "panic" }</strong> }
            } else {
                html! { "no" }
            };
            let cells = vec![
                html! { <th scope="row">{ swatch(place) }{ named(names, &priority.name) }</th> },
                cell("", test("before"), whole(priority.before).into()),
                cell("", test("after"), whole(priority.after).into()),
                cell(
                    "",
                    None,
                    change(f64::from(priority.after) - f64::from(priority.before)).into(),
                ),
                cell("", test("panics"), panic),
            ];
            row(priority.name.clone(), None, cells)
        });
    let no_host = answer.no_host.iter().map(|none| {
        let cells = vec![
            html! { <th scope="row">{ "no host (503)" }</th> },
            cell("", None, decimal(none.before).into()),
            cell("", Some("after-none".into()), decimal(none.after).into()),
            cell("", None, change(none.after - none.before).into()),
            cell("", None, html! {}),
        ];
        row("none".into(), None, cells)
    });
    let columns = [
        ("", "priority"),
        ("", "before"),
        ("", "after"),
        ("", "change"),
        ("", "panic"),
    ];
    let table = html! {
        <table class="figures">
            { hidden_caption("Loads before and after the loss") }
            { head(&columns) }
            <tbody>{ for priorities.chain(no_host) }</tbody>
        </table>
    };
    scrolled("Loads before and after the loss", table)
}
