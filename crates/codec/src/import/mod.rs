//! What the playground's modules exchange, as bytes.
//!
//! One module reads texts and the other shows clusters; they exchange bytes in memory. An
//! [`ImportAnswer`], a [`TimelineAnswer`] with the recording of a simulated run, or an [`IncidentReply`], is written field
//! by field, without names and without a version, because both modules are built together. Every
//! type lists its fields once, for both directions. Other bytes are read as `None`.

mod comparison;
pub(crate) mod fields;
mod imported;
mod incident;
mod model;
mod policy;
mod routing;
mod scenario;
mod subset;
mod timeline;

pub use crate::view_name::{view_name, view_of};
pub use comparison::{ComparedRoute, ComparisonAnswer, NamedRequests, SideRequests};
pub use imported::{
    ClusterPlaces, FaultSeverity, HostPlace, ImportAnswer, ImportFault, ImportField, ImportLimit,
    MAXIMUM_FAULTS, TextPosition,
};
pub use incident::{
    DecidingTime, HostMoment, IncidentFault, IncidentHost, IncidentQuestion, IncidentRecord,
    IncidentReply, IncidentRow, IncidentSetting, SettingSource,
};
pub use routing::{
    RouteAnswer, RouteField, RouteFieldKind, RouteQuestion, RouteReply, RouteReplyReason, RouteStep,
};
pub use scenario::{scenario_from_bytes, scenario_to_bytes};
pub use timeline::{
    BrokenRule, ReasonCount, TimelineAnswer, TimelineHealth, TimelineHost, TimelineInterval,
    TimelinePhase, TimelineQuestion, TimelineRecording, TimelineState,
};
