//! The load-balancing policy: it publishes the hosts of its cluster, and chooses hosts for attempts that
//! the filter has not decided.
//!
//! A policy sees the request headers, but neither criteria nor session. For a retry beyond the host
//! list it could only choose among all hosts of the cluster. So it refuses if criteria, a chain or
//! sessions apply, and chooses otherwise. `undecided` sets this explicitly, because the
//! configurations that use a cluster can change.

use std::{
    cell::RefCell,
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

use spillgate_config::undecided::{UndecidedRequests, read_policy};
use spillgate_core::{
    decide::{self, BalancerState, Request},
    draw::SplitMix64,
    route::HeaderList,
    snapshot::{HostRef, Snapshot},
    trace::NoTrace,
};

use spillgate_steer::messages::{self, PreviousConfig};

use crate::{
    abi::{self, BalancerHandle, ChoiceHandle, HostHealth, HostPlace},
    balancers, cluster_hosts, registry,
    settings::{FilterState, rendered},
};

/// The load balancer of a cluster on one thread.
pub(crate) struct Policy {
    /// Distinguishes load balancers of clusters with the same name.
    number: u64,
    cluster: String,
    /// Only the load balancer of the main thread publishes.
    publishes: bool,
    undecided: UndecidedRequests,
    choices: RefCell<Choices>,
}

/// What the choices of a worker depend on.
struct Choices {
    /// The configuration of `snapshot`.
    filter: Weak<FilterState>,
    generation: u64,
    snapshot: Snapshot,
    state: BalancerState,
    draws: SplitMix64,
    /// The next host of a cluster that no configuration describes.
    turn: usize,
}

/// A host, as Envoy expects it: its place among the healthy hosts of its priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HealthyPlace {
    pub(crate) priority: u32,
    pub(crate) index: u32,
}

/// Reads the configuration of a policy. `None` if it is invalid; the log says why.
pub(crate) fn read(text: &[u8]) -> Option<UndecidedRequests> {
    let text = spillgate_config::node::decode(text).map_err(|fault| vec![fault]);
    match text.and_then(read_policy) {
        Ok(undecided) => Some(undecided),
        Err(faults) => {
            log::error!(
                "{}",
                messages::rejected(&rendered(&faults), PreviousConfig::Unknown)
            );
            None
        }
    }
}

/// Publishes all clusters again, with the metadata that the present configurations need. For the main
/// thread.
pub(crate) fn publish_all() {
    balancers::for_each_cluster(publish);
}

/// Publishes the clusters whose publication was postponed. For the main thread.
pub(crate) fn publish_postponed() {
    balancers::publish_postponed(publish);
}

fn publish(envoy: &BalancerHandle<'_>) {
    let hosts = cluster_hosts::read(envoy, &registry::metadata_keys());
    let cluster = envoy.cluster();
    let excluded = abi::gauge(&format!(
        "cluster.{}.membership_excluded",
        cluster.replace(':', "_")
    ));
    let excluded = excluded.and_then(|excluded| usize::try_from(excluded).ok());
    registry::publish(&cluster, hosts, excluded);
}

impl Policy {
    /// A new load balancer. It publishes nothing yet, because Envoy creates it before it has hosts.
    pub(crate) fn new(envoy: &BalancerHandle<'_>, undecided: UndecidedRequests) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let mut seed = [0; 8];
        let random = getrandom::fill(&mut seed).is_ok();
        let seed = if random {
            u64::from_le_bytes(seed)
        } else {
            number
        };
        Self {
            number,
            cluster: envoy.cluster(),
            publishes: abi::is_main_thread(),
            undecided,
            choices: RefCell::new(Choices {
                filter: Weak::new(),
                generation: 0,
                snapshot: Snapshot::empty(),
                state: BalancerState::default(),
                draws: SplitMix64::new(seed),
                turn: 0,
            }),
        }
    }

    /// Makes the load balancer known to its thread, until it is dropped.
    pub(crate) fn register(&self, envoy: &BalancerHandle<'_>) {
        publish_postponed();
        balancers::add(self.number, &self.cluster, envoy.kept());
    }

    /// Publishes changed hosts. While Envoy prepares the replacement of a cluster, requests still use the
    /// old one, so only the older load balancer publishes.
    pub(crate) fn on_update(&self) {
        if self.publishes && balancers::is_oldest(self.number, &self.cluster) {
            // If its publication was postponed, this is the only one.
            balancers::postpone(&self.cluster);
            publish_postponed();
        }
    }

    /// Chooses a host for an attempt. `None` refuses it: no host may serve, or only the filter knows
    /// which ones may.
    pub(crate) fn choose(
        &self,
        envoy: &BalancerHandle<'_>,
        choice: Option<&ChoiceHandle<'_>>,
    ) -> Option<HealthyPlace> {
        if self.undecided == UndecidedRequests::Refuse {
            return None;
        }
        let filters = registry::filters_of(&self.cluster);
        let restricted = filters.iter().any(|filter| filter.config.restricts_hosts());
        if self.undecided.refused(restricted) {
            return None;
        }
        let mut choices = self.choices.try_borrow_mut().ok()?;
        let Some(filter) = filters.last() else {
            return choices.in_turn(envoy);
        };
        choices.refresh(filter);
        let host = choices.decided(&self.cluster, filter, choice)?;
        place_of(&choices.snapshot, envoy, host)
    }
}

/// The next load balancer of the cluster publishes its hosts. This also happens if a hook panics, because
/// Envoy then destroys this one, too.
impl Drop for Policy {
    fn drop(&mut self) {
        balancers::remove(self.number, &self.cluster);
        if !self.publishes {
            return;
        }
        let mut has_hosts = false;
        let is_replaced = balancers::with_oldest(&self.cluster, |next| {
            has_hosts = (0..next.priorities()).any(|priority| next.hosts(priority) > 0);
            if has_hosts {
                publish(next);
            }
        });
        match (is_replaced, has_hosts) {
            (false, _) => registry::withdraw(&self.cluster),
            // Envoy gives the hosts to the next load balancer after this hook, unless it has none. Until then,
            // requests need the previous ones.
            (true, false) => {
                balancers::postpone(&self.cluster);
                registry::schedule_postponed();
            }
            (true, true) => {}
        }
    }
}

impl Choices {
    fn refresh(&mut self, filter: &Arc<FilterState>) {
        let is_same = self.filter.as_ptr() == Arc::as_ptr(filter);
        if is_same && self.generation == filter.board.generation() {
            return;
        }
        let latest = filter.board.latest();
        let state = std::mem::take(&mut self.state);
        self.state = state.carried_over(&self.snapshot, &latest.snapshot, &mut self.draws);
        self.snapshot = latest.snapshot;
        self.generation = latest.generation;
        self.filter = Arc::downgrade(filter);
    }

    /// The host that the engine chooses.
    fn decided(
        &mut self,
        cluster: &str,
        filter: &FilterState,
        choice: Option<&ChoiceHandle<'_>>,
    ) -> Option<HostRef> {
        let id = self.snapshot.cluster_id(cluster)?;
        let headers = choice.map(ChoiceHandle::headers).unwrap_or_default();
        let headers: Vec<(&str, &[u8])> = headers
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        let headers = HeaderList(&headers);
        let request = Request {
            hash_policies: &filter.config.hash_policies,
            ..Request::new(id, &headers)
        };
        let decision = decide::decide(
            &self.snapshot,
            &mut self.state,
            &request,
            &mut self.draws,
            &mut NoTrace,
        );
        decision.host_ref()
    }

    /// The healthy hosts of the first priority that has some, in turn.
    fn in_turn(&mut self, envoy: &BalancerHandle<'_>) -> Option<HealthyPlace> {
        for priority in 0..envoy.priorities() {
            let hosts = 0..envoy.hosts(priority);
            let is_healthy =
                |host| envoy.health(HostPlace { priority, host }) == HostHealth::Healthy;
            let healthy = hosts.filter(|host| is_healthy(*host)).count();
            if let Some(index) = self.turn.checked_rem(healthy) {
                self.turn = self.turn.wrapping_add(1);
                let index = u32::try_from(index).ok()?;
                return Some(HealthyPlace { priority, index });
            }
        }
        None
    }
}

/// The place of a host among the healthy ones of this thread. `None` if it is not healthy, because Envoy
/// takes no other hosts from a policy, or if Envoy's hosts differ from the published ones.
fn place_of(
    snapshot: &Snapshot,
    envoy: &BalancerHandle<'_>,
    host: HostRef,
) -> Option<HealthyPlace> {
    let plain = snapshot.plain(host.cluster)?;
    let priority = u32::try_from(host.priority).ok()?;
    let at = HostPlace {
        priority,
        host: host.host,
    };
    let known = plain.endpoint(host.priority, host.host)?;
    if !envoy.is_at(at, &known.address) || envoy.health(at) != HostHealth::Healthy {
        return None;
    }
    let before = (0..host.host).map(|host| HostPlace { priority, host });
    let healthy = before.filter(|at| envoy.health(*at) == HostHealth::Healthy);
    Some(HealthyPlace {
        priority,
        index: u32::try_from(healthy.count()).ok()?,
    })
}
