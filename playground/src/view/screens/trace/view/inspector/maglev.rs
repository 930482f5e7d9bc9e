//! The Maglev table: the slots around that of the request.

use crate::view::parts::note;
use spillgate_scenario::{count, percent};
use yew::prelude::*;

use super::{
    host::InspectorHosts,
    strip::{StripCell, strip},
    table::table,
};
use crate::view::screens::trace::MaglevView;

/// The figure.
pub(super) fn maglev(hosts: &InspectorHosts<'_>, maglev: &MaglevView) -> Html {
    let serves = maglev
        .near
        .iter()
        .find(|near| near.slot == maglev.slot)
        .map_or("", |near| hosts.name(near.host));
    let own = maglev
        .hosts
        .iter()
        .clone()
        .find(|share| Some(share.host) == hosts.selected);
    let selected = own.map_or(String::new(), |share| {
        let name = hosts.name(share.host);
        let slots = count(share.entries);
        format!(" {name} has {slots} slots, {}.", percent(share.percent))
    });
    let sentence = format!(
        "{} modulo {} is slot {}, which is of {serves}.{selected}",
        hosts.number,
        count(maglev.size),
        count(maglev.slot),
    );
    let cells: Vec<StripCell> = maglev
        .near
        .iter()
        .map(|near| StripCell {
            host: near.host,
            width: 1.0,
            is_of_request: near.slot == maglev.slot,
        })
        .collect();
    html! {
        <figure class="inspector" data-test="inspector-maglev">
            <figcaption>{ sentence.clone() }</figcaption>
            { strip(hosts, &sentence, &cells) }
            { note("The strip has the slots around that of the request.".into()) }
            { table(hosts, "slots", &maglev.hosts) }
        </figure>
    }
}
