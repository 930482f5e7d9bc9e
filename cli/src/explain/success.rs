//! The probability that the request succeeds while some hosts refuse connections (`--failed`).

use std::collections::BTreeSet;

use spillgate_answers::{
    input::Faults,
    pick::{Answerer, Success, SuccessFault, connection_success, success},
};
use spillgate_config::{
    Diagnostic, Position,
    envoy::{RetryCap, RetryLimit, RouteMarks},
    node::Writer,
};
use spillgate_core::route::{HeaderList, Headers as _, RETRY_HEADERS, RetryPolicy, RouteOutcome};

use super::routing::{Asked, AskedKind};
use crate::{
    config::Config,
    failed::{failed_hosts, limited, retry_limits},
};

/// The answer to `--failed`.
#[derive(Debug)]
pub(super) struct SuccessStory {
    /// The hosts that refuse connections.
    failed: BTreeSet<String>,
    success: Success,
    /// The limits on retries at the same time, by the cluster of the route.
    limits: Vec<(String, RetryLimit)>,
    /// A timeout that can end the retries.
    time: Option<Box<Diagnostic>>,
}

/// The header with which a request changes its timeout.
const TIMEOUT_HEADER: &str = "x-envoy-upstream-rq-timeout-ms";

/// The answer for a request; `mark` is that of its route.
pub(super) fn success_of(
    asked: &Asked<'_>,
    config: &Config,
    failed: &[String],
    mark: Option<&RouteMarks>,
) -> Result<SuccessStory, Faults> {
    let fault = |fault| Faults::one("--failed", &diagnostic(fault));
    let failed = failed_hosts(&config.envoy.model, failed)?;
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
    let limits = retry_limits(&config.envoy.marks, clusters, high);
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
fn retries_of(asked: &Asked<'_>) -> Result<(RetryPolicy, Vec<String>), SuccessFault> {
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
pub(crate) fn diagnostic(fault: SuccessFault) -> Diagnostic {
    match fault {
        SuccessFault::NotModeled(what) => Diagnostic::error(
            "failed/not-modelled",
            "the request depends on a setting that is not modeled",
        )
        .found(what),
        SuccessFault::TooMany => {
            Diagnostic::error("failed/too-many", "too many combinations of failed hosts")
                .expected("fewer failed hosts, or fewer retries")
        }
    }
}

impl SuccessStory {
    /// The setting that is not modeled and can lower the probability.
    pub(super) fn limit(&self) -> Option<&Diagnostic> {
        self.time.as_deref()
    }

    /// The answer as text; `place` names a position.
    pub(super) fn text(&self, place: &dyn Fn(Position) -> String) -> String {
        const SHOWN: usize = 5;
        let hosts: Vec<&str> = self.failed.iter().map(String::as_str).take(SHOWN).collect();
        let more = match self.failed.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let verb = if self.failed.len() == 1 {
            "refuses"
        } else {
            "refuse"
        };
        let mut text = format!(
            "Success while {}{more} {verb} connections:\n",
            hosts.join(", ")
        );
        for (number, attempt) in self.success.attempts.iter().enumerate() {
            text.push_str(&format!(
                "{:>8.2} %  attempt {number}",
                attempt.succeeds * 100.0
            ));
            if number > 0 {
                text.push_str(&format!(", which {:.2} % make", attempt.made * 100.0));
            }
            text.push('\n');
        }
        let total = self.success.total();
        let retries = match self.success.retries {
            0 => "without retries".to_owned(),
            1 => "after 1 retry".to_owned(),
            more => format!("after up to {more} retries"),
        };
        text.push_str(&format!(
            "{:>8.2} %  in total; {:.2} % fail {retries}\n",
            total * 100.0,
            // Rounding can make it negative.
            ((1.0 - total) * 100.0).max(0.0)
        ));
        if self.success.retries > 0 && !self.success.of_connection {
            text.push_str(&format!(
                "{:>8.2} %  at worst: requests above the limit are not retried\n",
                self.success.at_worst() * 100.0
            ));
            for (cluster, limit) in &self.limits {
                let place = match limit.position {
                    Some(at) => place(at),
                    None => "default".into(),
                };
                let cap = match limit.cap {
                    RetryCap::Most(most) => format!("max_retries {most}"),
                    RetryCap::Budget { percent, least } => {
                        format!("retry_budget {percent} % of the active requests, at least {least}")
                    }
                };
                text.push_str(&format!(
                    "            {cluster}: {cap} at the same time  {place}\n"
                ));
            }
        }
        text
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
