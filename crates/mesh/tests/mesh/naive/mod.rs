//! A second implementation, written from the documentation of Kuma, Istio and Envoy without the code
//! of the crate: one endpoint at a time, without shared tables.

pub(crate) mod envoy;
pub(crate) mod istio;
pub(crate) mod kuma;

/// The place of one endpoint in a load assignment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NaivePlace {
    pub(crate) priority: u32,
    /// The whole locality as one text.
    pub(crate) locality: String,
    /// The weight of the locality; 0 if not set.
    pub(crate) weight: u32,
}

/// A load assignment: a place for each endpoint that the proxy receives.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NaiveAssignment {
    pub(crate) places: Vec<Option<NaivePlace>>,
    pub(crate) factor: u64,
    pub(crate) weighted: bool,
    pub(crate) panic_threshold: u64,
}
