//! The ring: a circle with the arcs of the selected host, and the entries around the request.

use core::f64::consts::TAU;

use crate::view::parts::note;
use spillgate_scenario::{count, fixed, percent};
use yew::prelude::*;

use super::{
    host::InspectorHosts,
    strip::{StripCell, strip},
    table::table,
};
use crate::view::screens::trace::{RingArc, RingView};

/// The center and the radius of the circle, and the side of its square.
const CENTER: f64 = 90.0;
const RADIUS: f64 = 74.0;

/// The figure.
pub(super) fn ring(hosts: &InspectorHosts<'_>, ring: &RingView) -> Html {
    let serves = ring
        .near
        .iter()
        .find(|entry| entry.is_of_request)
        .map_or("", |entry| hosts.name(entry.host));
    let own = ring
        .hosts
        .iter()
        .find(|share| Some(share.host) == hosts.selected);
    let selected = own.map_or(String::new(), |share| {
        let name = hosts.name(share.host);
        let share_of = percent(share.percent);
        format!(
            " {name} has {} entries and {share_of} of the hashes.",
            count(share.entries)
        )
    });
    let sentence = format!(
        "{} is at {} of a ring with {} entries; the next entry is of {serves}.{selected}",
        hosts.number,
        percent(ring.position * 100.0),
        count(ring.entries),
    );
    let cells: Vec<StripCell> = ring
        .near
        .iter()
        .map(|entry| StripCell {
            host: entry.host,
            width: entry.percent,
            is_of_request: entry.is_of_request,
        })
        .collect();
    let (x, y) = point(ring.position, RADIUS + 12.0);
    let (inner_x, inner_y) = point(ring.position, RADIUS - 12.0);
    html! {
        <figure class="inspector" data-test="inspector-ring">
            <figcaption>{ sentence.clone() }</figcaption>
            <svg class="ring" viewBox="0 0 180 180" role="img" aria-label={sentence.clone()} focusable="false">
                <circle class="track" cx={fixed(CENTER)} cy={fixed(CENTER)} r={fixed(RADIUS)} />
                <path class="arcs" d={arcs(&ring.arcs)} />
                <line class="position" x1={fixed(inner_x)} y1={fixed(inner_y)} x2={fixed(x)} y2={fixed(y)} />
                <text x={fixed(CENTER)} y={fixed(CENTER)}>{ format!("{} entries", count(ring.entries)) }</text>
            </svg>
            { strip(hosts, &sentence, &cells) }
            { note("The circle has all hashes, clockwise from the top, with the arcs of the selected host; the line is the request. The strip has the arcs around it. A request goes to the first entry at or after its number.".into()) }
            { table(hosts, "entries", &ring.hosts) }
        </figure>
    }
}

/// A point of the circle; 0 turns are at the top.
fn point(turns: f64, radius: f64) -> (f64, f64) {
    let angle = turns * TAU;
    (CENTER + radius * angle.sin(), CENTER - radius * angle.cos())
}

/// All arcs as one path.
fn arcs(arcs: &[RingArc]) -> String {
    let mut path = String::new();
    for arc in arcs {
        // A whole circle has equal ends, which a path does not draw.
        let length = arc.length.min(0.999);
        let (x, y) = point(arc.from, RADIUS);
        let (to_x, to_y) = point(arc.from + length, RADIUS);
        let large = u8::from(length > 0.5);
        let radius = fixed(RADIUS);
        path.push_str(&format!(
            "M{},{}A{radius},{radius} 0 {large} 1 {},{}",
            fixed(x),
            fixed(y),
            fixed(to_x),
            fixed(to_y)
        ));
    }
    path
}
