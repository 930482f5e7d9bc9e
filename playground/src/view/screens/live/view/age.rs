//! The age of the data, which changes without a read.

use crate::{bridge, view::parts::strip};
use spillgate_scenario::{ShortNames, Tone};
use yew::prelude::*;

use super::poll::{due_in, now, with_monitor};
use crate::view::screens::live::LiveMessage;

/// How often the age is updated.
const EVERY_MS: u32 = 1_000;

/// The age, or why the data are old. It changes every second, so it is no announcement.
#[component]
pub(super) fn Age() -> Html {
    let ticks = use_state(|| 0_u32);
    {
        let ticks = ticks.clone();
        use_effect_with(*ticks, move |count| {
            let next = count.wrapping_add(1);
            let timer = bridge::after(EVERY_MS, move || ticks.set(next));
            move || drop(timer)
        });
    }
    let (now, due) = (now(), due_in());
    let fact = with_monitor(|monitor| {
        let age = monitor.age_ms(now)?;
        Some(match &monitor.fault {
            Some(fault) => (
                Tone::Warning,
                LiveMessage::Failed(fault, age, due).to_string(),
            ),
            None if monitor.is_paused => (Tone::Plain, LiveMessage::Paused(age).to_string()),
            None => (Tone::Plain, LiveMessage::Age(age).to_string()),
        })
    });
    // No sentence has a name of the configuration.
    let names = ShortNames::default();
    strip("live-age", fact.into_iter().collect(), &names)
}
