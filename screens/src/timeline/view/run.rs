//! A recording with what all pictures need.

use std::{ops::Deref, rc::Rc};

use spillgate_codec::import::TimelineRecording;

use crate::timeline::{HostLine, Period, host_rows, periods};

/// A run, shared by the pictures.
#[derive(Clone)]
pub(super) struct ShownRun(Rc<RunParts>);

/// The content.
pub(super) struct RunParts {
    pub(super) recording: TimelineRecording,
    pub(super) rows: Vec<HostLine>,
    pub(super) periods: Vec<Period>,
}

impl ShownRun {
    pub(super) fn new(recording: TimelineRecording) -> Self {
        Self(Rc::new(RunParts {
            rows: host_rows(&recording),
            periods: periods(&recording),
            recording,
        }))
    }
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
