//! A record with what all pictures need.

use std::{ops::Deref, rc::Rc};

use spillgate_codec::import::{IncidentRecord, IncidentRow};
use spillgate_core::model::Health;
use spillgate_scenario::ShortNames;

use super::{HostTrack, OutageEvent, host_tracks};
use crate::view::screens::over_time::TimeScale;

/// The most steps of the time slider.
const INTERVALS: u64 = 600;

/// A record, shared by the pictures.
#[derive(Clone)]
pub struct ShownIncident(Rc<IncidentParts>);

/// The content.
pub struct IncidentParts {
    /// The simulated incident.
    pub record: IncidentRecord,
    /// Its time. Events are the starts and ends of those of the script.
    pub(crate) scale: TimeScale,
    /// The groups of hosts, as rows.
    pub tracks: Vec<HostTrack>,
    /// The short forms of the names of clusters and zones.
    pub names: ShortNames,
}

impl ShownIncident {
    /// Prepares a record of these events.
    #[must_use]
    pub fn new(record: IncidentRecord, events: &[OutageEvent], names: ShortNames) -> Self {
        let end = record.end.div_ceil(1_000).max(1);
        let width = step(end);
        let edges = events.iter().flat_map(|event| [Some(event.from), event.to]);
        let mut edges: Vec<u64> = edges.flatten().filter(|at| *at < end).collect();
        edges.sort_unstable();
        edges.dedup();
        let scale = TimeScale {
            width,
            last: usize::try_from(end.div_ceil(width)).unwrap_or(usize::MAX),
            events: edges,
        };
        Self(Rc::new(IncidentParts {
            tracks: host_tracks(&record),
            scale,
            names,
            record,
        }))
    }
}

/// The smallest step of 1, 2 or 5 times a power of ten with at most so many intervals, in milliseconds.
fn step(end: u64) -> u64 {
    let mut step = 1_u64;
    for factor in [2, 5, 10].into_iter().cycle() {
        let power = 10_u64.pow(step.ilog10());
        if end.div_ceil(step) <= INTERVALS {
            break;
        }
        step = power.saturating_mul(factor);
    }
    step
}

impl IncidentParts {
    /// The shown time in milliseconds: the stated one, unless other intervals are shown, as during playback.
    #[must_use]
    pub fn shown_millis(&self, stated: Option<u64>, shown: usize) -> u64 {
        let end = self.scale.millis(self.scale.last);
        match stated {
            Some(at) if self.scale.interval_at(stated) == shown => at.min(end),
            _ => self.scale.millis(shown),
        }
    }

    /// The row at a time in milliseconds.
    #[must_use]
    pub fn row_at(&self, millis: u64) -> Option<&IncidentRow> {
        let micros = millis.saturating_mul(1_000);
        let after = self.record.rows.partition_point(|row| row.from <= micros);
        self.record.rows.get(after.saturating_sub(1))
    }

    /// The health of each host at a time in milliseconds; `None` while it is absent.
    #[must_use]
    pub fn hosts_at(&self, millis: u64) -> Vec<Option<Health>> {
        let micros = millis.saturating_mul(1_000);
        let mut hosts = vec![None; self.record.hosts.len()];
        for moment in self.record.seen.iter().take_while(|of| of.from <= micros) {
            if let Some(known) = hosts.get_mut(moment.host) {
                *known = moment.health;
            }
        }
        hosts
    }
}

impl Deref for ShownIncident {
    type Target = IncidentParts;

    fn deref(&self) -> &IncidentParts {
        &self.0
    }
}

/// Only the same record is equal: comparing two takes longer than drawing one.
impl PartialEq for ShownIncident {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (end, expected) in [
            (1, 1),
            (600, 1),
            (601, 2),
            (190_000, 500),
            (86_400_000, 200_000),
        ] {
            assert_eq!(step(end), expected, "{end}");
        }
    }
}
