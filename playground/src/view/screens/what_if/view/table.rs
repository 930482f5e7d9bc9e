//! The figures before and after, by priority.

use crate::view::parts::{cell, head, hidden_caption, named, row, scrolled, swatch};
use spillgate_scenario::{ShortNames, change, decimal, whole};
use yew::prelude::*;

use crate::view::screens::what_if::LossAnswer;

/// The table.
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
            row(format!("{place} {}", priority.name), None, cells)
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
        ("", "load of"),
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
