//! Before and after: bars and figures.

use spillgate_playground::{
    state::{Size, change, decimal, whole},
    view::parts::{bar, bar_label, cell, color, head, hidden_caption, paint, row, swatch},
};
use yew::prelude::*;

use crate::what_if::{BeforeAfter, LossAnswer};

/// One bar for before and one for after. The table below has the same figures.
pub(super) fn before_and_after(answer: &LossAnswer, size: Size) -> Html {
    // Narrower segments, in percent, have no label.
    let room = match size {
        Size::Wide => 9,
        Size::Narrow => 24,
    };
    html! {
        <figure class="two-bars">
            <figcaption class="hidden">{ answer.headline.clone() }</figcaption>
            { one_bar("before", answer, room, |priority| priority.before) }
            { one_bar("after", answer, room, |priority| priority.after) }
        </figure>
    }
}

fn one_bar(
    label: &'static str,
    answer: &LossAnswer,
    room: u32,
    load: fn(&BeforeAfter<u32>) -> u32,
) -> Html {
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
            if width >= room {
                let name = priority.name.rsplit(' ').next().unwrap_or_default();
                parts.push(bar_label(x + w / 2.0, format!("{name} {}", whole(width))));
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
pub(super) fn table(answer: &LossAnswer) -> Html {
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
                html! { <th scope="row">{ swatch(place) }{ &priority.name }</th> },
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
    html! {
        <table class="figures">
            { hidden_caption("Loads before and after the loss") }
            { head(&columns) }
            <tbody>{ for priorities.chain(no_host) }</tbody>
        </table>
    }
}
