//! The attempts and failures of requests between two changes: core's exact shares for each attempt.

use alloc::{collections::BTreeMap, vec, vec::Vec};
use core::time::Duration;

use spillgate_core::{
    decide::Request,
    route::{HeaderList, RetryPolicy},
    shares::{Distribution, Share},
    snapshot::{ClusterId, HostRef},
};
use spillgate_sim::Scene;

use super::{
    Admission, Cast, FailureKind, Outlook, RetryLimits, SlowStartHosts, WorkerView,
    breaker::refused_part,
    states::{RetryState, RetryStates, depends_on_tried},
};

/// The most failing hosts that are followed one by one.
const MOST_APART: usize = 48;
/// Smaller parts of the requests are not followed.
const NEGLIGIBLE: f64 = 1e-12;
/// The steps in which the part of refused retries is found.
const STEPS: u32 = 40;

/// The cluster that requests ask for, and what their route decides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestSettings<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) retry: &'a RetryPolicy,
    /// How many retries are possible at the same time; `None` for any number.
    pub(crate) retry_limits: Option<RetryLimits>,
    /// The timeout of a request with its retries.
    pub(crate) timeout: Option<Duration>,
    /// Whether requests have a hash.
    pub(crate) has_hash: bool,
}

/// What decides a flow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlowInput<'a> {
    pub(crate) requests: &'a RequestSettings<'a>,
    pub(crate) view: &'a WorkerView,
    pub(crate) slow_start: &'a SlowStartHosts,
    pub(crate) cast: &'a Cast,
    /// By number of the host.
    pub(crate) outlooks: &'a [Outlook],
    /// The time of answers of hosts that do not answer late.
    pub(crate) service_time: Duration,
    /// Requests per second.
    pub(crate) rps: f64,
    /// What the circuit breakers of clusters admit; all of it without an entry.
    pub(crate) admitted: &'a BTreeMap<ClusterId, Admission>,
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
    /// Requests that a circuit breaker refuses in some attempt.
    pub(crate) refused: f64,
    /// Requests that fail because too many retries are active.
    pub(crate) retries_refused: f64,
    /// Attempts by their cluster and the time that they take.
    pub(crate) taken: BTreeMap<(ClusterId, Duration), f64>,
    /// The time of the first, second, ... retries with their waits, in seconds for each request.
    retry_seconds: Vec<f64>,
}

/// The distributions of a flow, by tried hosts.
#[derive(Debug, Default)]
struct Distributions {
    known: BTreeMap<Vec<HostRef>, Distribution>,
}

impl Flow {
    pub(crate) fn new(input: &FlowInput<'_>) -> Self {
        let mut known = Distributions::default();
        let flow = Self::with_refused(input, &mut known, 0.0);
        let Some(limits) = input.requests.retry_limits.filter(|_| flow.retried > 0.0) else {
            return flow;
        };
        let places = limits.places(input.rps * flow.active_seconds());
        // A retry that is refused has no further ones: of the n-th ones, the n-th power of the admitted part is left.
        let refused = |part: f64| {
            let mut seconds = 0.0;
            for own in flow.retry_seconds.iter().rev() {
                seconds = own + seconds * (1.0 - part);
            }
            refused_part(input.rps * seconds, places)
        };
        let (mut least, mut most) = (0.0, refused(0.0));
        if most < NEGLIGIBLE {
            return flow;
        }
        for _ in 0..STEPS {
            let middle = f64::midpoint(least, most);
            if refused(middle) > middle {
                least = middle;
            } else {
                most = middle;
            }
        }
        Self::with_refused(input, &mut known, most)
    }

    /// The flow if this part of the retries is refused.
    fn with_refused(input: &FlowInput<'_>, known: &mut Distributions, refused: f64) -> Self {
        let mut flow = Self {
            attempts: vec![0.0; input.cast.len()],
            ..Self::default()
        };
        let depends = input.keeps_hosts() || depends_on_tried(input.requests.retry);
        let classes = if depends {
            input.classes(known.of(input, &[]))
        } else {
            Vec::new()
        };
        let mut states = vec![RetryState::first()];
        for attempt in 0..=input.requests.retry.retries {
            let mut next = RetryStates::default();
            for state in &states {
                let tried = if depends { &*state.tried } else { &[] };
                let found = known.of(input, tried);
                flow.attempt(input, state, attempt, found, (&classes, depends), &mut next);
            }
            states = next.into_states().collect();
            for state in &mut states {
                flow.retries_refused += state.part * refused;
                flow.failed += state.part * refused;
                state.part *= 1.0 - refused;
            }
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

    /// The time of all attempts, in seconds for each request.
    fn active_seconds(&self) -> f64 {
        let taken = self.taken.iter();
        taken
            .map(|((_, time), part)| time.as_secs_f64() * part)
            .sum()
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
        if let Some(retry) = attempt.checked_sub(1) {
            self.retried += state.part;
            // Waits are random times below their interval.
            let interval = input.retry_interval(retry);
            self.add_seconds(retry, state.part * interval.as_secs_f64() / 2.0);
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
            let outlook = input
                .outlooks
                .get(number)
                .copied()
                .unwrap_or(Outlook::WORKS);
            let asked = state.part * share.share / 100.0;
            let part = asked * input.admits(number, &outlook);
            // Envoy does not retry refused requests.
            self.refused += asked - part;
            self.failed += asked - part;
            failing += asked - part;
            if let Some(attempts) = self.attempts.get_mut(number) {
                *attempts += part;
            }
            self.take(input, state, number, &outlook, part, attempt);
            let late = input.is_over(state, outlook.answers_after);
            let fails = part * if late { 1.0 } else { outlook.fails };
            if fails < NEGLIGIBLE {
                continue;
            }
            failing += fails;
            let after = outlook.kind.after();
            let is_retried =
                outlook.kind.is_retried(input.requests.retry) && !input.is_over(state, after);
            let retried = if is_retried && attempt < input.requests.retry.retries {
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

    /// Adds the time of attempts at a host.
    fn take(
        &mut self,
        input: &FlowInput<'_>,
        state: &RetryState,
        number: usize,
        outlook: &Outlook,
        part: f64,
        attempt: u32,
    ) {
        let mut time = outlook.takes(input.service_time);
        if let Some(timeout) = input.requests.timeout {
            time = time.min(timeout.saturating_sub(state.elapsed));
        }
        let Some(host) = input.cast.hosts().get(number).filter(|_| !time.is_zero()) else {
            return;
        };
        *self.taken.entry((host.at.cluster, time)).or_default() += part;
        if let Some(retry) = attempt.checked_sub(1) {
            self.add_seconds(retry, part * time.as_secs_f64());
        }
    }

    /// Adds time of a retry, counted from 0.
    fn add_seconds(&mut self, retry: u32, seconds: f64) {
        let retry = retry as usize;
        if self.retry_seconds.len() <= retry {
            self.retry_seconds.resize(retry + 1, 0.0);
        }
        if let Some(of) = self.retry_seconds.get_mut(retry) {
            *of += seconds;
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
    outlook: (u64, FailureKind),
}

impl Distributions {
    /// The hosts of an attempt after attempts at these hosts.
    fn of(&mut self, input: &FlowInput<'_>, tried: &[HostRef]) -> &Distribution {
        let entry = self.known.entry(tried.to_vec());
        entry.or_insert_with(|| input.distribution(tried))
    }
}

/// One host for all requests.
fn only(at: HostRef) -> Distribution {
    Distribution {
        no_host: 0.0,
        shares: vec![Share {
            owner: at.cluster,
            priority: at.priority,
            host: at.host,
            share: 100.0,
        }],
    }
}

impl FlowInput<'_> {
    /// The interval below which a retry waits, counted from 0.
    fn retry_interval(&self, retry: u32) -> Duration {
        let limits = self.requests.retry_limits.as_ref();
        limits.map_or(Duration::ZERO, |limits| limits.back_off.interval(retry))
    }

    /// The part of the attempts at a host that circuit breakers admit.
    fn admits(&self, number: usize, outlook: &Outlook) -> f64 {
        let host = self.cast.hosts().get(number);
        let admitted = host.and_then(|host| self.admitted.get(&host.at.cluster));
        match admitted {
            None => 1.0,
            Some(admitted) if outlook.is_late() => admitted.late,
            Some(admitted) => admitted.all,
        }
    }

    /// The hosts of an attempt after attempts at these hosts.
    fn distribution(&self, tried: &[HostRef]) -> Distribution {
        let snapshot = self.view.snapshot();
        if let Some(last) = tried
            .last()
            .filter(|at| self.keeps_hosts() && self.hashes(at.cluster))
        {
            return only(*last);
        }
        let headers = HeaderList::<&str, &str>(&[]);
        let scene = self.requests.scene;
        let request = Request {
            criteria: scene.criteria(),
            retry: self.requests.retry,
            tried,
            hosts: self.slow_start,
            ..Request::new(scene.cluster(), &headers)
        };
        snapshot.distribution_of(&request, None)
    }

    /// Whether retries can go to the host of the attempt before: the hash of a request chooses the same host unless the
    /// retry avoids it.
    fn keeps_hosts(&self) -> bool {
        let mut hosts = self.cast.hosts().iter();
        self.requests.has_hash
            && !depends_on_tried(self.requests.retry)
            && hosts.any(|host| self.hashes(host.at.cluster))
    }

    /// Whether the hash of a request chooses the host of a cluster.
    fn hashes(&self, cluster: ClusterId) -> bool {
        let plain = self.view.snapshot().plain(cluster);
        plain.is_some_and(|plain| plain.settings.policy.hashes())
    }

    /// Whether the timeout of the request ends an attempt that takes this long.
    fn is_over(&self, state: &RetryState, attempt: Duration) -> bool {
        // The outlook of an attempt has the timeout of a request without earlier ones.
        !state.elapsed.is_zero()
            && self
                .requests
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
