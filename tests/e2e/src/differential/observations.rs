//! What Envoy did with requests.

/// What became of one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// The host that was chosen.
    pub endpoint: Option<String>,
    /// The status; 200 where a host was chosen, whatever became of its connection.
    pub status: u16,
    /// Envoy's response flags.
    pub flags: String,
    /// Envoy's response code details.
    pub details: String,
    /// The hosts of all attempts in order, where requests of the scenario are retried.
    pub attempts: Vec<String>,
}

/// By row, then by repetition.
pub type Observations = Vec<Vec<Observed>>;

/// What is known of a request: its scenario, row and repetition.
pub(super) type RequestId = (usize, usize, usize);
