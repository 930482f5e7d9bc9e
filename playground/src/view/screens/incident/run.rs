//! A record with what all pictures need.

use std::{ops::Deref, rc::Rc};

use spillgate_codec::import::{IncidentRecord, IncidentRow};
use spillgate_core::model::Health;
use spillgate_scenario::ShortNames;

use super::{HostTrack, ScriptedEvent, host_tracks};
use crate::view::screens::over_time::TimeScale;

/// The steps of the time slider.
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
    pub fn new(record: IncidentRecord, events: &[ScriptedEvent], names: ShortNames) -> Self {
        let end = record.end.div_ceil(1_000).max(1);
        let width = end.div_ceil(INTERVALS).max(1);
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

impl IncidentParts {
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
