//! Requests between their old and their new owners, as a picture and as a table.

use spillgate_diff::{OwnerShare, TrafficChange, TrafficOwner};
use spillgate_scenario::{ShortNames, cut, decimal, fixed};
use yew::prelude::*;

use super::owner_look::OwnerLook;
use crate::view::{
    parts::{area, cell, head, hidden_caption, named, row, scrolled, shape},
    screens::compare::{BAR_WIDTH, OwnerBar, Ribbon, flow_sentence, owner_label, ribbon_picture},
};

/// The width of a name in the picture, relative to the font size.
const NAME_ROOM: f64 = 6.4;

/// The picture with its caption and its table.
pub(super) fn ribbons(owner: TrafficOwner, change: &TrafficChange, names: &ShortNames) -> Html {
    let picture = ribbon_picture(change);
    let (test, title) = match owner {
        TrafficOwner::Priority => ("compare-priorities", "Requests by priority"),
        TrafficOwner::Locality => ("compare-localities", "Requests by locality"),
    };
    let sentence = flow_sentence(change);
    let look = |owner: Option<&OwnerBar>| OwnerLook::of(&picture, owner);
    let drawn = picture
        .ribbons
        .iter()
        .map(|ribbon| draw_ribbon(ribbon, look(picture.before.get(ribbon.from))));
    let bar = |bar, anchor| draw_bar(bar, look(Some(bar)), anchor, names);
    let before = picture.before.iter().map(|of| bar(of, "end"));
    let after = picture.after.iter().map(|of| bar(of, "start"));
    html! {
        <figure class="ribbons" data-test={test}>
            <h4>{ title }</h4>
            <svg viewBox={format!("0 0 {} {}", fixed(picture.width), fixed(picture.height))} role="img" aria-label={format!("{title}, before and after. {sentence}")}>
                { for drawn }
                { for before }
                { for after }
            </svg>
            <figcaption data-test={format!("{test}-sentence")}>{ named(names, &sentence) }</figcaption>
            { table(owner, change, names) }
        </figure>
    }
}

fn draw_ribbon(ribbon: &Ribbon, look: OwnerLook) -> Html {
    let class = if ribbon.moves {
        "ribbon moves"
    } else {
        "ribbon"
    };
    html! {
        <g class={look.class}>
            { shape(class, Some(look.fill), ribbon.path.clone(), &decimal(ribbon.share)) }
        </g>
    }
}

fn draw_bar(bar: &OwnerBar, look: OwnerLook, anchor: &'static str, names: &ShortNames) -> Html {
    let short = cut(names.get(owner_label(bar.name.as_deref())), NAME_ROOM);
    let (x, y) = bar.text;
    let text = |class: &'static str, y: f64, text: String| {
        html! { <text {class} text-anchor={anchor} x={fixed(x)} y={fixed(y)}>{ text }</text> }
    };
    html! {
        <g class={look.class}>
            { area("owner", (bar.x, bar.y), (BAR_WIDTH, bar.height.max(1.0)), Some(look.fill)) }
            { text("name", y - 3.0, short) }
            { text("share", y + 14.0, bar.percent()) }
        </g>
    }
}

/// The same figures.
fn table(owner: TrafficOwner, change: &TrafficChange, names: &ShortNames) -> Html {
    let name = |owner: Option<&OwnerShare>| {
        let name = owner.and_then(|owner| owner.name.as_deref());
        named(names, owner_label(name))
    };
    let rows = change.flows.iter().enumerate().map(|(at, flow)| {
        let cells = vec![
            html! { <th scope="row">{ name(change.before.get(flow.from)) }</th> },
            cell("text", None, name(change.after.get(flow.to))),
            cell("", None, decimal(flow.stays).into()),
            cell("", None, decimal(flow.moves).into()),
        ];
        row(at.to_string(), None, cells)
    });
    let (label, test) = match owner {
        TrafficOwner::Priority => (
            "Requests from priority to priority",
            "compare-priorities-table",
        ),
        TrafficOwner::Locality => (
            "Requests from locality to locality",
            "compare-localities-table",
        ),
    };
    let table = html! {
        <table class="figures" data-test={test}>
            { hidden_caption(label) }
            { head(&[("", "before"), ("text", "after"), ("", "stay at their host"), ("", "move")]) }
            <tbody>{ for rows }</tbody>
        </table>
    };
    html! {
        <details class="as-table">
            <summary>{ "As table" }</summary>
            { scrolled(label, table) }
        </details>
    }
}
