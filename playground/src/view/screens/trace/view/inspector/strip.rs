//! A strip of cells in order: entries of a ring, slots of a table, picks of a queue.

use crate::view::parts::bar_label;
use spillgate_core::snapshot::HostRef;
use spillgate_scenario::{fit_class, fixed};
use yew::prelude::*;

use super::host::{InspectorHosts, short};

/// A cell with its width relative to the others.
pub(super) struct StripCell {
    pub(super) host: HostRef,
    pub(super) width: f64,
    /// Whether the request is in this cell.
    pub(super) is_of_request: bool,
}

/// The strip. A click selects the host of a cell; the table below does so by keyboard.
pub(super) fn strip(hosts: &InspectorHosts<'_>, sentence: &str, cells: &[StripCell]) -> Html {
    let all: f64 = cells.iter().map(|cell| cell.width).sum();
    let names: Vec<&str> = cells.iter().map(|cell| hosts.name(cell.host)).collect();
    let names = short(&names);
    let mut from = 0.0;
    let drawn = cells.iter().zip(names).map(|(cell, name)| {
        let (x, width) = (from, cell.width * 100.0 / all.max(f64::MIN_POSITIVE));
        from += width;
        let selected = hosts.selected == Some(cell.host);
        let class = classes!("cell", selected.then_some("selected"));
        html! {
            <g {class} onclick={hosts.select(cell.host)}>
                <title>{ hosts.name(cell.host) }</title>
                <rect x={percent(x)} width={percent(width)} y="0" height="30" />
                if let Some(fits) = fit_class(&name, width) {
                    { bar_label(fits, x + width / 2.0, name) }
                }
                if cell.is_of_request {
                    <rect class="of-request" x={percent(x)} width={percent(width)} y="26" height="6" />
                }
            </g>
        }
    });
    html! {
        <svg class="strip" width="100%" height="32" role="img" aria-label={sentence.to_owned()} focusable="false">{ for drawn }</svg>
    }
}

fn percent(number: f64) -> String {
    format!("{}%", fixed(number))
}
