//! The figures of the engine for each subject of `grpc-<subject>/1`.

mod aggregate;
mod cookie;
mod idle_timeout;
mod outlier;
mod outlier_config;
mod picker;
mod priority;
mod sweep;

use serde::Deserialize;
use serde_json::Value;
use spillgate_core::model::HealthStatus;
use spillgate_grpc::{Connectivity, ProtoDuration};

use super::Figures;

type Find = fn(&Value) -> Result<Figures, String>;

/// The subjects with their functions.
const SUBJECTS: [(&str, Find); 9] = [
    ("aggregate", aggregate::aggregate),
    ("cookie_emit", cookie::emit),
    ("cookie_parse", cookie::parse),
    ("idle_timeout", idle_timeout::idle_timeout),
    ("outlier", outlier::outlier),
    ("outlier_config", outlier_config::outlier_config),
    ("picker", picker::picker),
    ("priority", priority::priority),
    ("sweep", sweep::sweep),
];

/// The subject of a schema.
pub(in super::super) fn subject(schema: &str) -> Option<&'static str> {
    let name = schema.strip_prefix("grpc-")?.strip_suffix("/1")?;
    let mut subjects = SUBJECTS.iter();
    Some(subjects.find(|(subject, _)| *subject == name)?.0)
}

/// The figures of a case.
pub(in super::super) fn find(subject: &str, input: &Value) -> Result<Figures, String> {
    match SUBJECTS.iter().find(|(name, _)| *name == subject) {
        Some((_, find)) => find(input),
        None => Err(format!("unknown subject {subject:?}")),
    }
}

/// A protobuf duration.
#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
struct Duration {
    #[serde(default)]
    seconds: i64,
    #[serde(default)]
    nanos: i32,
}

impl From<Duration> for ProtoDuration {
    fn from(Duration { seconds, nanos }: Duration) -> Self {
        Self { seconds, nanos }
    }
}

/// The health status with this name.
fn health(name: &str) -> Result<HealthStatus, String> {
    HealthStatus::from_name(name).ok_or_else(|| format!("unknown health {name:?}"))
}

/// The connectivity state with this name.
fn connectivity(name: &str) -> Result<Connectivity, String> {
    Connectivity::from_name(name).ok_or_else(|| format!("unknown state {name:?}"))
}
