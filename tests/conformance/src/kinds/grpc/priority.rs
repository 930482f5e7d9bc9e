//! Subject `priority`.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_grpc::priority::{
    FailoverReading, PriorityAction, PriorityPolicy, PrioritySettings, TimedAction,
};

use super::{
    super::{Figures, figures, read},
    connectivity,
};

/// The timed events, and whether C-core's rules apply.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    events: Vec<Event>,
    #[serde(default)]
    ccore: bool,
}

/// An event with its time, in ms.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Event {
    Config {
        t: u64,
        priorities: Vec<String>,
    },
    State {
        t: u64,
        child: String,
        state: String,
    },
    Wait {
        t: u64,
    },
}

/// The actions of the policy with their times.
pub(super) fn priority(input: &Value) -> Result<Figures, String> {
    let input: Input = read(input)?;
    let mut policy = PriorityPolicy::new(PrioritySettings {
        reading: if input.ccore {
            FailoverReading::CCore
        } else {
            FailoverReading::A56
        },
        ..PrioritySettings::default()
    });
    let mut log = Vec::new();
    for event in input.events {
        log.extend(match event {
            Event::Config { t, priorities } => policy.configure(t, priorities),
            Event::State { t, child, state } => policy.report(t, &child, connectivity(&state)?),
            Event::Wait { t } => policy.advance(t),
        });
    }
    let log: Vec<Value> = log.into_iter().map(shown).collect();
    Ok(figures([("log", log.into())]))
}

/// An action as JSON.
fn shown((t, action): TimedAction) -> Value {
    match action {
        PriorityAction::Create(child) => json!({"t": t, "create": child}),
        PriorityAction::Use { child, state } => {
            json!({"t": t, "use": child, "state": state.name()})
        }
        PriorityAction::Destroy(child) => json!({"t": t, "destroy": child}),
    }
}
