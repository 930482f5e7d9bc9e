//! The playback: shows one interval after the other.

use yew::prelude::*;

use super::{
    TimeScale,
    scale::{Pace, SPEEDS},
};
use crate::bridge;

/// The state of the playback, and how to change it.
pub(crate) struct Player {
    /// The number of shown intervals.
    pub(crate) shown: usize,
    pub(crate) scale: TimeScale,
    pub(crate) playing: bool,
    pub(crate) speed: u32,
    /// Shows an interval, and stops the playback.
    pub(crate) on_shown: Callback<usize>,
    pub(crate) on_speed: Callback<u32>,
    pub(crate) on_play: Callback<()>,
    /// Stops the playback, and shows nothing else.
    pub(crate) on_pause: Callback<()>,
}

/// The playback of a scale. `shown` is what the input of the screen shows, and `on_shown` changes that.
#[hook]
pub(crate) fn use_player(scale: &TimeScale, shown: usize, on_shown: &Callback<usize>) -> Player {
    let last = scale.last;
    let playing = use_state(|| None::<usize>);
    let speed = use_state(|| SPEEDS[1]);
    let shown = playing.map_or(shown, |at| at.min(last));
    let on_shown = {
        let playing = playing.setter();
        let on_shown = on_shown.clone();
        Callback::from(move |shown: usize| {
            playing.set(None);
            on_shown.emit(shown);
        })
    };
    {
        let (setter, on_shown, width) = (playing.setter(), on_shown.clone(), scale.width);
        use_effect_with((*playing, *speed, last), move |&(playing, speed, last)| {
            let pace = Pace::new(width, speed);
            let timer = playing.map(|at| {
                bridge::after(pace.after, move || {
                    let next = at.saturating_add(pace.intervals);
                    if next < last {
                        setter.set(Some(next))
                    } else {
                        on_shown.emit(last)
                    }
                })
            });
            // A pause cancels the next picture.
            move || drop(timer)
        });
    }
    Player {
        shown,
        scale: scale.clone(),
        playing: playing.is_some(),
        speed: *speed,
        on_shown,
        on_speed: {
            let speed = speed.setter();
            Callback::from(move |value| speed.set(value))
        },
        on_play: {
            let playing = playing.setter();
            let from = if shown >= last { 0 } else { shown };
            Callback::from(move |()| playing.set(Some(from)))
        },
        on_pause: {
            let playing = playing.setter();
            Callback::from(move |()| playing.set(None))
        },
    }
}

/// A callback about the place of a click, as a share of the width. It stays the same while the time advances, so that
/// the pictures stay as they are.
#[hook]
pub(crate) fn use_on_share(player: &Player) -> Callback<f64> {
    let latest = use_mut_ref(|| player.on_shown.clone());
    latest.borrow_mut().clone_from(&player.on_shown);
    use_callback(player.scale.last, move |share: f64, last| {
        let place = (share * *last as f64) as usize;
        let on_shown = latest.borrow().clone();
        on_shown.emit((place + 1).min(*last));
    })
}
