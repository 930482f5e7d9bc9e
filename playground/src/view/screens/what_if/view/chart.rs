//! The sweep: the loads for every number of lost hosts.

use std::rc::Rc;

use crate::{
    bridge,
    view::parts::{bar_label, cell, color, hidden_caption, named, paint, row},
};
use spillgate_scenario::{ShortNames, SweepBar, fixed, plural, sweep_bars, whole};
use yew::prelude::*;

use super::losses::OnLosses;
use crate::view::screens::what_if::{LossAnswer, Question, Stage, Sweep, SweepRun, sweep_runs};

/// The room of a tick and of each of its digits, in percent of the narrowest chart.
const TICK_ROOM: f64 = 2.0;
const DIGIT_ROOM: f64 = 4.0;
/// With as many losses, a bar is narrower than its label.
const MANY: usize = 15;

/// The chart with its caption, scales and table. Dragging in it sets the loss.
pub(super) fn chart(
    stage: &Stage,
    sweep: &Rc<Sweep>,
    question: &Question,
    answer: &LossAnswer,
    on_losses: &OnLosses,
) -> Html {
    let states = &answer.what_if.sweep;
    let all = sweep.most();
    let width = 100.0 / states.len().max(1) as f64;
    let place = |lost: usize| (lost as f64 + 0.5) * width;
    let bars = sweep_bars(states);
    let runs = sweep_runs(states, &sweep.priorities);
    let others = if sweep.has_others {
        ", in addition to the other losses"
    } else {
        ""
    };
    let title = format!(
        "Loads while {} loses 0 to {}{others}",
        sweep.option.title,
        plural(all, "host")
    );
    let spoken: Vec<String> = runs
        .iter()
        .map(|run| format!("{}: {}", run.losses(), run.words()))
        .collect();
    let edges = runs.iter().skip(1).map(|run| {
        let x = share(run.first as f64 * width);
        html! { <line class="onset" x1={x.clone()} x2={x} y1="0" y2="100%" /> }
    });
    let oninput = {
        let (sweep, question, on_losses) = (Rc::clone(sweep), question.clone(), on_losses.clone());
        Callback::from(move |event: InputEvent| {
            let lost = bridge::text_of(&event).parse();
            if let (Ok(lost), Some(loss)) = (lost, question.losses.get(sweep.at)) {
                let loss = sweep.loss_at(lost, loss);
                on_losses.emit((question.with_loss(sweep.at, loss), sweep.at));
            }
        })
    };
    let cursor = share(place(answer.place));
    html! {
        <figure class="sweep">
            <figcaption>{ named(&stage.names, &title) }</figcaption>
            <div class="plot">
                <div class="scale" aria-hidden="true">{ for [100, 50, 0].map(|load| html! { <span>{ whole(load) }</span> }) }</div>
                <div class="drawn">
                    <svg width="100%" height="150" role="img" aria-label={format!("{title}. {}.", spoken.join("; "))}>
                        { for bars.iter().map(draw) }
                        <line class="half" x1="0" x2="100%" y1="50%" y2="50%" />
                        { for edges }
                        <line class="cursor" x1={cursor.clone()} x2={cursor} y1="0" y2="100%" />
                    </svg>
                    // The slider above is the control for keyboards and screen readers.
                    <input type="range" class="drag" data-test="sweep-drag" tabindex="-1" aria-hidden="true" min="0"
                        max={all.to_string()} value={answer.place.to_string()} {oninput} />
                    <svg class="ticks" width="100%" height="18" aria-hidden="true" focusable="false">
                        { for ticks(&runs, all, &place).into_iter().map(|lost| bar_label(tick_class(lost, all), place(lost), lost.to_string())) }
                    </svg>
                </div>
            </div>
            if bars.iter().any(|bar| bar.priority.is_none()) {
                <p class="note"><span class="effect-key" aria-hidden="true" />{ "a priority is in panic mode, or requests find no host" }</p>
            }
            { table(&stage.names, sweep, &runs) }
        </figure>
    }
}

/// The class of a tick: in a chart with many losses, the first and the last label start and end there,
/// because half of them would be outside.
const fn tick_class(lost: usize, all: usize) -> &'static str {
    match (lost == 0, lost == all) {
        _ if all < MANY => "",
        (true, _) => "first",
        (_, true) => "last",
        _ => "",
    }
}

/// The losses with a tick: the ends and each change that has room.
fn ticks(runs: &[SweepRun], all: usize, place: &impl Fn(usize) -> f64) -> Vec<usize> {
    let digits = all.checked_ilog10().unwrap_or(0) + 1;
    let room = TICK_ROOM + DIGIT_ROOM * f64::from(digits);
    let mut ticks = vec![0];
    let end = place(all);
    for run in runs.iter().skip(1) {
        let at = place(run.first);
        let before = ticks.last().map_or(0.0, |&tick| place(tick));
        if at - before >= room && end - at >= room {
            ticks.push(run.first);
        }
    }
    ticks.extend((all > 0).then_some(all));
    ticks
}

fn table(names: &ShortNames, sweep: &Sweep, runs: &[SweepRun]) -> Html {
    let rows = runs.iter().map(|run| {
        let mut cells = vec![html! { <th scope="row">{ run.range() }</th> }];
        cells.extend(
            run.loads
                .iter()
                .map(|&load| cell("", None, whole(load).into())),
        );
        cells.push(cell("text", None, named(names, &run.effect())));
        row(run.first.to_string(), None, cells)
    });
    html! {
        <details class="as-table">
            <summary>{ "As table" }</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="Loads by loss">
                <table class="figures" data-test="sweep-table">
                    { hidden_caption("Loads by loss") }
                    <thead>
                        <tr>
                            <th scope="col">{ "lost hosts" }</th>
                            { for sweep.priorities.iter().map(|name| html! { <th scope="col">{ named(names, name) }</th> }) }
                            <th scope="col" class="text">{ "effect" }</th>
                        </tr>
                    </thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
        </details>
    }
}

fn draw(bar: &SweepBar) -> Html {
    let (class, fill) = match bar.priority {
        Some(priority) => (color(priority), paint(priority)),
        None => ("effect".into(), "url(#hatch)".into()),
    };
    html! {
        <rect {class} {fill} x={share(bar.x)} y={share(bar.y)} width={share(bar.width)} height={share(bar.height)} />
    }
}

fn share(number: f64) -> String {
    format!("{}%", fixed(number))
}
