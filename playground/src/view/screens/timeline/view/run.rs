//! A recording with what all pictures need.

use std::{ops::Deref, rc::Rc};

use spillgate_codec::import::TimelineRecording;
use spillgate_scenario::ShortNames;

use crate::view::screens::{
    over_time::TimeScale,
    timeline::{HostLine, Period, host_rows, periods},
};

/// The longest names and addresses that are shown whole, relative to the font size.
const CLUSTER_ROOM: f64 = 12.0;
const ADDRESS_ROOM: f64 = 10.0;

/// A run, shared by the pictures.
#[derive(Clone)]
pub(super) struct ShownRun(Rc<RunParts>);

/// The content.
pub(super) struct RunParts {
    pub(super) recording: TimelineRecording,
    pub(super) scale: TimeScale,
    pub(super) rows: Vec<HostLine>,
    pub(super) periods: Vec<Period>,
    /// The short forms of the names of clusters and of the addresses of hosts.
    pub(super) names: ShortNames,
}

impl ShownRun {
    pub(super) fn new(recording: TimelineRecording) -> Self {
        Self(Rc::new(RunParts {
            rows: host_rows(&recording),
            periods: periods(&recording),
            names: short_names(&recording),
            scale: scale(&recording),
            recording,
        }))
    }
}

fn scale(recording: &TimelineRecording) -> TimeScale {
    let events = recording.phases.iter().skip(1).map(|phase| phase.from);
    TimeScale {
        width: recording.width.max(1),
        last: recording.intervals.len(),
        events: events.collect(),
    }
}

fn short_names(recording: &TimelineRecording) -> ShortNames {
    let hosts = || recording.hosts.iter();
    let clusters = ShortNames::of(hosts().map(|host| &*host.cluster), CLUSTER_ROOM);
    clusters.and(ShortNames::of(
        hosts().map(|host| &*host.address),
        ADDRESS_ROOM,
    ))
}

impl Deref for ShownRun {
    type Target = RunParts;

    fn deref(&self) -> &RunParts {
        &self.0
    }
}

/// Only the same run is equal: comparing two takes longer than drawing one.
impl PartialEq for ShownRun {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}
