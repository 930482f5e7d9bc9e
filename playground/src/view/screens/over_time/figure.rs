//! What all pictures have: a caption, the shown time, the events and a table.

use crate::{bridge, view::parts::named};
use spillgate_scenario::ShortNames;
use yew::prelude::*;

use super::{TimeScale, decimals, seconds};

/// A picture over the time.
pub(crate) struct TimeFigure<'a> {
    /// The name of the screen, with which its `data-test` starts.
    pub(crate) screen: &'static str,
    /// Its class.
    pub(crate) name: &'static str,
    /// The question that it answers.
    pub(crate) title: &'static str,
    /// The answer for the whole run.
    pub(crate) caption: String,
    /// The short forms of names in the caption.
    pub(crate) short: &'a ShortNames,
    pub(crate) scale: &'a TimeScale,
    /// The shown time, in milliseconds.
    pub(crate) at: u64,
    /// The labels of its rows.
    pub(crate) names: Html,
    pub(crate) picture: Html,
    pub(crate) key: Html,
    /// The same as a table, if it has one of its own.
    pub(crate) table: Option<Html>,
}

impl TimeFigure<'_> {
    /// The element.
    pub(crate) fn view(self) -> Html {
        let scale = self.scale;
        let end = seconds(scale.millis(scale.last));
        let place = percent(scale.percent(self.at));
        let (screen, name) = (self.screen, self.name);
        html! {
            <figure class={classes!("over-time", name)} data-test={format!("{screen}-{name}")}>
                <figcaption><h3>{ self.title }</h3>{ named(self.short, &self.caption) }</figcaption>
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
                if let Some(table) = self.table {
                    <details>
                        <summary>{ "As table" }</summary>
                        <div class="scroll" tabindex="0" role="region" aria-label={format!("Table: {name}")}>{ table }</div>
                    </details>
                }
            </figure>
        }
    }
}

/// The lines of the scripted events.
pub(crate) fn event_lines(scale: &TimeScale) -> Html {
    let line = |from: &u64| {
        let x = percent(scale.percent(*from));
        html! { <line class="event" x1={x.clone()} x2={x} y1="0" y2="100%" /> }
    };
    html! { <>{ for scale.events.iter().map(line) }</> }
}

/// Shows the time of a click.
pub(crate) fn on_click(on_share: &Callback<f64>) -> Callback<MouseEvent> {
    filtered(on_share, |event: MouseEvent| bridge::share_of_width(&event))
}

/// A callback that passes on some values.
pub(crate) fn filtered<T: 'static, U: 'static>(
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
pub(crate) fn block(
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
pub(crate) fn percent(number: f64) -> String {
    let thousandths = (number.max(0.0) * 1_000.0 + 0.5) as u64;
    format!("{}%", decimals(thousandths))
}
