//! The attempts and failures of requests between two changes: core's exact shares for each attempt.

use alloc::{collections::BTreeMap, vec, vec::Vec};
use core::time::Duration;

use spillgate_core::{
    decide::Request,
    model::Metadata,
    route::{HeaderList, RetryPolicy},
    shares::Distribution,
    snapshot::{ClusterId, HostRef},
};

use super::{
    Cast, Outlook, WorkerView,
    states::{RetryState, RetryStates, depends_on_tried},
};

/// The most failing hosts that are followed one by one.
const MOST_APART: usize = 48;
/// Smaller parts of the requests are not followed.
const NEGLIGIBLE: f64 = 1e-12;

/// What decides a flow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlowInput<'a> {
    pub(crate) view: &'a WorkerView,
    pub(crate) cast: &'a Cast,
    pub(crate) cluster: ClusterId,
    pub(crate) criteria: &'a Metadata,
    pub(crate) retry: &'a RetryPolicy,
    /// The timeout of a request with its retries.
    pub(crate) timeout: Option<Duration>,
    /// By number of the host.
    pub(crate) outlooks: &'a [Outlook],
}

/// Attempts and failures as parts of the requests.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Flow {
    /// Attempts at each host, by number; first attempts and retries.
    pub(crate) attempts: Vec<f64>,
    /// Requests that fail, also those without a host.
    pub(crate) failed: f64,
    /// Requests whose first attempt fails: those that would fail without retries.
    pub(crate) failed_first: f64,
    /// Requests without a host in some attempt.
    pub(crate) no_host: f64,
    /// Retries.
    pub(crate) retried: f64,
}

impl Flow {
    pub(crate) fn new(input: &FlowInput<'_>) -> Self {
        let mut flow = Self {
            attempts: vec![0.0; input.cast.len()],
            ..Self::default()
        };
        let first = input.distribution(&[]);
        let depends = depends_on_tried(input.retry);
        let classes = if depends {
            input.classes(&first)
        } else {
            Vec::new()
        };
        let mut states = vec![RetryState::first()];
        for attempt in 0..=input.retry.retries {
            let mut next = RetryStates::default();
            for state in &states {
                let own = (attempt > 0 && depends).then(|| input.distribution(&state.tried));
                let found = own.as_ref().unwrap_or(&first);
                flow.attempt(input, state, attempt, found, (&classes, depends), &mut next);
            }
            states = next.into_states().collect();
            if states.is_empty() {
                break;
            }
        }
        if depends {
            flow.equalize(&classes);
        }
        flow
    }

    /// The clusters that get requests.
    pub(crate) fn used<'c>(&'c self, cast: &'c Cast) -> impl Iterator<Item = ClusterId> + 'c {
        let hosts = cast.hosts().iter().zip(&self.attempts);
        let used = hosts.filter(|(_, part)| **part > 0.0);
        used.map(|(host, _)| host.at.cluster)
    }

    /// Adds one attempt of the requests of a state.
    fn attempt(
        &mut self,
        input: &FlowInput<'_>,
        state: &RetryState,
        attempt: u32,
        found: &Distribution,
        (classes, depends): (&[usize], bool),
        next: &mut RetryStates,
    ) {
        if attempt > 0 {
            self.retried += state.part;
        }
        let no_host = state.part * found.no_host / 100.0;
        self.no_host += no_host;
        self.failed += no_host;
        let mut failing = no_host;
        for share in &found.shares {
            let at = share.host_ref();
            let Some(number) = input.view.number(at, input.cast) else {
                continue;
            };
            let part = state.part * share.share / 100.0;
            if let Some(attempts) = self.attempts.get_mut(number) {
                *attempts += part;
            }
            let outlook = input
                .outlooks
                .get(number)
                .copied()
                .unwrap_or(Outlook::WORKS);
            let late = input.is_over(state, outlook.answers_after);
            let fails = part * if late { 1.0 } else { outlook.fails };
            if fails < NEGLIGIBLE {
                continue;
            }
            failing += fails;
            let after = outlook.kind.after();
            let is_retried = outlook.kind.is_retried(input.retry) && !input.is_over(state, after);
            let retried = if is_retried && attempt < input.retry.retries {
                part * outlook.fails
            } else {
                0.0
            };
            self.failed += fails - retried;
            if retried >= NEGLIGIBLE {
                let class = classes.get(number).copied().unwrap_or_default();
                next.add(state, (class, at, after), retried, depends);
            }
        }
        if attempt == 0 {
            self.failed_first = failing;
        }
    }

    /// Equal hosts get equal parts: one of a class was followed in place of each.
    fn equalize(&mut self, classes: &[usize]) {
        let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (class, attempts) in classes.iter().zip(&self.attempts) {
            let sum = sums.entry(*class).or_default();
            sum.0 += attempts;
            sum.1 += 1.0;
        }
        for (class, attempts) in classes.iter().zip(&mut self.attempts) {
            if let Some((sum, count)) = sums.get(class) {
                *attempts = sum / count;
            }
        }
    }
}

/// What two equal hosts have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ClassKey {
    cluster: ClusterId,
    priority: usize,
    locality: usize,
    weight: u32,
    /// In 10^-9 percent.
    share: u64,
    outlook: (u64, super::FailureKind),
}

impl FlowInput<'_> {
    /// The hosts of an attempt after attempts at these hosts.
    fn distribution(&self, tried: &[HostRef]) -> Distribution {
        let snapshot = self.view.snapshot();
        let headers = HeaderList::<&str, &str>(&[]);
        let request = Request {
            criteria: self.criteria,
            retry: self.retry,
            tried,
            ..Request::new(self.cluster, &headers)
        };
        snapshot.distribution_of(&request, None)
    }

    /// Whether the timeout of the request ends an attempt that takes this long.
    fn is_over(&self, state: &RetryState, attempt: Duration) -> bool {
        // The outlook of an attempt has the timeout of a request without earlier ones.
        !state.elapsed.is_zero()
            && self
                .timeout
                .is_some_and(|timeout| state.elapsed.saturating_add(attempt) >= timeout)
    }

    /// The class of each host, by number. Which hosts a policy chooses after one depends on its place, so each failing
    /// host is one of its own unless there are many: then the place decides little.
    fn classes(&self, first: &Distribution) -> Vec<usize> {
        let failing = self.outlooks.iter().filter(|outlook| outlook.fails > 0.0);
        if failing.count() <= MOST_APART {
            return (0..self.cast.len()).collect();
        }
        let mut shares = vec![0.0_f64; self.cast.len()];
        for share in &first.shares {
            let number = self.view.number(share.host_ref(), self.cast);
            if let Some(known) = number.and_then(|number| shares.get_mut(number)) {
                *known = share.share;
            }
        }
        let mut known: BTreeMap<ClassKey, usize> = BTreeMap::new();
        let hosts = self.cast.hosts().iter().zip(shares).zip(self.outlooks);
        let classes = hosts.map(|((host, share), outlook)| {
            let key = ClassKey {
                cluster: host.at.cluster,
                priority: host.at.priority,
                locality: host.locality,
                weight: host.weight,
                // Shares of equal hosts differ by rounding.
                share: libm::round(share * 1e9) as u64,
                outlook: (outlook.fails.to_bits(), outlook.kind),
            };
            let next = known.len();
            *known.entry(key).or_insert(next)
        });
        classes.collect()
    }
}
