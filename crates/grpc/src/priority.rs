//! The policy that chooses the priority, or the leaf of an aggregate (A56).
//!
//! Its input is events, its output is actions. The caller creates, uses and destroys the children, and
//! calls [`PriorityPolicy::advance`] no later than [`PriorityPolicy::due`].

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::Connectivity;

/// The effect of an expired failover timer on its child, which differs between gRPC implementations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailoverReading {
    /// A56, Java: the child stays CONNECTING and is used if no other child is better.
    #[default]
    A56,
    /// C-core: the child counts as failed until it reports another state.
    CCore,
}

/// The settings of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrioritySettings {
    /// The time that a child has to connect before the next one is tried, in ms
    /// (`grpc.priority_failover_timeout_ms`).
    pub failover_ms: u64,
    /// The time that an unneeded child is kept, in ms.
    pub retention_ms: u64,
    /// Whether children that are removed from the list are kept too, as in A56 and C-core. Since A115,
    /// Java and Go destroy them at once, unless
    /// `GRPC_EXPERIMENTAL_ENABLE_PRIORITY_LB_CHILD_POLICY_CACHE` is set.
    pub keeps_removed: bool,
    /// The effect of an expired failover timer.
    pub reading: FailoverReading,
}

impl Default for PrioritySettings {
    fn default() -> Self {
        Self {
            failover_ms: 10_000,
            retention_ms: 15 * 60 * 1000,
            keeps_removed: true,
            reading: FailoverReading::A56,
        }
    }
}

/// An action for the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PriorityAction {
    /// Create this child; it starts as CONNECTING.
    Create(String),
    /// Send requests to this child and report this state upward. Without a child, requests fail.
    Use {
        /// The child.
        child: Option<String>,
        /// Its state.
        state: Connectivity,
    },
    /// Destroy this child.
    Destroy(String),
}

/// An action and its time, in ms.
pub type TimedAction = (u64, PriorityAction);

#[derive(Debug, Clone)]
struct Child {
    state: Connectivity,
    /// Whether READY or IDLE came later than the last TRANSIENT_FAILURE.
    healthy_since_failure: bool,
    /// The expiry time of each running timer.
    failover: Option<u64>,
    deactivation: Option<u64>,
}

/// The policy. Times are milliseconds of a monotonic clock.
#[derive(Debug, Clone, Default)]
pub struct PriorityPolicy {
    settings: PrioritySettings,
    priorities: Vec<String>,
    children: BTreeMap<String, Child>,
    reported: Option<(Option<String>, Connectivity)>,
}

impl PriorityPolicy {
    /// A policy without children.
    #[must_use]
    pub fn new(settings: PrioritySettings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// The child that gets the requests.
    #[must_use]
    pub fn current(&self) -> Option<&str> {
        self.reported.as_ref()?.0.as_deref()
    }

    /// The state of a child, used or kept; `None` if it does not exist.
    #[must_use]
    pub fn state(&self, child: &str) -> Option<Connectivity> {
        self.children.get(child).map(|child| child.state)
    }

    /// The time of the next timer.
    #[must_use]
    pub fn due(&self) -> Option<u64> {
        let timers = self.children.values();
        timers
            .flat_map(|child| [child.failover, child.deactivation])
            .flatten()
            .min()
    }

    /// Updates the list of children, the preferred one first. A name that returns in time gets its old
    /// child.
    pub fn configure(&mut self, now: u64, priorities: Vec<String>) -> Vec<TimedAction> {
        let mut done = self.advance(now);
        let named = |name: &String| priorities.contains(name);
        let gone: Vec<String> = self
            .children
            .keys()
            .filter(|n| !named(n))
            .cloned()
            .collect();
        self.priorities = priorities;
        for name in gone {
            if self.settings.keeps_removed {
                self.deactivate(now, &name);
            } else {
                self.children.remove(&name);
                done.push((now, PriorityAction::Destroy(name)));
            }
        }
        self.choose(now, &mut done);
        done
    }

    /// A child reports its state. The state of an unknown child is ignored.
    pub fn report(&mut self, now: u64, child: &str, state: Connectivity) -> Vec<TimedAction> {
        let mut done = self.advance(now);
        let failover_ms = self.settings.failover_ms;
        let Some(child) = self.children.get_mut(child) else {
            return done;
        };
        let before = core::mem::replace(&mut child.state, state);
        match state {
            Connectivity::Ready | Connectivity::Idle => {
                child.healthy_since_failure = true;
                child.failover = None;
            }
            Connectivity::TransientFailure => {
                child.healthy_since_failure = false;
                child.failover = None;
            }
            Connectivity::Connecting => {
                let starts = before != Connectivity::Connecting && child.healthy_since_failure;
                if starts && child.failover.is_none() {
                    child.failover = Some(now.saturating_add(failover_ms));
                }
            }
        }
        self.choose(now, &mut done);
        done
    }

    /// Runs the timers that are due, each at its own time. Failover timers precede other timers of the
    /// same time, so that a child that is used again is not destroyed.
    pub fn advance(&mut self, now: u64) -> Vec<TimedAction> {
        let mut done = Vec::new();
        while let Some(at) = self.due().filter(|at| *at <= now) {
            if self.fail_over(at) {
                self.choose(at, &mut done);
                continue;
            }
            self.children.retain(|name, child| {
                let over = child.deactivation == Some(at);
                if over {
                    done.push((at, PriorityAction::Destroy(name.clone())));
                }
                !over
            });
        }
        done
    }

    /// Whether the failover timer of any child expires at that time.
    fn fail_over(&mut self, at: u64) -> bool {
        let mut any = false;
        for child in self.children.values_mut() {
            if child.failover == Some(at) {
                any = true;
                child.failover = None;
                if self.settings.reading == FailoverReading::CCore {
                    child.state = Connectivity::TransientFailure;
                    child.healthy_since_failure = false;
                }
            }
        }
        any
    }

    /// Idempotent: the same states of the children give the same child.
    fn choose(&mut self, now: u64, done: &mut Vec<TimedAction>) {
        let priorities = core::mem::take(&mut self.priorities);
        let chosen = self.first_usable(now, &priorities, done);
        if let Some((at, Usable::Connected)) = chosen {
            for lower in priorities.iter().skip(at + 1) {
                self.deactivate(now, lower);
            }
        }
        let chosen = chosen
            .map(|(at, _)| at)
            .or_else(|| self.first_connecting(&priorities));
        let name = chosen
            .map_or(priorities.last(), |at| priorities.get(at))
            .cloned();
        let state = name.as_deref().and_then(|name| self.state(name));
        let report = (name, state.unwrap_or(Connectivity::TransientFailure));
        self.priorities = priorities;
        if self.reported.as_ref() != Some(&report) {
            let (child, state) = report.clone();
            self.reported = Some(report);
            done.push((now, PriorityAction::Use { child, state }));
        }
    }

    /// The first child that is connected or still has time to connect. Creates only the children up to
    /// that one.
    fn first_usable(
        &mut self,
        now: u64,
        priorities: &[String],
        done: &mut Vec<TimedAction>,
    ) -> Option<(usize, Usable)> {
        for (at, name) in priorities.iter().enumerate() {
            let failover_ms = self.settings.failover_ms;
            let child = self.children.entry(name.clone()).or_insert_with(|| {
                done.push((now, PriorityAction::Create(name.clone())));
                Child {
                    state: Connectivity::Connecting,
                    healthy_since_failure: true,
                    failover: Some(now.saturating_add(failover_ms)),
                    deactivation: None,
                }
            });
            child.deactivation = None;
            if matches!(child.state, Connectivity::Ready | Connectivity::Idle) {
                return Some((at, Usable::Connected));
            }
            if child.failover.is_some() {
                return Some((at, Usable::HasTime));
            }
        }
        None
    }

    fn first_connecting(&self, priorities: &[String]) -> Option<usize> {
        priorities
            .iter()
            .position(|name| self.state(name) == Some(Connectivity::Connecting))
    }

    /// A child that is deactivated already keeps its expiry time.
    fn deactivate(&mut self, now: u64, name: &str) {
        if let Some(child) = self.children.get_mut(name) {
            let end = now.saturating_add(self.settings.retention_ms);
            child.deactivation.get_or_insert(end);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Usable {
    /// READY or IDLE: later children are not needed.
    Connected,
    /// Its failover timer is running: later children are not changed.
    HasTime,
}
