//! Other crates that choose a host, each as a closure that does it once.
//!
//! They get the same hosts and the same keys as we do, and hash the keys themselves, as we do.

use std::{
    collections::BTreeSet,
    future::{Ready, ready},
    net::SocketAddr,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use hrw_hash::HrwNodes;
use loadwise_core::{LoadMetric, Node, SelectionContext, Strategy, Weighted, strategy};
use maglev::{ConsistentHasher as _, Maglev};
use maglev_hash::MaglevTable;
use pingora_ketama::{Bucket, Continuum};
use pingora_load_balancing::{
    Backend,
    selection::{self, BackendIter as _, BackendSelection},
};
use rendezvous_hash::{DefaultNodeHasher, IdNode, RendezvousNodes};
use spillgate_core::model::DEFAULT_MAGLEV_TABLE_SIZE;
use tower::{Service, balance::p2c::Balance, discover::ServiceList, load::Load};

use crate::{Keys, address, within};

/// A balancer of pingora-load-balancing: `RoundRobin`, `Random` or `Consistent`.
fn pingora<S: BackendSelection>(hosts: usize, weights: &[usize]) -> Arc<S> {
    let weight = |host: usize| weights.get(host).copied().unwrap_or(1);
    let backend = |host| Backend::new_with_weight(&address(host), weight(host));
    let backends: BTreeSet<Backend> = (0..hosts)
        .map(|host| backend(host).expect("an address"))
        .collect();
    Arc::new(S::build(&backends))
}

/// pingora's bare round robin, the measure of all others.
pub fn pingora_round_robin(hosts: usize) -> impl FnMut() -> Option<u16> {
    let balancer = pingora::<selection::RoundRobin>(hosts, &[]);
    move || port(balancer.iter(b"").next()?)
}

/// The same with weights of 1 to 8, which pingora writes out as one list.
pub fn pingora_weighted_round_robin(hosts: usize) -> impl FnMut() -> Option<u16> {
    let weights: Vec<usize> = within::weights(hosts).iter().map(|&w| w as usize).collect();
    let balancer = pingora::<selection::RoundRobin>(hosts, &weights);
    move || port(balancer.iter(b"").next()?)
}

/// pingora's random choice.
pub fn pingora_random(hosts: usize) -> impl FnMut() -> Option<u16> {
    let balancer = pingora::<selection::Random>(hosts, &[]);
    move || port(balancer.iter(b"").next()?)
}

/// pingora's consistent hashing as a proxy uses it.
pub fn pingora_consistent(hosts: usize) -> impl FnMut() -> Option<u16> {
    let balancer = pingora::<selection::Consistent>(hosts, &[]);
    let mut keys = Keys::default();
    move || port(balancer.iter(&keys.key()).next()?)
}

/// Touches the backend, as a caller that connects to it does.
fn port(backend: &Backend) -> Option<u16> {
    Some(backend.as_inet()?.port())
}

/// The bare look-up in pingora's ring.
pub fn pingora_ketama(hosts: usize) -> impl FnMut() -> Option<SocketAddr> {
    let ring = Continuum::new(&buckets(hosts));
    let mut keys = Keys::default();
    move || ring.node(&keys.key())
}

/// Builds pingora's ring: 160 points a host.
pub fn pingora_ketama_build(hosts: usize) -> impl FnMut() -> Continuum {
    let buckets = buckets(hosts);
    move || Continuum::new(&buckets)
}

fn buckets(hosts: usize) -> Vec<Bucket> {
    let address = |host| address(host).parse().expect("an address");
    (0..hosts)
        .map(|host| Bucket::new(address(host), 1))
        .collect()
}

/// The look-up of the crate `maglev`.
pub fn maglev(hosts: usize) -> impl FnMut() -> Option<usize> {
    let table = maglev_build(hosts)();
    let mut keys = Keys::default();
    move || table.get(&keys.key()).map(String::len)
}

/// Builds a table of the crate `maglev`, which keeps a whole permutation for each host meanwhile.
pub fn maglev_build(hosts: usize) -> impl FnMut() -> Maglev<String> {
    let nodes = addresses(hosts);
    move || Maglev::with_capacity(nodes.clone(), DEFAULT_MAGLEV_TABLE_SIZE as usize)
}

/// The look-up of the crate `maglev-hash`.
pub fn maglev_hash(hosts: usize) -> impl FnMut() -> Option<usize> {
    let table = maglev_hash_build(hosts)();
    let mut keys = Keys::default();
    move || table.get(&keys.key()).map(String::len)
}

/// Builds a table of the crate `maglev-hash`.
pub fn maglev_hash_build(hosts: usize) -> impl FnMut() -> MaglevTable<String> {
    let nodes = addresses(hosts);
    move || MaglevTable::with_capacity(nodes.clone(), DEFAULT_MAGLEV_TABLE_SIZE as usize)
}

/// The best host of the crate `hrw-hash`, which sorts them all.
pub fn hrw_hash(hosts: usize) -> impl FnMut() -> Option<usize> {
    let nodes = HrwNodes::new(addresses(hosts));
    let mut keys = Keys::default();
    move || nodes.sorted(&keys.key()).next().map(String::len)
}

/// The best host of the crate `rendezvous_hash`, which sorts them all.
pub fn rendezvous_hash(hosts: usize) -> impl FnMut() -> Option<usize> {
    let mut nodes: RendezvousNodes<IdNode<String>, DefaultNodeHasher> = RendezvousNodes::default();
    for address in addresses(hosts) {
        nodes.insert(IdNode::new(address));
    }
    let mut keys = Keys::default();
    move || {
        let best = nodes.calc_candidates(&keys.key()).next();
        best.map(|node| node.len())
    }
}

/// A host of the crate `loadwise-core`.
struct Loaded {
    id: usize,
    active: u32,
    weight: u32,
}

impl LoadMetric for Loaded {
    fn load_score(&self) -> f64 {
        self.active.into()
    }
}

impl Weighted for Loaded {
    fn weight(&self) -> u32 {
        self.weight
    }
}

impl Node for Loaded {
    type Id = usize;

    fn id(&self) -> &usize {
        &self.id
    }
}

fn loadwise(hosts: usize, by: impl Strategy<Loaded>) -> impl FnMut() -> Option<usize> {
    let loads = within::active(hosts).into_iter().enumerate();
    let nodes: Vec<Loaded> = loads
        .zip(within::weights(hosts))
        .map(|((id, active), weight)| Loaded {
            id,
            active,
            weight: weight as u32,
        })
        .collect();
    let context = SelectionContext::default();
    move || by.select(&nodes, &context)
}

/// loadwise's round robin.
pub fn loadwise_round_robin(hosts: usize) -> impl FnMut() -> Option<usize> {
    loadwise(hosts, strategy::RoundRobin::new())
}

/// loadwise's smooth weighted round robin.
pub fn loadwise_weighted_round_robin(hosts: usize) -> impl FnMut() -> Option<usize> {
    loadwise(hosts, strategy::WeightedRoundRobin::new())
}

/// loadwise's random choice.
pub fn loadwise_random(hosts: usize) -> impl FnMut() -> Option<usize> {
    loadwise(hosts, strategy::Random::new())
}

/// loadwise's better of two.
pub fn loadwise_p2c(hosts: usize) -> impl FnMut() -> Option<usize> {
    loadwise(hosts, strategy::PowerOfTwoChoices::new())
}

/// loadwise's best of all.
pub fn loadwise_least(hosts: usize) -> impl FnMut() -> Option<usize> {
    loadwise(hosts, strategy::LeastLoad::new())
}

/// A host of tower: always ready, with a fixed load.
struct Steady {
    host: usize,
    active: u32,
}

impl Load for Steady {
    type Metric = u32;

    fn load(&self) -> u32 {
        self.active
    }
}

impl Service<()> for Steady {
    type Response = usize;
    type Error = tower::BoxError;
    type Future = Ready<Result<usize, tower::BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, (): ()) -> Self::Future {
        ready(Ok(self.host))
    }
}

/// tower's better of two: waits until it is ready, which chooses a host, and calls that.
pub fn tower_p2c(hosts: usize) -> impl FnMut() -> bool {
    let loads = within::active(hosts).into_iter().enumerate();
    let services: Vec<Steady> = loads
        .map(|(host, active)| Steady { host, active })
        .collect();
    let mut balance = Balance::new(ServiceList::new::<()>(services));
    move || {
        let mut context = Context::from_waker(Waker::noop());
        let ready = balance.poll_ready(&mut context).is_ready();
        if ready {
            drop(balance.call(()));
        }
        ready
    }
}

fn addresses(hosts: usize) -> Vec<String> {
    (0..hosts).map(address).collect()
}
