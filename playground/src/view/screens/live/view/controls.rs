//! The fields that choose the cluster, the pace and the window, and the buttons.

use crate::view::parts::{Button, Choice};
use spillgate_scenario::plural;
use yew::prelude::*;

use super::poll::{read_now, set_paused};
use crate::view::screens::live::{INTERVALS, LiveInput, SPANS};

/// The lists, and the buttons to pause, read and freeze.
pub(super) fn controls(
    input: &LiveInput,
    on_input: &Callback<LiveInput>,
    clusters: (Vec<String>, String),
    is_paused: bool,
    on_freeze: Option<Callback<MouseEvent>>,
) -> Html {
    let (names, shown) = clusters;
    let change = |set: fn(&mut LiveInput, String)| {
        let input = input.clone();
        on_input.reform(move |value: String| {
            let mut next = input.clone();
            set(&mut next, value);
            next
        })
    };
    let times = |of: &[u32]| -> Vec<(String, String)> {
        let text = |one: &u32| match one {
            minutes if minutes.is_multiple_of(60) => plural((minutes / 60) as usize, "minute"),
            seconds => plural(*seconds as usize, "second"),
        };
        of.iter().map(|one| (one.to_string(), text(one))).collect()
    };
    let button = |test: &str, text: &str, disabled: bool, onclick: Callback<MouseEvent>| {
        Button {
            class: "",
            test: Some(test.into()),
            name: None,
            text: text.into(),
            disabled,
            onclick,
        }
        .view()
    };
    let pause = Callback::from(move |_: MouseEvent| set_paused(!is_paused));
    let read = Callback::from(|_: MouseEvent| read_now());
    html! {
        <div class="question">
            if names.len() > 1 {
                <Choice id="live-cluster" test="live-cluster" label="cluster"
                    options={names.into_iter().map(|name| (name.clone(), name)).collect::<Vec<_>>()}
                    value={shown} on_value={change(|input, value| input.cluster = value)} />
            }
            <Choice id="live-every" test="live-every" label="read every" options={times(&INTERVALS)}
                value={input.every.to_string()}
                on_value={change(|input, value| input.every = value.parse().unwrap_or(input.every))} />
            <Choice id="live-span" test="live-span" label="compare last" options={times(&SPANS)}
                value={input.span.to_string()}
                on_value={change(|input, value| input.span = value.parse().unwrap_or(input.span))} />
            <div class="live-acts">
                { button("live-pause", if is_paused { "Continue" } else { "Pause" }, false, pause) }
                { button("live-read", "Read now", false, read) }
                { button("live-freeze", "Freeze as a scenario", on_freeze.is_none(), on_freeze.unwrap_or_default()) }
            </div>
        </div>
    }
}
