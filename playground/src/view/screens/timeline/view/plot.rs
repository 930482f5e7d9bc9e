//! What all pictures have: a caption, the shown time, the events and a table.

use crate::{bridge, view::parts::named};
use yew::prelude::*;

use super::run::ShownRun;
use crate::view::screens::timeline::{decimals, seconds};

/// A picture over the time.
pub(super) struct TimeFigure<'a> {
    /// Its class; its `data-test` has the prefix `timeline-`.
    pub(super) name: &'static str,
    /// The question that it answers.
    pub(super) title: &'static str,
    /// The answer for the whole run.
    pub(super) caption: String,
    pub(super) run: &'a ShownRun,
    /// The number of shown intervals.
    pub(super) shown: usize,
    /// The labels of its rows.
    pub(super) names: Html,
    pub(super) picture: Html,
    pub(super) key: Html,
    pub(super) table: Html,
}

impl TimeFigure<'_> {
    /// The element.
    pub(super) fn view(self) -> Html {
        let recording = &self.run.recording;
        let last = recording.intervals.len();
        let end = seconds((last as u64).saturating_mul(recording.width));
        let place = percent(self.shown as f64 * 100.0 / last.max(1) as f64);
        let name = self.name;
        html! {
            <figure class={classes!("over-time", name)} data-test={format!("timeline-{name}")}>
                <figcaption><h3>{ self.title }</h3>{ named(&self.run.names, &self.caption) }</figcaption>
                <div class="plot">
                    { self.names }
                    <div class="track">
                        { self.picture }
                        <svg class="now" width="100%" height="100%" aria-hidden="true" focusable="false">
                            <line x1={place.clone()} x2={place} y1="0" y2="100%" />
                        </svg>
                    </div>
                </div>
                <div class="ends" aria-hidden="true"><span>{ "0" }</span><span>{ end }</span></div>
                <p class="key" aria-hidden="true">{ self.key }</p>
                <details>
                    <summary>{ "As table" }</summary>
                    <div class="scroll" tabindex="0" role="region" aria-label={format!("Table: {name}")}>{ self.table }</div>
                </details>
            </figure>
        }
    }
}

/// The lines of the scripted events.
pub(super) fn events(run: &ShownRun) -> Html {
    let recording = &run.recording;
    let all = (recording.intervals.len() as u64).saturating_mul(recording.width);
    let line = |from: u64| {
        let x = percent(from as f64 * 100.0 / all.max(1) as f64);
        html! { <line class="event" x1={x.clone()} x2={x} y1="0" y2="100%" /> }
    };
    let phases = recording.phases.iter().skip(1);
    html! { <>{ for phases.map(|phase| line(phase.from)) }</> }
}

/// Shows the time of a click.
pub(super) fn on_click(on_share: &Callback<f64>) -> Callback<MouseEvent> {
    filtered(on_share, |event: MouseEvent| bridge::share_of_width(&event))
}

/// A callback that passes on some values.
pub(super) fn filtered<T: 'static, U: 'static>(
    callback: &Callback<U>,
    value: impl Fn(T) -> Option<U> + 'static,
) -> Callback<T> {
    let callback = callback.clone();
    Callback::from(move |from| {
        if let Some(value) = value(from) {
            callback.emit(value);
        }
    })
}

/// A rectangle in percent. It overlaps its right neighbor, so that no gap shows between them.
#[inline(never)]
pub(super) fn block(
    class: &'static str,
    fill: Option<String>,
    corner: (f64, f64),
    size: (f64, f64),
) -> Html {
    html! {
        <rect {class} {fill} x={percent(corner.0)} y={percent(corner.1)} width={percent(size.0 + 0.05)} height={percent(size.1)} />
    }
}

/// A length with three decimals: an interval can be less than a tenth of a percent.
pub(super) fn percent(number: f64) -> String {
    let thousandths = (number.max(0.0) * 1_000.0 + 0.5) as u64;
    format!("{}%", decimals(thousandths))
}
