//! The attempts and failures of requests between two changes: core's exact shares for each attempt.

use alloc::{collections::BTreeMap, vec, vec::Vec};
use core::time::Duration;

use spillgate_core::{
    shares::Distribution,
    snapshot::{ClusterId, HostRef},
};

use super::{
    Cast, FlowInput, Outlook, SessionEnds, SessionParts,
    breaker::refused_part,
    states::{RetryState, RetryStates, depends_on_tried},
};

/// Smaller parts of the requests are not followed.
const NEGLIGIBLE: f64 = 1e-12;
/// The steps in which the part of refused retries is found.
const STEPS: u32 = 40;

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
    /// Where sessions are after their requests; empty without sessions.
    pub(crate) sessions: SessionEnds,
    /// The time of the first, second, ... retries with their waits, in seconds for each request.
    retry_seconds: Vec<f64>,
}

/// The distributions of a flow, by tried hosts.
#[derive(Debug, Default)]
struct Distributions {
    known: BTreeMap<Vec<HostRef>, Distribution>,
}

/// How the attempts of requests are followed.
#[derive(Clone, Copy)]
struct Following<'c> {
    /// The class of each host, by number; empty if retries do not depend on tried hosts.
    classes: &'c [usize],
    depends: bool,
    /// The part of retries that is refused.
    refused: f64,
    /// Whether the attempts are first ones that go to the host of their session.
    are_kept: bool,
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
        let hosts = input.cast.len();
        let sessions = input.sessions.map(|_| SessionEnds::new(hosts));
        let mut flow = Self {
            attempts: vec![0.0; hosts],
            sessions: sessions.unwrap_or_default(),
            ..Self::default()
        };
        let depends = input.keeps_hosts() || depends_on_tried(input.requests.retry);
        let classes = if depends {
            input.classes(known.of(input, &[]))
        } else {
            Vec::new()
        };
        let following = Following {
            classes: &classes,
            depends,
            refused,
            are_kept: false,
        };
        let balanced = input.sessions.map_or(1.0, SessionParts::balanced);
        let mut states = vec![RetryState::first(balanced)];
        for attempt in 0..=input.requests.retry.retries {
            let mut next = RetryStates::default();
            for state in &states {
                let tried = if depends { &*state.tried } else { &[] };
                let found = known.of(input, tried);
                flow.attempt(input, state, attempt, found, following, &mut next);
            }
            if let Some(sessions) = input.sessions.filter(|_| attempt == 0) {
                let kept = sessions.kept_distribution(input.view);
                let following = Following {
                    are_kept: true,
                    ..following
                };
                let all = RetryState::first(1.0);
                flow.attempt(input, &all, attempt, &kept, following, &mut next);
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
        if let Some(sessions) = input.sessions {
            flow.sessions.finish(sessions, depends);
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
        following: Following<'_>,
        next: &mut RetryStates,
    ) {
        let Following {
            classes,
            depends,
            refused,
            are_kept,
        } = following;
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
            let after = outlook.kind.after();
            let is_retried =
                outlook.kind.is_retried(input.requests.retry) && !input.is_over(state, after);
            let retried = if is_retried && attempt < input.requests.retry.retries {
                part * outlook.fails
            } else {
                0.0
            };
            if input.sessions.is_some() {
                let again = retried * (1.0 - refused);
                let first = state.tried.first().filter(|_| depends);
                let returns = first == Some(&at);
                let ends = (asked - again, again);
                if attempt == 0 {
                    self.sessions.add_first(number, ends, are_kept);
                } else {
                    self.sessions.add_later(number, ends.0, returns);
                }
            }
            if fails < NEGLIGIBLE {
                continue;
            }
            failing += fails;
            self.failed += fails - retried;
            if retried >= NEGLIGIBLE {
                let class = classes.get(number).copied().unwrap_or_default();
                next.add(state, (class, at, after), retried, depends);
            }
        }
        if attempt == 0 {
            self.failed_first += failing;
            if !are_kept {
                self.sessions.without_host = no_host;
            }
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

impl Distributions {
    /// The hosts of an attempt after attempts at these hosts.
    fn of(&mut self, input: &FlowInput<'_>, tried: &[HostRef]) -> &Distribution {
        let entry = self.known.entry(tried.to_vec());
        entry.or_insert_with(|| input.distribution(tried))
    }
}
