//! A worker that answers requests for one cluster, of every kind there is.

use spillgate_core::{
    decide::{BalancerState, Decision, HostStats, Request, decide},
    draw::SplitMix64,
    hash::mix,
    model::{
        AggregateCluster, Cluster, ClusterKind, HashBalanceFactor, LeastRequestConfig, LocalityLb,
        MaglevConfig, Metadata, Model, PanicThreshold, Policy, RingHashConfig, SelectionMethod,
    },
    route::{HashPolicy, HashSource, HeaderList},
    snapshot::{ClusterId, HostRef, Snapshot},
    trace::NoTrace,
};

use crate::{Keys, Shape, local_zones, model, own_zone};

/// What a worker's decision depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerCase {
    RoundRobin,
    WeightedRoundRobin,
    ClientSideWeightedRoundRobin,
    Random,
    LeastRequest,
    LeastRequestFullScan,
    RingHash,
    Maglev,
    MaglevBounded,
    Rendezvous,
    LocalityWeighted,
    ZoneAware,
    Subsets,
    SubsetsAndLocalities,
    Aggregate,
}

impl WorkerCase {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::RoundRobin,
        Self::WeightedRoundRobin,
        Self::ClientSideWeightedRoundRobin,
        Self::Random,
        Self::LeastRequest,
        Self::LeastRequestFullScan,
        Self::RingHash,
        Self::Maglev,
        Self::MaglevBounded,
        Self::Rendezvous,
        Self::LocalityWeighted,
        Self::ZoneAware,
        Self::Subsets,
        Self::SubsetsAndLocalities,
        Self::Aggregate,
    ];

    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round_robin",
            Self::WeightedRoundRobin => "weighted_round_robin",
            Self::ClientSideWeightedRoundRobin => "client_side_weighted_round_robin",
            Self::Random => "random",
            Self::LeastRequest => "least_request",
            Self::LeastRequestFullScan => "least_request_full_scan",
            Self::RingHash => "ring_hash",
            Self::Maglev => "maglev",
            Self::MaglevBounded => "maglev_bounded",
            Self::Rendezvous => "rendezvous",
            Self::LocalityWeighted => "locality_weighted",
            Self::ZoneAware => "zone_aware",
            Self::Subsets => "subsets",
            Self::SubsetsAndLocalities => "subsets_and_localities",
            Self::Aggregate => "aggregate",
        }
    }

    /// The highest ratio of a decision to the peer's bare round robin. `None` where the policy itself is
    /// costly: it looks at every host, or seeds the generator behind the order of bounded load.
    #[must_use]
    pub const fn bar(self) -> Option<f64> {
        match self {
            Self::Rendezvous | Self::LeastRequestFullScan | Self::MaglevBounded => None,
            Self::WeightedRoundRobin | Self::Subsets => Some(12.0),
            Self::SubsetsAndLocalities => Some(16.0),
            _ => Some(6.0),
        }
    }

    /// Its cluster, with `hosts` hosts in each of two priorities.
    #[must_use]
    pub fn shape(self, hosts: usize) -> Shape {
        let mut shape = Shape::new(Policy::RoundRobin, hosts);
        shape.policy = match self {
            Self::ClientSideWeightedRoundRobin => Policy::ClientSideWeightedRoundRobin,
            Self::Random => Policy::Random,
            Self::LeastRequest => Policy::LeastRequest(LeastRequestConfig::default()),
            Self::LeastRequestFullScan => {
                Policy::LeastRequest(LeastRequestConfig::new(SelectionMethod::FullScan, 1.0))
            }
            Self::RingHash => Policy::RingHash(RingHashConfig::default()),
            Self::Maglev | Self::MaglevBounded => Policy::Maglev(MaglevConfig::default()),
            Self::Rendezvous => Policy::Rendezvous,
            _ => Policy::RoundRobin,
        };
        shape.weighted = self == Self::WeightedRoundRobin;
        if matches!(
            self,
            Self::LocalityWeighted | Self::SubsetsAndLocalities | Self::ZoneAware
        ) {
            shape.localities = 3;
        }
        if matches!(self, Self::LocalityWeighted | Self::SubsetsAndLocalities) {
            shape.locality_lb = LocalityLb::Weighted;
        }
        if matches!(self, Self::Subsets | Self::SubsetsAndLocalities) {
            shape.subsets = 10;
        }
        if self == Self::MaglevBounded {
            shape.hash_balance_factor = HashBalanceFactor::new(120);
        }
        shape
    }
}

impl std::fmt::Display for WorkerCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A worker with its snapshot, its turns and requests that differ from one another.
pub struct Worker {
    /// The snapshot that it decides with.
    pub snapshot: Snapshot,
    /// Its state.
    pub state: BalancerState,
    draw: SplitMix64,
    cluster: ClusterId,
    hash_policies: Vec<HashPolicy>,
    /// Used in turn.
    criteria: Vec<Metadata>,
    turn: usize,
    keys: Keys,
    active: Active,
}

impl Worker {
    /// A worker for a case, with `hosts` hosts in each of two priorities.
    #[must_use]
    pub fn new(case: WorkerCase, hosts: usize) -> Self {
        let shape = case.shape(hosts);
        match case {
            WorkerCase::Aggregate => {
                let aggregate = Cluster {
                    name: "c".into(),
                    kind: ClusterKind::Aggregate(AggregateCluster {
                        members: vec!["a".into(), "b".into()],
                        panic_threshold: PanicThreshold::DEFAULT,
                        flatten: false,
                    }),
                };
                let clusters = vec![aggregate, shape.cluster("a"), shape.cluster("b")];
                Self::of_model(&model(clusters), &shape)
            }
            WorkerCase::ZoneAware => {
                let clusters = vec![shape.cluster("c"), local_zones()];
                Self::of_model(&model(clusters).with_local(own_zone()), &shape)
            }
            _ => Self::of(&shape),
        }
    }

    /// A worker for one cluster of this shape.
    #[must_use]
    pub fn of(shape: &Shape) -> Self {
        Self::of_model(&model(vec![shape.cluster("c")]), shape)
    }

    fn of_model(model: &Model, shape: &Shape) -> Self {
        let snapshot = Snapshot::build(model);
        let mut draw = SplitMix64::new(1);
        Self {
            state: BalancerState::new(&snapshot, &mut draw),
            draw,
            cluster: snapshot.cluster_id("c").expect("the cluster is there"),
            snapshot,
            hash_policies: shape.policy.hashes().then(by_key).into_iter().collect(),
            criteria: match shape.subsets {
                0 => vec![Metadata::EMPTY],
                count => (0..count).map(|subset| shape.criteria(subset)).collect(),
            },
            turn: 0,
            keys: Keys::default(),
            active: Active::new(shape.hosts),
        }
    }

    /// The answer to the next request.
    pub fn pick(&mut self) -> Decision {
        let headers = [("x-key", self.keys.key())];
        self.turn = if self.turn + 1 < self.criteria.len() {
            self.turn + 1
        } else {
            0
        };
        let headers = HeaderList(&headers);
        let request = Request {
            hash_policies: &self.hash_policies,
            criteria: &self.criteria[self.turn],
            hosts: &self.active,
            ..Request::new(self.cluster, &headers)
        };
        let (state, draw) = (&mut self.state, &mut self.draw);
        decide(&self.snapshot, state, &request, draw, &mut NoTrace)
    }
}

/// Hashes the header `x-key`.
fn by_key() -> HashPolicy {
    HashPolicy {
        source: HashSource::Header {
            name: "x-key".into(),
            rewrite: None,
        },
        terminal: false,
    }
}

/// Up to 15 active requests of each host; with bounded load some hosts are too full.
struct Active {
    hosts: Vec<u32>,
    all: u32,
}

impl Active {
    fn new(hosts: usize) -> Self {
        let hosts: Vec<u32> = (0..hosts)
            .map(|host| mix(host as u64) as u32 % 16)
            .collect();
        Self {
            all: hosts.iter().sum(),
            hosts,
        }
    }
}

impl HostStats for Active {
    fn active(&self, host: HostRef) -> u32 {
        self.hosts.get(host.host).copied().unwrap_or(0)
    }

    fn cluster_active(&self, _: ClusterId) -> u32 {
        self.all
    }
}
