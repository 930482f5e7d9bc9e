//! The probability that the request succeeds while some hosts refuse connections (`--failed`).

use std::collections::BTreeSet;

use spillgate_config::{
    Diagnostic,
    envoy::{Marks, RetryLimit, RouteMarks, limited, retry_limits},
    node::Writer,
};
use spillgate_core::route::{
    HeaderList, Headers as _, RETRY_HEADERS, RetryCap, RetryPolicy, RouteOutcome,
};

use super::routing::{AskedKind, AskedRequest};
use crate::{
    input::Faults,
    pick::{Answerer, Success, SuccessFault, connection_success, success},
};

/// The answer to `--failed`.
#[derive(Debug)]
pub struct SuccessStory {
    /// The hosts that refuse connections.
    pub failed: BTreeSet<String>,
    /// The probabilities.
    pub success: Success,
    /// The limits on retries at the same time, by the cluster of the route.
    pub limits: Vec<(String, RetryLimit)>,
    /// A timeout that can end the retries.
    time: Option<Box<Diagnostic>>,
}

/// The header with which a request changes its timeout.
const TIMEOUT_HEADER: &str = "x-envoy-upstream-rq-timeout-ms";

/// The answer for a request whose connections to the `failed` hosts fail; `mark` is that of its route.
///
/// # Errors
/// If it depends on a setting that is not modeled, or on too many combinations.
pub fn success_of(
    asked: &AskedRequest<'_>,
    marks: &Marks,
    failed: BTreeSet<String>,
    mark: Option<&RouteMarks>,
) -> Result<SuccessStory, Faults> {
    let fault = |fault| Faults::one("--failed", &diagnostic(fault));
    let mut answerer = Answerer::new(asked.snapshot, asked.routes)
        .at(asked.now)
        .without_hosts_of(asked.unknown.clone());
    match asked.kind {
        AskedKind::Request | AskedKind::Direct => {}
        AskedKind::Connection => {
            let attempts = mark.map_or(1, |mark| mark.connect_attempts);
            let success = connection_success(&mut answerer, asked.request, attempts, &failed);
            return Ok(SuccessStory {
                failed,
                success: success.map_err(fault)?,
                limits: Vec::new(),
                time: None,
            });
        }
        _ => {
            let what = "a filter other than http_connection_manager and tcp_proxy";
            return Err(fault(SuccessFault::NotModeled(what)));
        }
    }
    let (policy, clusters) = retries_of(asked).map_err(fault)?;
    let high = mark.is_some_and(|mark| mark.is_high_priority);
    let limits = retry_limits(marks, clusters, high);
    let policy = limited(&policy, &limits);
    let success = success(&mut answerer, asked.request, &policy, &failed).map_err(fault)?;
    let time = mark.and_then(|mark| mark.retry_time.limit.clone());
    Ok(SuccessStory {
        time: time.filter(|_| success.is_retried()),
        failed,
        success,
        limits,
    })
}

/// The retry policy of a request, and the clusters that its route names.
fn retries_of(asked: &AskedRequest<'_>) -> Result<(RetryPolicy, Vec<String>), SuccessFault> {
    let request = asked.request;
    let headers = HeaderList(&request.headers);
    let received = asked.routes.receive(&headers, request.connection(&[]));
    let alternatives = asked.routes.alternatives(&received);
    if alternatives.len() > 1 {
        return Err(SuccessFault::NotModeled("runtime_fraction"));
    }
    let outcome = alternatives.into_iter().next().map(|one| one.outcome);
    let Some(RouteOutcome::Forward(routed)) = outcome else {
        return Ok((RetryPolicy::NONE, Vec::new()));
    };
    let (mut clusters, mut retried) = (Vec::new(), Vec::new());
    let mut policy = routed.retry().clone();
    for destination in routed.destinations() {
        let headers = routed.headers(&destination);
        let mut names = RETRY_HEADERS.into_iter();
        if let Some(name) = names.find(|name| headers.first(name).is_some()) {
            return Err(SuccessFault::NotModeled(name));
        }
        retried.push(policy.retries_request(&headers));
        if policy.retries > 0 && headers.first(TIMEOUT_HEADER).is_some() {
            return Err(SuccessFault::NotModeled(TIMEOUT_HEADER));
        }
        if let Some(name) = destination.cluster
            && !clusters.iter().any(|known| known == name)
        {
            clusters.push(name.to_owned());
        }
    }
    if retried.contains(&true) && retried.contains(&false) {
        let what = "retriable_request_headers that a weighted cluster changes";
        return Err(SuccessFault::NotModeled(what));
    }
    if retried.contains(&false) {
        policy.retries = 0;
    }
    Ok((policy, clusters))
}

/// Why there is no answer.
fn diagnostic(fault: SuccessFault) -> Diagnostic {
    match fault {
        SuccessFault::NotModeled(what) => Diagnostic::error(
            "failed/not-modeled",
            "the request depends on a setting that is not modeled",
        )
        .found(what),
        SuccessFault::Unstated(why) => {
            Diagnostic::error("failed/unstated", format!("the answer is not known: {why}"))
                .expected("--source, or the cookie")
        }
        SuccessFault::TooMany => {
            Diagnostic::error("failed/too-many", "too many combinations of failed hosts")
                .expected("fewer failed hosts, or fewer retries")
        }
    }
}

impl SuccessStory {
    /// The setting that is not modeled and can lower the probability.
    #[must_use]
    pub fn limit(&self) -> Option<&Diagnostic> {
        self.time.as_deref()
    }

    /// The answer as the JSON key `success`, with probabilities in 1/10000.
    pub(super) fn write(&self, w: &mut Writer) {
        let parts = |probability: f64| (probability * 10_000.0).round() as u64;
        w.key("success");
        w.begin_object();
        w.key("failed");
        w.begin_list();
        for host in &self.failed {
            w.string(host);
        }
        w.end_list();
        w.key("retries");
        w.uint(self.success.retries.into());
        w.key("attempts");
        w.begin_list();
        for attempt in &self.success.attempts {
            w.begin_object();
            w.key("made");
            w.uint(parts(attempt.made));
            w.key("succeeds");
            w.uint(parts(attempt.succeeds));
            w.key("no_host");
            w.uint(parts(attempt.no_host));
            w.end_object();
        }
        w.end_list();
        w.key("total");
        w.uint(parts(self.success.total()));
        w.key("at_worst");
        w.uint(parts(self.success.at_worst()));
        if let Some(caveat) = self.success.caveat() {
            w.key("caveat");
            w.string(&caveat);
        }
        w.key("limits");
        w.begin_list();
        for (cluster, limit) in &self.limits {
            w.begin_object();
            w.key("cluster");
            w.string(cluster);
            match limit.cap {
                RetryCap::Most(most) => {
                    w.key("max_retries");
                    w.uint(most.into());
                }
                RetryCap::Budget { percent, least } => {
                    w.key("retry_budget_percent");
                    w.uint(percent.round() as u64);
                    w.key("min_retry_concurrency");
                    w.uint(least.into());
                }
            }
            w.end_object();
        }
        w.end_list();
        w.end_object();
    }
}
