//! The shown time: slider, field, steps and playback.

use crate::{
    bridge,
    view::parts::{Button, Choice, note},
};
use yew::prelude::*;

use super::{Player, TimeField, filtered, scale::SPEEDS, seconds};

/// A time that need not be the end of an interval.
pub(crate) struct ExactTime {
    /// In milliseconds.
    pub(crate) millis: u64,
    pub(crate) on_millis: Callback<u64>,
}

/// The fields and buttons; their `data-test` starts with the name of the screen. Without an exact time, the field takes
/// ends of intervals.
pub(crate) fn controls(screen: &str, player: &Player, exact: Option<ExactTime>) -> Html {
    let (shown, last, width) = (player.shown, player.scale.last, player.scale.width);
    let at = |shown: usize| player.scale.millis(shown);
    let oninput = filtered(&player.on_shown, |event: InputEvent| {
        bridge::text_of(&event).parse().ok()
    });
    let go = |to: usize| player.on_shown.reform(move |_: MouseEvent| to);
    let play = if player.playing {
        go(shown)
    } else {
        player.on_play.reform(|_: MouseEvent| ())
    };
    let button = |test: &str, text: &str, name: String, disabled: bool, onclick| {
        Button {
            class: "",
            test: Some(format!("{screen}-{test}")),
            name: Some(name),
            text: text.into(),
            disabled,
            onclick,
        }
        .view()
    };
    let speeds = SPEEDS.iter();
    let options: Vec<(String, String)> = speeds
        .map(|speed| (speed.to_string(), format!("{speed}\u{a0}\u{d7} real time")))
        .collect();
    let on_speed = filtered(&player.on_speed, |value: String| value.parse().ok());
    let (millis, step, on_time) = match exact {
        Some(exact) => (exact.millis, 1, exact.on_millis),
        None => {
            let on_time = player.on_shown.reform(move |millis: u64| {
                let place = millis / width.max(1);
                usize::try_from(place).map_or(last, |place| place.min(last))
            });
            (at(shown), width, on_time)
        }
    };
    let speed_name = format!("{screen}-speed");
    let still = bridge::reduces_motion();
    html! {
        <>
            <div class="slider">
                <span aria-hidden="true">{ "time, s" }</span>
                <input type="range" data-test={format!("{screen}-time")} aria-label="Time" aria-valuetext={seconds(millis)}
                    min="0" max={last.to_string()} value={shown.to_string()} {oninput} />
                <TimeField test={format!("{screen}-time-number")} name="Time in seconds" value={millis} max={at(last)} {step} on_value={on_time} />
            </div>
            <div class="playback">
                { button("back", "\u{2039} Back", format!("Back by {}", seconds(width)), shown == 0, go(shown.saturating_sub(1))) }
                if !still {
                    { button("play", if player.playing { "Pause" } else { "Play" }, if player.playing { "Pause" } else { "Play" }.into(), false, play) }
                }
                { button("step", "Step \u{203a}", format!("Step by {}", seconds(width)), shown >= last, go((shown + 1).min(last))) }
                { button("next", "Next event", "Next event".into(), shown >= last, go(player.scale.next_event(shown))) }
                if !still {
                    <Choice id={speed_name.clone()} test={speed_name} label="speed" {options} value={player.speed.to_string()} on_value={on_speed} />
                }
            </div>
            if still {
                { note("Playback is off: your system asks for reduced motion.".into()) }
            }
        </>
    }
}
