//! Rows of `observed.jsonl`.

use std::{collections::BTreeMap, fmt};

use serde::Deserialize;
use serde_json::Value;

/// Where Envoy sent a request.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Observation {
    i: Value,
    pub(super) status: u16,
    pub(super) endpoint: Option<String>,
    pub(super) owner: Option<String>,
    pub(super) priority: Option<usize>,
    /// Two recordings differed: the pick was random.
    #[serde(default)]
    pub(super) unstable: bool,
    /// How many equal requests went there.
    #[serde(default = "one")]
    pub(super) count: u64,
}

/// By the number of the request; a row that stands for several requests may have gone to several
/// places.
pub(super) type Observations = BTreeMap<String, Vec<Observation>>;

pub(super) fn read_observations(text: &str) -> Result<Observations, Vec<String>> {
    let mut observations = Observations::new();
    let mut faults = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        match serde_json::from_str::<Observation>(text) {
            Ok(row) => observations.entry(row.i.to_string()).or_default().push(row),
            Err(error) => faults.push(format!("observed.jsonl:{line}: {error}")),
        }
    }
    if faults.is_empty() {
        Ok(observations)
    } else {
        Err(faults)
    }
}

const fn one() -> u64 {
    1
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.status)?;
        match &self.endpoint {
            Some(endpoint) => f.write_str(endpoint)?,
            None => f.write_str("without a host")?,
        }
        if let (Some(owner), Some(priority)) = (&self.owner, self.priority) {
            write!(f, " ({owner}, level {priority})")?;
        }
        Ok(())
    }
}
