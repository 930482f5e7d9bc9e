//! Zones by losses: the worst that happens.

use spillgate_sim::{Effect, STEPS};
use yew::prelude::*;

use crate::{
    state::what_if::Stage,
    view::parts::{cell, note, row},
};

/// The table; nothing where hosts name no zone.
pub(super) fn matrix(stage: &Stage) -> Html {
    if stage.zones.is_empty() {
        return html! {};
    }
    let zones = stage.zones.iter().map(|zone| {
        let mut cells = vec![html! { <th scope="row">{ &zone.name }</th> }];
        cells.extend(zone.cells.iter().map(|loss| {
            let (class, mark, word) = match loss.effect {
                Effect::None => ("none", "\u{b7}", "nothing"),
                Effect::Spill => ("spill-cell", "s", "spill"),
                Effect::Panic => ("panic-cell", "P", "panic"),
                Effect::NoHost => ("dead-cell", "X", "no host"),
            };
            cell(class, None, html! { <abbr title={word}>{ mark }</abbr> })
        }));
        row(zone.name.clone(), false, cells)
    });
    html! {
        <div class="matrix">
            <h3>{ "Any zone, any loss" }</h3>
            <div class="scroll" tabindex="0" role="region" aria-label="Any zone, any loss">
                <table class="figures">
                    <thead>
                        <tr>
                            <th scope="col">{ "zone" }</th>
                            { for STEPS.iter().map(|percent| html! { <th scope="col">{ percent }</th> }) }
                        </tr>
                    </thead>
                    <tbody data-test="matrix">{ for zones }</tbody>
                </table>
            </div>
            { note("Percent of the zone\u{2019}s hosts lost. s spill, P panic, X no host.".into()) }
        </div>
    }
}
