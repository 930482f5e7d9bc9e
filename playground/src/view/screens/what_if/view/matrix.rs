//! The matrix: what each partial loss of each zone changes.

use std::rc::Rc;

use crate::{
    bridge,
    view::parts::{named, note, row},
};
use spillgate_scenario::{ShortNames, decimal, plural, whole};
use spillgate_sim::{Amount, Effect, STEPS, ZoneCell};
use yew::prelude::*;

use super::losses::OnLosses;
use crate::view::screens::what_if::{LossInput, Question, Sweep, ZoneLine};

/// The table; empty if the hosts have no zones. A cell sets the loss of the sweep to its zone and part.
pub(super) fn matrix(
    names: &ShortNames,
    sweep: &Rc<Sweep>,
    question: &Question,
    on_losses: &OnLosses,
) -> Html {
    let Some(loss) = question
        .losses
        .get(sweep.at)
        .filter(|_| !sweep.zones.is_empty())
    else {
        return html! {};
    };
    let cursor = sweep.cell(loss);
    let rows = sweep.zones.iter().enumerate().map(|(at, zone)| {
        let mut cells = vec![html! { <th scope="row">{ named(names, &zone.name) }</th> }];
        let losses = zone.cells.iter().enumerate();
        cells.extend(losses.map(|(step, loss)| draw(zone, loss, at * STEPS.len() + step, cursor)));
        row(zone.selector.clone(), None, cells)
    });
    let choose = {
        let (sweep, question) = (Rc::clone(sweep), question.clone());
        on_losses.reform(move |cell: usize| {
            let zone = sweep.zones.get(cell / STEPS.len());
            let percent = STEPS.get(cell % STEPS.len()).copied().unwrap_or_default();
            let loss = LossInput {
                selector: zone.map_or_else(String::new, |zone| zone.selector.clone()),
                amount: Amount::Percent(percent.into()),
            };
            (question.with_loss(sweep.at, loss), sweep.at)
        })
    };
    let onclick = {
        let choose = choose.clone();
        Callback::from(move |event: MouseEvent| {
            if let Some(cell) = bridge::cell_index(&event) {
                choose.emit(cell);
            }
        })
    };
    let cells = sweep.zones.len() * STEPS.len();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let target = bridge::cell_index(&event).and_then(|at| target(&event.key(), at, cells));
        if let Some(target) = target {
            event.prevent_default();
            choose.emit(target);
            // The cell can have the focus after the next rendering.
            bridge::after(0, move || bridge::focus_id(&id(target))).forget();
        }
    });
    html! {
        <div class="matrix">
            <h3>{ "Effect by zone and loss" }</h3>
            <div class="scroll" tabindex="0" role="region" aria-label="Effect by zone and loss">
                <table class="figures" {onclick} {onkeydown}>
                    <thead>
                        <tr>
                            <th scope="col">{ "zone" }</th>
                            { for STEPS.iter().map(|percent| html! { <th scope="col">{ whole(*percent) }</th> }) }
                        </tr>
                    </thead>
                    <tbody data-test="matrix">{ for rows }</tbody>
                </table>
            </div>
            { note("Columns: the lost part of the zone. Figures: the load that moves to other priorities, in percent of the requests; with P a priority is in panic mode; after 503 the requests that find no host. Select a cell to see its loss.".into()) }
        </div>
    }
}

fn draw(zone: &ZoneLine, loss: &ZoneCell, at: usize, cursor: (usize, bool)) -> Html {
    let (current, exact) = cursor;
    let (kind, strength, text) = match loss.effect {
        Effect::None => ("share", 0.0, "\u{b7}".into()),
        Effect::Spill => ("share", f64::from(loss.moved), loss.moved.to_string()),
        Effect::Panic => (
            "panic-cell",
            f64::from(loss.moved),
            format!("P\u{a0}{}", loss.moved),
        ),
        Effect::NoHost => ("none", loss.no_host, {
            let none = decimal(loss.no_host);
            format!("503 {}", none.trim_end_matches(['%', '\u{a0}', ' ']))
        }),
    };
    // A color for each tenth; any effect has the first one at least.
    let step = (strength / 10.0).ceil().min(10.0) as u32;
    let class = classes!(kind, (step > 0).then(|| format!("step-{step}")));
    let is_current = at == current;
    html! {
        <td {class}>
            <button type="button" id={id(at)} data-index={at.to_string()} tabindex={if is_current { "0" } else { "-1" }}
                aria-pressed={if is_current && exact { "true" } else { "false" }} aria-label={words(zone, loss)}>{ text }</button>
        </td>
    }
}

/// `zone a loses 40 %, 2 hosts: 14 % of the requests move to other priorities`.
fn words(zone: &ZoneLine, loss: &ZoneCell) -> String {
    let moved = format!(
        "{} of the requests move to other priorities",
        whole(loss.moved)
    );
    let effect = match loss.effect {
        Effect::None => "no effect".into(),
        Effect::Spill => moved,
        Effect::Panic => format!("a priority is in panic mode, {moved}"),
        Effect::NoHost => format!("{} of the requests find no host", decimal(loss.no_host)),
    };
    let (name, percent, lost) = (&zone.name, whole(loss.percent), plural(loss.lost, "host"));
    format!("zone {name} loses {percent}, {lost}: {effect}")
}

/// The cell after an arrow key.
fn target(key: &str, at: usize, cells: usize) -> Option<usize> {
    let (column, row) = (at % STEPS.len(), STEPS.len());
    let target = match key {
        "ArrowRight" if column + 1 < row => at + 1,
        "ArrowLeft" if column > 0 => at - 1,
        "ArrowDown" => at + row,
        "ArrowUp" => at.checked_sub(row)?,
        "Home" => at - column,
        "End" => at - column + row - 1,
        _ => return None,
    };
    (target < cells).then_some(target)
}

fn id(cell: usize) -> String {
    format!("loss-{cell}")
}
