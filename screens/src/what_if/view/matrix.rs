//! The matrix: the worst effect by zone and loss.

use spillgate_playground::view::parts::{cell, note, row};
use spillgate_sim::{Effect, STEPS};
use yew::prelude::*;

use crate::what_if::Stage;

/// The table; empty if the hosts have no zones.
pub(super) fn matrix(stage: &Stage) -> Html {
    if stage.zones.is_empty() {
        return html! {};
    }
    let zones = stage.zones.iter().map(|zone| {
        let mut cells = vec![html! { <th scope="row">{ &zone.name }</th> }];
        cells.extend(zone.cells.iter().map(|loss| {
            let (class, mark, name) = match loss.effect {
                Effect::None => ("none", "\u{b7}", "no effect"),
                Effect::Spill => ("spillover-cell", "s", "spillover"),
                Effect::Panic => ("panic-cell", "P", "panic mode"),
                Effect::NoHost => ("no-host-cell", "X", "no host"),
            };
            cell(class, None, html! { <abbr title={name}>{ mark }</abbr> })
        }));
        row(zone.name.clone(), None, cells)
    });
    html! {
        <div class="matrix">
            <h3>{ "Effect by zone and loss" }</h3>
            <div class="scroll" tabindex="0" role="region" aria-label="Effect by zone and loss">
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
            { note("Lost hosts of the zone in percent. s: spillover, P: panic mode, X: no host.".into()) }
        </div>
    }
}
