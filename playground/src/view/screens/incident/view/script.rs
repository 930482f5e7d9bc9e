//! The events as bars, which the pointer moves. The fields do the same for keys.

use std::rc::Rc;

use yew::prelude::*;

use crate::{
    bridge,
    view::screens::{
        incident::{IncidentInput, IncidentStage, OutageEvent, ShownIncident},
        over_time::percent,
    },
};

/// How near to an end of a bar the pointer takes that end, as a share of the width.
const NEAR: f64 = 0.015;

#[derive(PartialEq, Properties)]
pub(super) struct ScriptProps {
    pub(super) stage: Rc<IncidentStage>,
    pub(super) run: ShownIncident,
    pub(super) input: IncidentInput,
    pub(super) on_input: Callback<IncidentInput>,
}

/// The part of a bar that the pointer holds.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Grip {
    Start,
    End,
    /// The whole bar, at this time after its start.
    Whole(u64),
}

/// A drag: the events as they are now, and what the pointer holds.
#[derive(Debug, Clone, PartialEq)]
struct Drag {
    events: Vec<OutageEvent>,
    at: usize,
    grip: Grip,
}

/// A row for each event.
#[component]
pub(super) fn ScriptPicture(props: &ScriptProps) -> Html {
    let drag = use_state(|| None::<Drag>);
    let events = match &*drag {
        Some(drag) => drag.events.clone(),
        None => props.stage.events(&props.input),
    };
    let scale = &props.run.scale;
    let end = scale.millis(scale.last);
    let release = {
        let (drag, input, on_input) = (drag.clone(), props.input.clone(), props.on_input.clone());
        Callback::from(move |_: PointerEvent| {
            if let Some(dragged) = (*drag).clone() {
                drag.set(None);
                on_input.emit(IncidentInput {
                    events: Some(dragged.events),
                    ..input.clone()
                });
            }
        })
    };
    let pull = {
        let (drag, step) = (drag.clone(), scale.width);
        Callback::from(move |event: PointerEvent| {
            let time = bridge::share_of_width(&event).map(|share| time_at(share, end, step));
            if let (Some(mut dragged), Some(time)) = ((*drag).clone(), time) {
                if let Some(event) = dragged.events.get_mut(dragged.at) {
                    moved(event, dragged.grip, time, end);
                }
                drag.set(Some(dragged));
            }
        })
    };
    let row = |(at, event): (usize, &OutageEvent)| {
        let grab = {
            let (drag, events, event) = (drag.setter(), events.clone(), event.clone());
            let step = scale.width;
            Callback::from(move |pointer: PointerEvent| {
                let Some(share) = bridge::share_of_width(&pointer) else {
                    return;
                };
                pointer.prevent_default();
                bridge::hold_pointer(&pointer);
                drag.set(Some(Drag {
                    events: events.clone(),
                    at,
                    grip: grip(&event, share, end, step),
                }));
            })
        };
        let to = event.to.unwrap_or(end).min(end);
        let from = scale.percent(event.from.min(end));
        let width = scale.percent(to).max(from) - from;
        let title = format!("{} {}", event.hosts, event.kind.title());
        html! {
            <svg class="row" width="100%" height="24" role="img" aria-label={title.clone()} key={at}
                onpointerdown={grab} onpointermove={pull.clone()} onpointerup={release.clone()} onpointercancel={release.clone()}>
                <title>{ title.clone() }</title>
                <rect class={event.kind.name()} x={percent(from)} y="2" width={percent(width.max(0.3))} height="20" rx="4" />
                <text x={percent((from + 0.6).min(70.0))} y="16" aria-hidden="true">{ title }</text>
            </svg>
        }
    };
    html! { <div class="script-rows">{ for events.iter().enumerate().map(row) }</div> }
}

/// The time at a place, in whole steps.
fn time_at(share: f64, end: u64, step: u64) -> u64 {
    let time = (share * end as f64) as u64;
    time - time % step.max(1)
}

/// What the pointer takes.
fn grip(event: &OutageEvent, share: f64, end: u64, step: u64) -> Grip {
    let place = |millis: u64| millis as f64 / end.max(1) as f64;
    let to = event.to.unwrap_or(end);
    if (share - place(to)).abs() < NEAR {
        Grip::End
    } else if (share - place(event.from)).abs() < NEAR {
        Grip::Start
    } else {
        Grip::Whole(time_at(share, end, step).saturating_sub(event.from))
    }
}

/// Moves an event, or an end of it, to a time.
fn moved(event: &mut OutageEvent, grip: Grip, time: u64, end: u64) {
    match grip {
        Grip::Start => event.from = time.min(event.to.unwrap_or(end).saturating_sub(1)),
        Grip::End => event.to = Some(time.max(event.from + 1)),
        Grip::Whole(after) => {
            let from = time.saturating_sub(after);
            event.to = event.to.map(|to| to - event.from + from);
            event.from = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::screens::incident::HostAction;

    fn event() -> OutageEvent {
        OutageEvent {
            kind: HostAction::Fail,
            amount: 0,
            hosts: "zone=a".into(),
            from: 10_000,
            to: Some(70_000),
        }
    }

    #[test]
    fn the_ends_and_the_whole_of_a_bar_move() {
        let end = 190_000;
        for (from, to, expected) in [
            (10_000, 20_000, (20_000, 70_000)),
            (70_000, 90_000, (10_000, 90_000)),
            (40_000, 50_000, (20_000, 80_000)),
            (70_000, 0, (10_000, 10_001)),
            (10_000, 180_000, (69_999, 70_000)),
            (40_000, 0, (0, 60_000)),
        ] {
            let mut event = event();
            let share = from as f64 / end as f64;
            let grip = grip(&event, share, end, 1);
            moved(&mut event, grip, to, end);
            assert_eq!((event.from, event.to.unwrap()), expected, "{from} {to}");
        }
    }
}
