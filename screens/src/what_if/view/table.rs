//! Before and after: bars and figures.

use spillgate_playground::{
    state::{ShortNames, change, decimal, fit_class, whole},
    view::parts::{
        bar, bar_label, cell, color, head, hidden_caption, named, paint, row, scrolled, swatch,
    },
};
use yew::prelude::*;

use crate::what_if::{BeforeAfter, LossAnswer};

/// One bar for before and one for after. The table below has the same figures.
pub(super) fn before_and_after(answer: &LossAnswer) -> Html {
    html! {
        <figure class="two-bars">
            <figcaption class="hidden">{ answer.headline.clone() }</figcaption>
            { one_bar("before", answer, |priority| priority.before) }
            { one_bar("after", answer, |priority| priority.after) }
        </figure>
    }
}

fn one_bar(label: &'static str, answer: &LossAnswer, load: fn(&BeforeAfter<u32>) -> u32) -> Html {
    let mut from = 0;
    let segments = answer
        .priorities
        .iter()
        .enumerate()
        .map(|(place, priority)| {
            let width = load(priority);
            let (x, w) = (f64::from(from), f64::from(width));
            let mut parts = vec![bar("", x, w, Some(paint(place)))];
            if from > 0 && width > 0 {
                parts.push(bar("gap", x, 0.3, None));
            }
            let name = priority.name.rsplit(' ').next().unwrap_or_default();
            let text = format!("{name} {}", whole(width));
            if let Some(class) = fit_class(&text, w) {
                parts.push(bar_label(class, x + w / 2.0, text));
            }
            from += width;
            html! { <g class={classes!("segment", color(place))}>{ for parts }</g> }
        });
    html! {
        <>
            <span aria-hidden="true">{ label }</span>
            <svg class="bar" width="100%" height="26" aria-hidden="true" focusable="false">{ for segments }</svg>
        </>
    }
}

/// The same figures as a table.
pub(super) fn table(answer: &LossAnswer, names: &ShortNames) -> Html {
    let priorities = answer
        .priorities
        .iter()
        .enumerate()
        .map(|(place, priority)| {
            let test = |what: &str| Some(format!("{what}-{}", priority.name));
            let panic = match priority.panic {
                true => html! { <strong class="alarm">{ "panic" }</strong> },
                false => html! { "no" },
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
