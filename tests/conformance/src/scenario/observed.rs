//! The rows of `observed.jsonl`: the recorded responses.

use std::{collections::BTreeMap, fmt};

use serde::Deserialize;
use serde_json::Value;

/// The response to a request, and the host that Envoy chose.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Observation {
    i: Value,
    /// The HTTP status.
    pub(crate) status: u16,
    /// The chosen host; `None` without a host.
    pub(crate) endpoint: Option<String>,
    /// The cluster that owns the host, if recorded.
    pub(super) owner: Option<String>,
    /// The priority of the host, if recorded.
    pub(super) priority: Option<usize>,
    /// Two recordings differed, so the choice was random.
    #[serde(default)]
    pub(crate) unstable: bool,
    /// The number of equal requests with this result.
    #[serde(default = "one")]
    pub(crate) count: u64,
}

impl Observation {
    /// The observation of one request.
    pub(crate) const fn new(i: Value, status: u16, endpoint: Option<String>) -> Self {
        Self {
            i,
            status,
            endpoint,
            owner: None,
            priority: None,
            unstable: false,
            count: 1,
        }
    }
}

/// The observations by row id. A row that represents several requests can have several results.
pub(crate) type Observations = BTreeMap<String, Vec<Observation>>;

/// Reads all rows, or all their errors.
pub(crate) fn read_observations(text: &str) -> Result<Observations, Vec<String>> {
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

/// The default count.
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
            write!(f, " ({owner}, priority {priority})")?;
        }
        Ok(())
    }
}
