//! The path of the request as a row of steps, and the buttons that walk it.

use crate::{
    bridge,
    state::Direction,
    view::parts::{Button, Choice},
};
use yew::prelude::*;

use crate::view::screens::trace::{PACES, StepTime, Walk};

#[derive(PartialEq, Properties)]
pub(super) struct WalkProps {
    /// The kinds of the steps.
    pub(super) kinds: Vec<&'static str>,
    pub(super) walk: Walk,
    /// The current step in words, with short names.
    pub(super) sentence: Html,
    /// Called with the step to show; `None` for all of them.
    pub(super) on_step: Callback<Option<usize>>,
}

/// The path, and its controls. Nothing moves before the user starts it.
#[component]
pub(super) fn WalkPanel(props: &WalkProps) -> Html {
    let WalkProps { walk, on_step, .. } = props;
    let walk = *walk;
    let playing = use_state(|| false);
    // With less motion, a step takes long.
    let pace = use_state(|| {
        let [slow, normal, ..] = PACES;
        if bridge::reduces_motion() {
            slow.0
        } else {
            normal.0
        }
    });
    {
        let (on_step, playing_now) = (on_step.clone(), playing.setter());
        use_effect_with((*playing, walk, *pace), move |&(playing, walk, pace)| {
            let timer = playing.then(|| {
                bridge::after(pace, move || match walk.next() {
                    Some(next) => on_step.emit(Some(next)),
                    None => playing_now.set(false),
                })
            });
            move || drop(timer)
        });
    }
    {
        let (on_step, playing) = (on_step.clone(), playing.setter());
        use_effect_with(walk, move |&walk| {
            let keys = bridge::on_step_key(move |direction| {
                let to = match direction {
                    Direction::Back => walk.previous(),
                    Direction::Forward => walk.next(),
                };
                if to.is_some() {
                    playing.set(false);
                    on_step.emit(to);
                }
            });
            move || drop(keys)
        });
    }
    let go = |to: Option<usize>| {
        let (on_step, playing) = (on_step.clone(), playing.setter());
        Callback::from(move |_: MouseEvent| {
            playing.set(false);
            on_step.emit(to);
        })
    };
    let play = {
        let (on_step, now, playing) = (on_step.clone(), *playing, playing.setter());
        Callback::from(move |_: MouseEvent| {
            playing.set(!now);
            // From the last step, it starts again.
            if !now && (walk.at.is_none() || walk.next().is_none()) {
                on_step.emit(Some(0));
            }
        })
    };
    let button = |test: &str, text: &'static str, name: &str, disabled, onclick| {
        Button {
            class: "",
            test: Some(format!("trace-{test}")),
            name: Some(name.into()),
            text: text.into(),
            disabled,
            onclick,
        }
        .view()
    };
    let kinds = props.kinds.iter().enumerate().map(|(at, kind)| {
        let time = walk.time_of(at);
        let current = (time == StepTime::Current).then_some("step");
        let class = (time == StepTime::Later).then_some("later");
        html! {
            <li {class}>
                <button type="button" data-test={format!("trace-path-{}", at + 1)} aria-current={current}
                    aria-label={format!("Step {}: {kind}", at + 1)} onclick={go(Some(at))}>{ *kind }</button>
            </li>
        }
    });
    let speeds = PACES.map(|(pace, label)| (pace.to_string(), label.to_owned()));
    let on_pace = {
        let pace = pace.setter();
        Callback::from(move |value: String| {
            if let Ok(value) = value.parse() {
                pace.set(value);
            }
        })
    };
    let (play_text, play_name) = if *playing {
        ("Pause", "Pause")
    } else {
        ("Play", "Play the steps")
    };
    html! {
        <section class="walk" aria-label="Step by step">
            <ol class="path" data-test="trace-path">{ for kinds }</ol>
            <div class="playback">
                { button("previous", "\u{2039} Previous", "Previous step", walk.previous().is_none(), go(walk.previous())) }
                { button("play", play_text, play_name, walk.steps == 0, play) }
                { button("next", "Next \u{203a}", "Next step", walk.next().is_none(), go(walk.next())) }
                { button("all", "All steps", "Show all steps alike", walk.at.is_none(), go(None)) }
                <Choice id="trace-pace" test="trace-pace" label="speed" options={speeds.to_vec()} value={pace.to_string()} on_value={on_pace} />
            </div>
            if let Some(at) = walk.at {
                <p class="sub" data-test="trace-current">{ format!("Step {} of {}: ", at + 1, walk.steps) }{ props.sentence.clone() }</p>
            }
        </section>
    }
}
