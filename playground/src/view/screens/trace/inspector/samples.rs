//! The hosts that `LEAST_REQUEST` compared.

use spillgate_core::{
    model::{Policy, SelectionMethod},
    snapshot::HostRef,
    trace::HostNumbers,
};

use super::set_of;
use crate::view::screens::trace::{TraceRequest, TraceStage, TracedRequest};

/// The maximum number of shown hosts.
const MOST: usize = 20;

/// The compared hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleView {
    /// How hosts are selected.
    pub method: SelectionMethod,
    /// The hosts in the order of the comparison.
    pub samples: Vec<Sample>,
    /// The number of further compared hosts.
    pub more: usize,
}

/// A compared host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// The host.
    pub host: HostRef,
    /// Its active requests.
    pub active: u32,
    /// Whether it serves the request.
    pub is_chosen: bool,
}

impl SampleView {
    pub(super) fn new(
        stage: &TraceStage,
        request: &TraceRequest,
        traced: &TracedRequest,
    ) -> Option<Self> {
        let priority = traced.decision.priority?;
        let plain = stage.snapshot.plain(priority.owner)?;
        let Policy::LeastRequest(config) = plain.settings.policy else {
            return None;
        };
        let compared: Vec<HostRef> = match traced.host_numbers.as_ref()? {
            HostNumbers::FewestOfSome(compared) => compared.iter().map(|(host, _)| *host).collect(),
            HostNumbers::FewestOfAll { .. } => {
                let set = set_of(&traced.decision);
                let list = plain.list(set, priority.number, priority.source?);
                let host = |host| HostRef {
                    cluster: priority.owner,
                    priority: priority.number,
                    host,
                };
                list.iter().map(host).collect()
            }
            _ => return None,
        };
        let chosen = traced.decision.host_ref();
        let samples = compared.iter().take(MOST).map(|&host| Sample {
            host,
            active: request.active.of(host),
            is_chosen: Some(host) == chosen,
        });
        let samples: Vec<Sample> = samples.collect();
        Some(Self {
            method: config.selection,
            more: compared.len() - samples.len(),
            samples,
        })
    }
}
