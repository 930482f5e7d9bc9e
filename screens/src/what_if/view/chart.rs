//! The sweep: the loads for every number of lost hosts.

use spillgate_playground::{
    state::{fixed, plural},
    view::parts::{color, paint},
};
use yew::prelude::*;

use crate::what_if::{Bar, LossAnswer, Stage, bars};

/// The chart with its caption and ends.
pub(super) fn chart(stage: &Stage, answer: &LossAnswer) -> Html {
    let sweep = &answer.what_if.sweep;
    let all = stage.chosen.hosts.len();
    let place = (answer.lost as f64 + 0.5) * 100.0 / sweep.len().max(1) as f64;
    let bars = bars(sweep);
    let caption = format!(
        "Loads while {} loses 0 to {}",
        stage.chosen.title,
        plural(all, "host")
    );
    html! {
        <figure class="sweep">
            <figcaption>{ caption.clone() }</figcaption>
            <svg width="100%" height="150" role="img" aria-label={caption}>
                { for bars.iter().map(draw) }
                <line class="cursor" x1={share(place)} x2={share(place)} y1="0" y2="100%" />
            </svg>
            <div class="ends" aria-hidden="true"><span>{ "0" }</span><span>{ all }</span></div>
            if bars.iter().any(|bar| bar.priority.is_none()) {
                <p class="note"><span class="effect-key" aria-hidden="true" />{ "a priority is in panic mode, or requests find no host" }</p>
            }
        </figure>
    }
}

fn draw(bar: &Bar) -> Html {
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
