//! The changes of a timeline in words.

use alloc::{
    format,
    string::{String, ToString},
};

use spillgate_explain::format::{fixed, plain, plural};

use super::{figure_text::percent_text, sentences::kind_text, time_text};
use crate::{
    run::{ChangeKind, TimelineChange},
    script::{ErrorAnswers, HostBehavior, HostEvent},
};

/// What a change is, in a few words.
#[must_use]
pub fn change_text(change: &TimelineChange, events: &[HostEvent]) -> String {
    // A host can change many times.
    let of_one = |count: usize| format!("{} ({})", change.example, plural(count, "time"));
    let hosts = || match change.hosts {
        1 => change.example.clone(),
        count if change.is_one_host => of_one(count),
        count => plural(count, "host"),
    };
    let found = || match change.hosts {
        1 => change.example.clone(),
        count if change.is_one_host => of_one(count),
        count => plural(count, "time"),
    };
    let event = |index: usize| {
        events
            .get(index)
            .map(ToString::to_string)
            .unwrap_or_default()
    };
    let text = match change.kind {
        ChangeKind::Begins(index) => match events.get(index) {
            Some(event) => format!(
                "{} {} ({})",
                event.hosts,
                behavior_text(event.behavior),
                plural(change.hosts, "host")
            ),
            None => String::new(),
        },
        ChangeKind::Ends(index) => format!("end of: {}", event(index)),
        ChangeKind::Flaps(index) => format!("turn of: {}", event(index)),
        ChangeKind::Load(rps) => format!("{} requests/s", fixed(rps)),
        ChangeKind::BreakerOpens => "circuit breaker opens".into(),
        ChangeKind::BreakerCloses => "circuit breaker closes".into(),
        ChangeKind::SlowStartBegins => "slow start begins".into(),
        ChangeKind::SlowStartGrows => "slow start: higher weights".into(),
        ChangeKind::SlowStartEnds => "slow start ends".into(),
        ChangeKind::SessionsMove => "sessions move".into(),
        ChangeKind::ChecksFail => format!("checks fail: {}", hosts()),
        ChangeKind::ChecksPass => format!("checks pass: {}", hosts()),
        ChangeKind::Degraded => format!("degraded: {}", hosts()),
        ChangeKind::Ejected(kind) => format!("ejected by {}: {}", kind_text(kind), hosts()),
        ChangeKind::NotEnforced(kind) => {
            format!("not enforced ({}): {}", kind.enforcing_field(), found())
        }
        ChangeKind::Overflow(_) => format!("not ejected by max_ejection_percent: {}", found()),
        ChangeKind::Returned => format!("ejection ends: {}", hosts()),
        ChangeKind::Left => format!("removed: {}", hosts()),
        ChangeKind::Joined => format!("added: {}", hosts()),
    };
    plain(&text)
}

/// What hosts do.
fn behavior_text(behavior: HostBehavior) -> String {
    match behavior {
        HostBehavior::Refuse => "refuse connections".into(),
        HostBehavior::Errors(ErrorAnswers { part, status }) => {
            format!("answer {status} to {} %", percent_text(part * 100.0))
        }
        HostBehavior::Slow(delay) => format!("answer after {}", time_text(delay)),
        HostBehavior::Silent => "do not answer".into(),
        HostBehavior::Degraded => "report degraded".into(),
        HostBehavior::Remove => "removed by EDS".into(),
        HostBehavior::Add => "added by EDS".into(),
        HostBehavior::Flap(period) => format!("flap every {}", time_text(period)),
    }
}
