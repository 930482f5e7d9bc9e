//! Margins of running Envoys as Prometheus metrics: which Envoy to read when, and the published text.
//!
//! | module | part |
//! |---|---|
//! | [`target`], [`target_list`] | the Envoys that an argument or a file names |
//! | [`poller`], [`phase`] | when to read which of them |
//! | [`figures`] | the figures of one Envoy |
//! | [`table`] | the last figures of each Envoy, their age, and errors |
//! | [`exposition`], [`families`] | the text, and its metrics |
//!
//! The crate reads no clock, opens no connection and starts no thread: times are arguments, since the start of the
//! exporter. It does no load balancing: figures come from the engine.
//!
//! A value that is not known is absent, never zero: an alert on a small number of hosts must not fire, or be silent,
//! because a reading failed. After a failed reading, the last figures stay, and their age grows.
//!
//! No metric has a label with a host, so the number of time series depends on clusters and their priorities.
#![forbid(unsafe_code)]

mod exposition;
mod families;
mod figures;
mod phase;
mod poller;
mod table;
mod target;
mod target_list;

pub use exposition::{CONTENT_TYPE, exposition};
pub use families::{MetricInfo, metrics};
pub use figures::{
    ClusterFigures, ClusterLoad, CountedDifference, EnvoyFigures, FindingCount, PriorityFigures,
    ZoneLossFigures,
};
pub use poller::{MOST_READINGS, MOST_SLOW_READINGS, Poller};
pub use table::{TargetStatus, TargetTable};
pub use target::{EnvoyTarget, TargetAddress, TargetSpec};
pub use target_list::{MOST_TARGETS, read_target_list, spec_of_argument};
