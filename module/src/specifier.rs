//! The cluster specifier: it routes a request to the cluster that the filter chose.
//!
//! The filter leaves the name in the dynamic metadata of the request. No client can set these, and they
//! belong to one request, however often Envoy asks. While the filter itself makes Envoy ask, the answer is in
//! a value of the thread, which costs less to read.
//!
//! A value of the thread alone could be read by another request, if its own request ended before
//! Envoy asked. Before Envoy 1.40, which has no such specifiers, the filter writes the cluster
//! header and lets Envoy choose the route again.

use std::cell::RefCell;

use crate::{
    abi::SpecifierHandle,
    names::{CLUSTER, NAMESPACE, NEXT_CLUSTER},
};

thread_local! {
    /// The answer while the filter makes Envoy ask; otherwise empty.
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs `ask`, which makes Envoy ask for the cluster of a request. The answer is `cluster`.
pub(crate) fn answering(cluster: &str, ask: impl FnOnce()) {
    ANSWER.with_borrow_mut(|answer| answer.push_str(cluster));
    ask();
    ANSWER.with_borrow_mut(String::clear);
}

/// The configuration of a route: the cluster of requests that the filter has not decided.
pub(crate) struct Specifier {
    otherwise: Vec<u8>,
}

impl Specifier {
    /// The configuration is the name of a cluster.
    pub(crate) fn new(config: &[u8]) -> Self {
        Self {
            otherwise: config.to_vec(),
        }
    }

    /// Answers with the cluster of a request. Returns whether there is one.
    pub(crate) fn select(&self, envoy: &SpecifierHandle<'_>) -> bool {
        ANSWER.with_borrow(|answer| {
            if !answer.is_empty() {
                return envoy.answer(answer.as_bytes());
            }
            let chosen = envoy
                .metadata(NAMESPACE, CLUSTER)
                .map(|first| next_cluster(envoy).unwrap_or(first));
            let cluster = chosen.unwrap_or(&self.otherwise);
            !cluster.is_empty() && envoy.answer(cluster)
        })
    }
}

/// The cluster of a later attempt; `None` for the attempts in the first one. Envoy asks again for a retry
/// with `refresh_cluster_on_retry`.
fn next_cluster<'h>(envoy: &'h SpecifierHandle<'_>) -> Option<&'h [u8]> {
    let attempt = envoy.attempt().filter(|attempt| *attempt > 1)?;
    let next = envoy.metadata(NAMESPACE, NEXT_CLUSTER)?;
    let space = next.iter().position(|byte| *byte == b' ')?;
    let (attempts, name) = next.split_at_checked(space)?;
    let attempts: u64 = core::str::from_utf8(attempts).ok()?.parse().ok()?;
    let name = name.get(1..)?;
    (attempt > attempts).then_some(name)
}
