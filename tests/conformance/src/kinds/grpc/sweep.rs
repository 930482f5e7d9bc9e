//! Subject `sweep`.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_core::model::HealthStatus;
use spillgate_grpc::{DEFAULT_STATUSES, GrpcEndpoint, OverrideHosts, Released};

use super::super::{Figures, figures, read};

/// The timed events.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    events: Vec<Event>,
}

/// An event with its time, in ms.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Event {
    Update {
        t: u64,
        addresses: Vec<String>,
        idle_timeout_ms: Option<u64>,
    },
    ChildCreate {
        t: u64,
        address: String,
    },
    ChildUnref {
        t: u64,
        address: String,
    },
    PickerCreate {
        t: u64,
        address: String,
    },
    SessionPick {
        t: u64,
        address: String,
    },
    PlainPick {
        t: u64,
        #[serde(rename = "address")]
        _address: String,
    },
    Wait {
        t: u64,
    },
}

impl Event {
    /// The time of the event, in ms.
    const fn time(&self) -> u64 {
        match self {
            Self::Update { t, .. }
            | Self::ChildCreate { t, .. }
            | Self::ChildUnref { t, .. }
            | Self::PickerCreate { t, .. }
            | Self::SessionPick { t, .. }
            | Self::PlainPick { t, .. }
            | Self::Wait { t } => *t,
        }
    }
}

/// gRPC's default, in ms.
const IDLE_TIMEOUT_MS: u64 = 3_600_000;

/// The owner of each connection, and a log of the changes.
pub(super) fn sweep(input: &Value) -> Result<Figures, String> {
    let input: Input = read(input)?;
    let mut replay = Replay {
        hosts: OverrideHosts::new(DEFAULT_STATUSES, IDLE_TIMEOUT_MS),
        log: Vec::new(),
    };
    for event in input.events {
        replay.timers(event.time());
        replay.apply(event);
    }
    let owners: Figures = replay
        .hosts
        .entries()
        .map(|(address, entry)| {
            let owner = entry.subchannel.map_or("none", |held| held.owner.name());
            (address.into(), owner.into())
        })
        .collect();
    Ok(figures([
        ("log", replay.log.into()),
        ("owners", owners.into()),
    ]))
}

/// The state of a replay.
struct Replay {
    hosts: OverrideHosts,
    log: Vec<Value>,
}

impl Replay {
    /// Runs all sweeps that are due until a time.
    fn timers(&mut self, until: u64) {
        while let Some(now) = self.hosts.due().filter(|due| *due <= until) {
            let dropped = self.hosts.sweep(now);
            self.dropped(now, &dropped);
            self.armed(now);
        }
    }

    /// Applies one event.
    fn apply(&mut self, event: Event) {
        match event {
            Event::Update {
                t,
                addresses,
                idle_timeout_ms,
            } => {
                if let Some(ms) = idle_timeout_ms {
                    self.hosts.set_idle_timeout(ms);
                }
                let endpoint = |address| GrpcEndpoint {
                    addresses: vec![address],
                    health: HealthStatus::Unknown,
                };
                let endpoints: Vec<GrpcEndpoint> = addresses.into_iter().map(endpoint).collect();
                let dropped = self.hosts.update(t, &endpoints);
                self.dropped(t, &dropped);
                self.armed(t);
            }
            Event::ChildCreate { address, .. } => self.hosts.child_created(&address),
            Event::ChildUnref { t, address } => match self.hosts.child_released(t, &address) {
                Released::Adopted => self.log.push(json!({"t": t, "adopted": address})),
                Released::Closed => self.log.push(json!({"t": t, "released": address})),
                Released::NotHeld => {}
            },
            Event::PickerCreate { t, address } => {
                let line = if self.hosts.create(t, &address) {
                    json!({"t": t, "created": address})
                } else {
                    json!({"t": t, "create_ignored": address})
                };
                self.log.push(line);
            }
            Event::SessionPick { t, address } => self.hosts.used(t, &address),
            Event::PlainPick { .. } | Event::Wait { .. } => {}
        }
    }

    /// Logs closed connections.
    fn dropped(&mut self, t: u64, addresses: &[String]) {
        if !addresses.is_empty() {
            self.log.push(json!({"t": t, "dropped": addresses}));
        }
    }

    /// Logs the time until the next sweep.
    fn armed(&mut self, t: u64) {
        let wait = self.hosts.due().map(|due| due.saturating_sub(t));
        self.log.push(json!({"t": t, "timer_ms": wait}));
    }
}
