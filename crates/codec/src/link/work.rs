//! The work that showing a scenario takes, counted before any of it is done.

use alloc::{collections::BTreeMap, string::String, sync::Arc};

use spillgate_core::model::{Cluster, ClusterKind, PlainCluster};

use super::Scenario;
use super::limits::{hosts_of, table_entries};

/// The work that a page may do for a link without asking, about 100 ms.
pub const MAXIMUM_UNASKED_WORK: u64 = 4_000;

/// What a page computes and draws for a scenario.
///
/// A cluster counts once for each time that an aggregate names it: Envoy's load balancer does the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScenarioWork {
    /// The priorities that are shown.
    pub priorities: u64,
    /// The hosts in them.
    pub hosts: u64,
    /// The entries of all rings and Maglev tables.
    pub table_entries: u64,
    /// Their sum, weighted. One is an element of the playground, about 25 us in Chromium.
    pub total: u64,
    /// The part of it that computes shares: a screen with losses does it again.
    pub computed: u64,
}

/// The elements of a row of the priorities.
const PRIORITY: u64 = 60;
/// Those of a row of the members, and of a row of the localities.
const MEMBER: u64 = 30;
/// Those of a cluster that is not shown.
const CLUSTER: u64 = 4;
/// A priority with more hosts draws them in groups.
const DRAWN_HOSTS: u64 = 1_000;
/// The hosts whose shares take as long as an element.
const HOSTS: u64 = 20;
/// The table entries that take as long as an element.
const ENTRIES: u64 = 300;
/// The pairs of priorities that take as long as an element: losses of each are tried on all.
const PAIRS: u64 = 80;
/// How often a screen computes the shares of the scenario: before and after a loss, for both of its pictures.
const TIMES: u64 = 4;
/// The elements for a line of the input of a screen, such as an expectation.
const LINE: u64 = 10;

impl ScenarioWork {
    /// The work for a scenario. Counts names and hosts once, so it takes no longer than reading the link.
    #[must_use]
    pub fn of<O>(scenario: &Scenario<O>) -> Self {
        let clusters = scenario.clusters();
        let mut work = Self::default();
        for cluster in clusters {
            work.table_entries = work.table_entries.saturating_add(table_entries(cluster));
            work.add(CLUSTER);
            work.compute(hosts_of(cluster) as u64 / HOSTS);
        }
        work.compute(work.table_entries / ENTRIES);
        match clusters.get(scenario.root()).map(|root| &root.kind) {
            Some(ClusterKind::Aggregate(root)) => work.add_members(&root.members, clusters),
            Some(ClusterKind::Composite(root)) => work.add_members(&root.members, clusters),
            Some(ClusterKind::Plain(root)) => work.add_shown(root),
            Some(ClusterKind::OriginalDst(_)) | None => {}
        }
        work.compute(work.priorities.saturating_mul(work.priorities) / PAIRS);
        work
    }

    /// With that of a screen, whose input has so many lines.
    #[must_use]
    pub fn on_screen(mut self, lines: u64) -> Self {
        self.add(lines.saturating_mul(LINE));
        self.add(self.computed.saturating_mul(TIMES - 1));
        self
    }

    /// With that of another scenario, which a comparison computes too.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            priorities: self.priorities.saturating_add(other.priorities),
            hosts: self.hosts.saturating_add(other.hosts),
            table_entries: self.table_entries.saturating_add(other.table_entries),
            total: self.total.saturating_add(other.total),
            computed: self.computed.saturating_add(other.computed),
        }
    }

    fn compute(&mut self, more: u64) {
        self.computed = self.computed.saturating_add(more);
        self.add(more);
    }

    fn add(&mut self, more: u64) {
        self.total = self.total.saturating_add(more);
    }

    fn add_members(&mut self, members: &[String], clusters: &[Arc<Cluster>]) {
        let named = clusters.iter().map(|cluster| (&*cluster.name, cluster));
        let named: BTreeMap<&str, &Arc<Cluster>> = named.collect();
        for member in members {
            self.add(MEMBER);
            if let Some(cluster) = named.get(&**member)
                && let ClusterKind::Plain(plain) = &cluster.kind
            {
                self.add_shown(plain);
            }
        }
    }

    fn add_shown(&mut self, plain: &PlainCluster) {
        for priority in &plain.priorities {
            let hosts = priority.endpoints.len() as u64;
            self.priorities += 1;
            self.hosts = self.hosts.saturating_add(hosts);
            self.add(PRIORITY + hosts.min(DRAWN_HOSTS));
            self.compute(hosts / HOSTS);
            self.add(MEMBER * priority.localities.len() as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString as _, vec, vec::Vec};

    use spillgate_core::model::{
        AggregateCluster, Endpoint, MaglevConfig, PanicThreshold, Policy, Priority,
        PriorityLocality,
    };

    use super::*;

    fn plain(name: &str, priorities: usize, hosts: usize, policy: Policy) -> Cluster {
        let endpoint = |number: usize| Endpoint {
            address: alloc::format!("{number}:80"),
            ..Endpoint::default()
        };
        let priority = |at: usize| Priority {
            localities: vec![PriorityLocality::default()],
            endpoints: (0..hosts).map(|host| endpoint(at * hosts + host)).collect(),
        };
        let plain = PlainCluster {
            policy,
            priorities: (0..priorities).map(priority).collect(),
            ..PlainCluster::default()
        };
        Cluster {
            name: name.to_string(),
            kind: ClusterKind::Plain(plain),
        }
    }

    fn aggregate(members: usize) -> Cluster {
        Cluster {
            name: "all".to_string(),
            kind: ClusterKind::Aggregate(AggregateCluster {
                members: vec!["a".to_string(); members],
                panic_threshold: PanicThreshold::from_percent(50.0),
                flatten: false,
            }),
        }
    }

    fn work(clusters: Vec<Cluster>) -> ScenarioWork {
        ScenarioWork::of(&Scenario::<()>::new(clusters, 0).unwrap())
    }

    #[test]
    fn a_repeated_member_is_shown_again() {
        let one = || plain("a", 1, 1_000, Policy::RoundRobin);
        for members in [1, 1_000] {
            let work = work(vec![aggregate(members), one()]);
            let figures = (work.priorities, work.hosts);
            assert_eq!(figures, (members as u64, 1_000 * members as u64));
            assert_eq!(work.total > MAXIMUM_UNASKED_WORK, members > 1, "{work:?}");
        }
    }

    #[test]
    fn a_screen_computes_again_and_shows_its_input() {
        let all = work(vec![plain("a", 1, 20_000, Policy::RoundRobin)]);
        assert!(all.total <= MAXIMUM_UNASKED_WORK, "{all:?}");
        assert!(all.on_screen(0).total > MAXIMUM_UNASKED_WORK, "{all:?}");
        let few = work(vec![plain("a", 2, 10, Policy::RoundRobin)]);
        for (lines, fits) in [(100, true), (1_400, false)] {
            let total = few.on_screen(lines).total;
            assert_eq!(total <= MAXIMUM_UNASKED_WORK, fits, "{total}");
        }
    }

    #[test]
    fn what_a_page_shows_at_once_is_within_the_limit() {
        let maglev = |size| Policy::Maglev(MaglevConfig::new(size).unwrap());
        for (clusters, fits) in [
            (plain("a", 1, 20_000, Policy::RoundRobin), true),
            (plain("a", 100, 200, Policy::RoundRobin), false),
            (plain("a", 40, 1, Policy::RoundRobin), true),
            (plain("a", 129, 1, Policy::RoundRobin), false),
            (plain("a", 3, 10, maglev(65_537)), true),
            (plain("a", 1, 10, maglev(2_000_003)), false),
        ] {
            let work = work(vec![clusters]);
            assert_eq!(work.total <= MAXIMUM_UNASKED_WORK, fits, "{work:?}");
        }
    }
}
