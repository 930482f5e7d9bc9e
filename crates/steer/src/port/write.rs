//! Writes a decision into request headers, in the configured output mode.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_config::filter::{Output, OutputMode};
use spillgate_core::{
    decide::{Decision, SessionSpread},
    model::{ChainHosts, Endpoint, Field, Metadata, Value},
    proto::Base64,
    snapshot::Snapshot,
};

use super::PassedHosts;

/// A decision that is passed to the proxy.
#[derive(Clone, Copy)]
pub struct SteeringChoice<'a> {
    /// The output mode and the header names (`output` in the filter configuration).
    pub output: &'a Output,
    /// The snapshot that the decision refers to.
    pub snapshot: &'a Snapshot,
    /// The decision.
    pub decision: &'a Decision,
    /// The subset criteria of the request.
    pub criteria: &'a Metadata,
    /// The maximum number of hosts that the proxy may try; at least 1.
    pub most_hosts: usize,
    /// How the session of the request chooses the hosts after the first one.
    pub spread: SessionSpread<'a>,
    /// The decision for later attempts, if they go to another cluster (`output.attempts_per_cluster`).
    pub next: Option<&'a Decision>,
    /// Whether the response compares the host that responds with the hosts of the decision.
    pub is_watched: bool,
}

/// The outcome of passing a decision to the proxy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Steered {
    /// The proxy has the decision. If it is watched and names hosts, these are the hosts.
    Done(Option<PassedHosts>),
    /// A header was not set, so the proxy chooses the host.
    Failed,
    /// No host was chosen, or no header can express a criterion; nothing was passed.
    NoHost,
}

impl SteeringChoice<'_> {
    /// The name of the cluster that owns the chosen host.
    #[must_use]
    pub fn owner(&self) -> &str {
        self.owner_of(self.decision)
    }

    /// The name of the cluster of later attempts, if they go to another one.
    #[must_use]
    pub fn next_owner(&self) -> Option<&str> {
        Some(self.owner_of(self.next?))
    }

    fn owner_of(&self, decision: &Decision) -> &str {
        let owner = decision
            .priority
            .map_or(decision.cluster, |priority| priority.owner);
        let owner = self.snapshot.cluster(owner);
        owner.map_or("", |cluster| &cluster.name)
    }

    /// The hosts that the proxy may try, in order of preference; empty if no host was chosen. Those of the
    /// next cluster follow: the proxy skips hosts that are not in the cluster of an attempt.
    #[must_use]
    pub fn hosts(&self) -> Vec<&Endpoint> {
        self.first_hosts(self.most_hosts)
    }

    fn first_hosts(&self, most: usize) -> Vec<&Endpoint> {
        let decision = self.decision;
        let mut hosts = decision.candidates_of_session(self.snapshot, most, self.spread);
        if let Some(next) = self.next {
            let spread = SessionSpread::default();
            hosts.extend(next.candidates_of_session(self.snapshot, most, spread));
        }
        hosts
    }

    /// The override host list: addresses in order of preference, separated by commas.
    #[must_use]
    pub fn host_list(hosts: &[&Endpoint]) -> String {
        let length: usize = hosts.iter().map(|host| host.address.len() + 1).sum();
        let mut list = String::with_capacity(length);
        for host in hosts {
            if !list.is_empty() {
                list.push(',');
            }
            list.push_str(&host.address);
        }
        list
    }

    /// Writes the decision into request headers. `set` sets one header and returns whether it did.
    pub fn write(&self, mut set: impl FnMut(&str, &str) -> bool) -> Steered {
        let output = self.output;
        let (mut worked, mut passed) = (true, None);
        let mut set = |name: &str, value: &str| worked &= set(name, value);
        match output.mode {
            OutputMode::SubsetHeaders => {
                // Without a chain, the proxy chooses the host, and its own fallback policy applies.
                if self.decision.host.is_none() && !self.snapshot.chain().is_empty() {
                    return Steered::NoHost;
                }
                let Some(headers) = subset_headers(self) else {
                    return Steered::NoHost;
                };
                for (header, value) in headers {
                    set(header, &value);
                }
            }
            mode @ (OutputMode::OverrideHost | OutputMode::StatefulSession) => {
                let most = match mode {
                    OutputMode::StatefulSession => 1,
                    _ => self.most_hosts,
                };
                let hosts = self.first_hosts(most);
                let Some(first) = hosts.first() else {
                    return Steered::NoHost;
                };
                match mode {
                    OutputMode::StatefulSession => {
                        set(
                            &output.host_header,
                            &Base64::STANDARD.encode_padded(first.address.as_bytes()),
                        );
                        passed = self.is_watched.then(|| PassedHosts::suggested(first));
                    }
                    _ => {
                        let list = Self::host_list(&hosts);
                        set(&output.host_header, &list);
                        passed = self.is_watched.then(|| PassedHosts::listed(list));
                    }
                }
            }
        }
        match self.next_owner() {
            None => set(&output.cluster_header, self.owner()),
            // The name of a composite cluster of both.
            Some(next) => {
                let mut both = String::from(self.owner());
                both.push(',');
                both.push_str(next);
                set(&output.cluster_header, &both);
            }
        }
        if worked {
            Steered::Done(passed)
        } else {
            Steered::Failed
        }
    }
}

/// The criteria of the step that serves, each in the header of its key; without a chain, all
/// criteria of the request. `None` if no header can express one of them, or if its key has no
/// header, as a key of a route can: without it, the proxy would choose among more hosts than the
/// request may use.
fn subset_headers<'a>(choice: &SteeringChoice<'a>) -> Option<Vec<(&'a str, String)>> {
    let step = choice.decision.subset.and_then(|subset| subset.step());
    let step = step.and_then(|step| choice.snapshot.chain().get(step));
    let of_request = choice.criteria.fields().iter();
    let required: Vec<&Field> = match step.map(|step| &step.hosts) {
        None => of_request.collect(),
        Some(ChainHosts::Keys(keys)) => of_request
            .filter(|field| keys.contains(&field.key))
            .collect(),
        Some(ChainHosts::Match(wanted)) => wanted.fields().iter().collect(),
        Some(ChainHosts::Any) => Vec::new(),
    };
    let mut headers = Vec::with_capacity(required.len());
    for Field { key, value } in required {
        let mut known = choice.output.subset_headers.iter();
        let (_, header) = known.find(|(have, _)| have == key)?;
        headers.push((header.as_str(), text(value)?));
    }
    Some(headers)
}

/// A value as `header_to_metadata` reads it; `None` if it has no text form that the filter of Envoy
/// accepts: it drops empty and long values, and then selects hosts without the key.
fn text(value: &Value) -> Option<String> {
    /// `MAX_HEADER_VALUE_LEN` of `header_to_metadata`: it drops values of this size, in bytes.
    const TOO_LONG: usize = 8 * 1024;
    match value {
        Value::Text(text) => {
            let fits = (1..TOO_LONG).contains(&text.len());
            let is_legal = fits && !text.bytes().any(|byte| byte.is_ascii_control());
            is_legal.then(|| text.as_ref().to_owned())
        }
        Value::Bool(truth) => Some(truth.to_string()),
        // The cast saturates and truncates, so only whole numbers in range survive it.
        Value::Number(number) if (*number as i64) as f64 == *number => {
            Some((*number as i64).to_string())
        }
        Value::Null | Value::Number(_) | Value::List(_) | Value::Struct(_) => None,
    }
}
