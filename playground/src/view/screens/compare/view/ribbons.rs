//! Requests between their old and their new owners, as a picture and as a table.

use spillgate_diff::{TrafficChange, TrafficOwner};
use spillgate_scenario::{ShortNames, cut, decimal, fixed};
use yew::prelude::*;

use crate::view::{
    parts::{area, cell, color, head, hidden_caption, named, paint, row, scrolled, shape},
    screens::compare::{OwnerBar, Ribbon, flow_sentence, ribbon_picture},
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
    let fill = |place: usize| match picture.before.get(place).map(|bar| &bar.name) {
        Some(None) => "url(#hatch)".into(),
        _ => paint(place),
    };
    let drawn = picture
        .ribbons
        .iter()
        .map(|ribbon| draw_ribbon(ribbon, &fill));
    let before = picture.before.iter().enumerate();
    let before = before.map(|(place, bar)| draw_bar(place, bar, "end", names));
    let after = picture.after.iter().enumerate();
    let after = after.map(|(place, bar)| draw_bar(place, bar, "start", names));
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

fn draw_ribbon(ribbon: &Ribbon, fill: &dyn Fn(usize) -> String) -> Html {
    let class = if ribbon.moves {
        "ribbon moves"
    } else {
        "ribbon"
    };
    html! {
        <g class={color(ribbon.from)}>
            { shape(class, Some(fill(ribbon.from)), ribbon.path.clone(), &decimal(ribbon.share)) }
        </g>
    }
}

fn draw_bar(place: usize, bar: &OwnerBar, anchor: &'static str, names: &ShortNames) -> Html {
    let fill = bar
        .name
        .as_ref()
        .map_or_else(|| "url(#hatch)".into(), |_| paint(place));
    let name = match bar.name.as_deref() {
        None => "no host",
        Some("") => "no locality",
        Some(name) => name,
    };
    let short = cut(names.get(name), NAME_ROOM);
    let (x, y) = bar.text;
    let text = |class: &'static str, y: f64, text: String| {
        html! { <text {class} text-anchor={anchor} x={fixed(x)} y={fixed(y)}>{ text }</text> }
    };
    html! {
        <g class={color(place)}>
            { area("owner", (bar.x, bar.y), (14.0, bar.height.max(1.0)), Some(fill)) }
            { text("name", y - 3.0, short) }
            { text("share", y + 14.0, bar.percent()) }
        </g>
    }
}

/// The same figures.
fn table(owner: TrafficOwner, change: &TrafficChange, names: &ShortNames) -> Html {
    let name = |place: Option<&spillgate_diff::OwnerShare>| -> Html {
        match place.map(|owner| owner.name.as_deref()) {
            Some(Some("")) => "no locality".into(),
            Some(Some(name)) => named(names, name),
            Some(None) | None => "no host".into(),
        }
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
