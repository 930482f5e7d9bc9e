//! An incident as a script: which hosts fail how and when, and how many requests arrive.

mod behavior;
mod entry;
mod load;
#[cfg(feature = "script")]
mod read;
mod span;

pub use behavior::{ErrorAnswers, HostBehavior};
pub use entry::HostEvent;
pub use load::{LoadStep, RequestLoad};
#[cfg(feature = "script")]
pub use read::{IncidentFile, StatedExpectation, is_script, read_script};
pub use span::{TimeSpan, read_time};

use alloc::{format, vec::Vec};
use core::time::Duration;

use spillgate_core::duration::DurationText;
use spillgate_sim::{SpecFault, spec::Piece};

/// What happens to hosts, and the load.
///
/// # Examples
/// ```
/// use core::time::Duration;
/// use spillgate_incident::{HostBehavior, HostEvent, IncidentScript};
///
/// let event = HostEvent::parse(HostBehavior::Refuse, "zone=a@10s..70s").unwrap();
/// let script = IncidentScript { events: vec![event], ..IncidentScript::default() };
/// // Two minutes after the last change.
/// assert_eq!(script.end(), Duration::from_secs(190));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IncidentScript {
    /// What happens to hosts. Of several events that concern a host at a time, the last one counts.
    pub events: Vec<HostEvent>,
    /// The requests per second.
    pub load: RequestLoad,
    /// The time of the answers of hosts that do not answer late, for the numbers of active requests and retries; `None` for
    /// a time that is not known, which counts as 0.
    pub service_time: Option<Duration>,
    /// The clients that send the requests, each with a session where routes keep them; 0 if their number is not known.
    pub sessions: u32,
    /// The end; `None` for two minutes after the last change.
    pub until: Option<Duration>,
}

impl IncidentScript {
    /// The time after the last change, without a stated end.
    const AFTER: Duration = Duration::from_secs(120);

    /// The time of the first event; `None` without events.
    #[must_use]
    pub fn first(&self) -> Option<Duration> {
        self.events.iter().map(|event| event.span.from).min()
    }

    /// The fault of an event that starts at the end or later, where it would change nothing. `stated` is its span as the
    /// user wrote it.
    #[must_use]
    pub fn late_start(&self, event: &HostEvent, stated: Piece<'_>) -> Option<SpecFault> {
        let end = self.end();
        (event.span.from >= end).then(|| {
            let expected = format!("a start before {}, see --until", DurationText(end));
            let message = "the event is after the simulated time";
            SpecFault::new("incident/span", stated, message, expected)
        })
    }

    /// The end of the simulated time.
    #[must_use]
    pub fn end(&self) -> Duration {
        self.until.unwrap_or_else(|| {
            let of_events = self.events.iter().map(|event| event.span.last());
            let last = of_events.chain(self.load.steps().iter().map(|step| step.from));
            last.max().unwrap_or_default() + Self::AFTER
        })
    }
}
