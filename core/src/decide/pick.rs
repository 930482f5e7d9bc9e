//! A pick within one cluster: a subset, a level, a list of hosts, a host.

use core::ops::ControlFlow;

use super::{
    ChosenLevel, ChosenSubset, Decision, Facts, Reason, State, rejects, selections, steps,
    tried_load,
};
use crate::{
    draw::Draw,
    load::{HostClass, choose_priority},
    model::{Policy, SelectionMethod},
    pick::{
        biased_weight, bounded, of_all, of_choices, overload_factor, rendezvous, slots,
        slow_start_factor,
    },
    snapshot::{
        ClusterId, HashTable, HostList, HostRef, LevelSet, PlainSnapshot, PrioritySet, Snapshot,
        Source,
    },
    subset::Choice,
    trace::Trace,
};

/// A pick within one cluster.
pub(super) struct Pick<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) facts: Facts<'a>,
    /// The cluster that was asked for.
    pub(super) cluster: ClusterId,
    pub(super) owner: ClusterId,
    pub(super) plain: &'a PlainSnapshot,
    /// The level that an aggregate chose. Hash policies do not look at it.
    pub(super) forced: Option<(usize, HostClass)>,
    /// The set of a step of the chain. Without a chain the cluster's subsets decide.
    pub(super) asked: Option<ChosenSubset>,
    pub(super) hash: Option<u64>,
}

/// What came of asking one set.
#[derive(Debug, Clone, Copy, Default)]
struct Picked {
    level: Option<ChosenLevel>,
    host: Option<usize>,
    key: u64,
}

impl Pick<'_> {
    pub(super) fn run(
        &self,
        state: &mut State,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        let mut picked = Picked::default();
        let mut subset = self.asked;
        match (&self.plain.subsets, self.asked) {
            (Some(subsets), None) => {
                subsets.index.choose(self.facts.criteria, |choice, reason| {
                    subset = Some(ChosenSubset { choice, reason });
                    let asked = (choice, reason);
                    trace
                        .step(|| steps::subset(self.owner, self.plain, self.facts.criteria, asked));
                    picked = match self.plain.set(choice) {
                        Some(set) => self.set(choice, set, state, draw, trace),
                        None => self.single(choice),
                    };
                    match picked.host {
                        Some(_) => ControlFlow::Break(()),
                        None => ControlFlow::Continue(()),
                    }
                });
                if subset.is_none() {
                    trace.step(|| steps::no_subset(self.owner, self.facts.criteria));
                }
            }
            (_, asked) => {
                let choice = asked.map_or(Choice::Whole, |asked| asked.choice);
                if let Some(set) = self.plain.set(choice) {
                    picked = self.set(choice, set, state, draw, trace);
                }
            }
        }
        Decision {
            cluster: self.cluster,
            subset,
            level: picked.level,
            host: picked.host,
            hash: self.hash.unwrap_or(picked.key),
            reason: match picked.host {
                Some(_) => Reason::Chosen,
                None => Reason::NoHost,
            },
            moved: None,
        }
    }

    /// A subset of one host: no level is chosen and no health is looked at.
    fn single(&self, choice: Choice) -> Picked {
        let Choice::Host { priority, host } = choice else {
            return Picked::default();
        };
        Picked {
            level: Some(ChosenLevel {
                owner: self.owner,
                priority,
                class: HostClass::Healthy,
                panic: false,
                source: None,
            }),
            host: Some(host),
            key: 0,
        }
    }

    /// Asks a set, again and again while predicates reject what it chooses; the last one wins.
    fn set(
        &self,
        choice: Choice,
        set: &PrioritySet,
        state: &mut State,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Picked {
        let hash = match self.facts.key {
            None if self.by_table() => Some(self.hash.unwrap_or_else(|| draw.draw())),
            key => key,
        };
        let mut picked = Picked::default();
        for attempt in 0..selections(&self.facts) {
            let key = hash.unwrap_or_else(|| draw.draw());
            let level = self.level(choice, set, key, state, draw, trace);
            let host = self.host(choice, set, &level, key, attempt, state, draw);
            let host = self.cooler(set, &level, host, draw);
            let by = match self.facts.key {
                Some(_) => "rendezvous hashing of the session's key",
                None => self.plain.settings.policy.name(),
            };
            trace.step(|| steps::host(self.plain, choice, &level, host, (by, attempt)));
            picked = Picked {
                level: Some(level),
                host,
                key,
            };
            let rejected = host.is_some_and(|host| {
                rejects(self.snapshot, &self.facts, self.host_ref(&level, host))
            });
            if !rejected {
                break;
            }
            trace.step(|| steps::rejected(self.plain, &level, host));
        }
        picked
    }

    fn level(
        &self,
        choice: Choice,
        set: &PrioritySet,
        key: u64,
        state: &mut State,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> ChosenLevel {
        let load = &set.load;
        let by_hash = self.by_table();
        let forced = self.forced.filter(|_| !by_hash);
        let own = |host: &HostRef| Some(host.priority).filter(|_| host.cluster == self.owner);
        let adjusted = match (by_hash, forced) {
            (false, None) => tried_load(&self.facts, &load.availability, &own),
            _ => None,
        };
        let (healthy, degraded) = match &adjusted {
            Some(load) => (&load.healthy, &load.degraded),
            None => (&load.healthy, &load.degraded),
        };
        let (priority, class) = forced.unwrap_or_else(|| choose_priority(key, healthy, degraded));
        let mut level = ChosenLevel {
            owner: self.owner,
            priority,
            class,
            panic: load.panics(priority),
            source: None,
        };
        trace.step(|| {
            let loads = (healthy.as_slice(), degraded.as_slice());
            let settings = self.plain.settings_of(choice);
            steps::level(settings, set, &level, key, loads, forced.is_some())
        });
        level.source = self.source(choice, set, &level, state, draw);
        trace.step_if(|| steps::locality(self.plain, set, &level));
        level
    }

    /// Which list of the level serves (`ZoneAwareLoadBalancerBase::hostSourceToUse`).
    fn source(
        &self,
        choice: Choice,
        set: &PrioritySet,
        level: &ChosenLevel,
        state: &mut State,
        draw: &mut impl Draw,
    ) -> Option<Source> {
        let settings = self.plain.settings_of(choice);
        if level.panic {
            return Some(Source::All).filter(|_| !settings.fails_traffic_on_panic());
        }
        let class = Source::Class(level.class);
        let compiled = set.levels.get(level.priority)?;
        // A key chooses among all hosts: turns and draws of localities are a worker's own.
        let localities = compiled.localities.as_ref();
        let Some(localities) = localities.filter(|_| self.facts.key.is_none()) else {
            return Some(class);
        };
        if let Some(weights) = localities.weights(level.class) {
            let turn = state.locality(self.owner, choice, level.priority, level.class);
            // A state that was made for another snapshot: any locality with a weight.
            let place = turn.or_else(|| weights.iter().position(|&weight| weight > 0.0));
            return Some(place.map_or(class, |place| Source::Locality(level.class, place)));
        }
        let Some(zones) = &localities.zones else {
            return Some(class);
        };
        if !zones.routing.chooses() || !is_drawn(zones.enabled, draw) {
            return Some(class);
        }
        if zones.local_panic {
            return Some(class).filter(|_| !settings.fails_traffic_on_panic());
        }
        let place = zones.routing.choose(localities.count(), || draw.draw());
        let near = Source::Locality(level.class, place);
        // What rounding leaves may go to a zone without a host.
        let lost = settings.last_resort && compiled.list(near).is_empty();
        Some(if lost { class } else { near })
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "one call, and each argument is of another kind"
    )]
    fn host(
        &self,
        choice: Choice,
        set: &PrioritySet,
        level: &ChosenLevel,
        key: u64,
        attempt: u32,
        state: &mut State,
        draw: &mut impl Draw,
    ) -> Option<usize> {
        let compiled = set.levels.get(level.priority)?;
        if self.by_table() {
            return self.by_hash(compiled, level, key, attempt, state);
        }
        let source = level.source?;
        let hosts = compiled.list(source);
        if self.facts.key.is_some() {
            return self.by_key(level, hosts, key, attempt);
        }
        let place = match self.plain.settings.policy {
            Policy::Random => key.checked_rem(hosts.len() as u64)? as usize,
            Policy::LeastRequest(config) => {
                let active = |place: usize| self.active(level, hosts, place);
                let weight = |place: usize| {
                    let weight = self.base_weight(level, hosts, place);
                    let biased = biased_weight(weight, active(place), config.active_request_bias());
                    biased * self.slow_start(level, hosts, place)
                };
                let turns = state.turns(self.owner, choice, level.priority, source);
                match turns.and_then(|turns| turns.pick_scheduled(weight)) {
                    Some(place) => place,
                    None => match config.selection {
                        SelectionMethod::Choices(count) => {
                            of_choices(hosts.len(), count.max(2), active, || draw.draw())?
                        }
                        SelectionMethod::FullScan => of_all(hosts.len(), active, || draw.draw())?,
                    },
                }
            }
            _ => {
                let weight = |place: usize| {
                    let weight = self.base_weight(level, hosts, place);
                    weight * self.slow_start(level, hosts, place)
                };
                match state.turns(self.owner, choice, level.priority, source) {
                    Some(turns) => turns.pick(hosts.len(), weight)?,
                    // A state that was made for another snapshot: any host will do.
                    None => key.checked_rem(hosts.len() as u64)? as usize,
                }
            }
        };
        hosts.get(place)
    }

    /// Whether the cluster's hash table chooses.
    fn by_table(&self) -> bool {
        self.facts.key.is_none() && self.plain.settings.policy.hashes()
    }

    /// Another host of the list in place of one that new sessions avoid.
    fn cooler(
        &self,
        set: &PrioritySet,
        level: &ChosenLevel,
        host: Option<usize>,
        draw: &mut impl Draw,
    ) -> Option<usize> {
        let chosen = host?;
        if !self.facts.hosts.is_hot(self.host_ref(level, chosen)) {
            return host;
        }
        let hosts = set.levels.get(level.priority)?.list(level.source?);
        self.by_key(level, hosts, draw.draw(), 0).or(host)
    }

    /// By rendezvous hashing, past the hosts that new sessions avoid while there are others.
    fn by_key(
        &self,
        level: &ChosenLevel,
        hosts: HostList<'_>,
        key: u64,
        attempt: u32,
    ) -> Option<usize> {
        let all = self.plain.levels.get(level.priority)?;
        let chosen = |avoiding: bool| {
            let listed = hosts
                .iter()
                .filter(|&host| !avoiding || !self.facts.hosts.is_hot(self.host_ref(level, host)));
            let scored = listed.clone().map(|host| all.rendezvous_key(host));
            listed
                .clone()
                .nth(rendezvous(scored, key, attempt as usize)?)
        };
        chosen(true).or_else(|| chosen(false))
    }

    fn by_hash(
        &self,
        compiled: &LevelSet,
        level: &ChosenLevel,
        key: u64,
        attempt: u32,
        state: &mut State,
    ) -> Option<usize> {
        let table: &HashTable = compiled.table.as_ref()?;
        let base = table.lookup(key, attempt)?;
        let (Some(factor), Some(listed)) =
            (self.plain.settings.hash_balance_factor, &table.bounded)
        else {
            return Some(base);
        };
        let all = self.facts.hosts.cluster_active(self.owner);
        let overload = |place: usize| {
            let host = listed.hosts.get(place).map_or(0, |host| host.host);
            let active = self.facts.hosts.active(self.host_ref(level, host));
            overload_factor(active, slots(all, factor, listed.weight(place)))
        };
        let (base, len) = (listed.place(base), listed.hosts.len());
        let place = bounded(base, key, len, overload, state.order());
        listed.hosts.get(place).map(|host| host.host)
    }

    const fn host_ref(&self, level: &ChosenLevel, host: usize) -> HostRef {
        HostRef {
            cluster: self.owner,
            priority: level.priority,
            host,
        }
    }

    fn active(&self, level: &ChosenLevel, hosts: HostList<'_>, place: usize) -> u32 {
        let host = hosts.get(place).unwrap_or(0);
        self.facts.hosts.active(self.host_ref(level, host))
    }

    fn base_weight(&self, level: &ChosenLevel, hosts: HostList<'_>, place: usize) -> f64 {
        let all = self.plain.levels.get(level.priority);
        let weight = all
            .zip(hosts.get(place))
            .map(|(all, host)| all.weight(host));
        weight.unwrap_or(1).into()
    }

    fn slow_start(&self, level: &ChosenLevel, hosts: HostList<'_>, place: usize) -> f64 {
        let Some(config) = &self.plain.settings.slow_start else {
            return 1.0;
        };
        let host = self.host_ref(level, hosts.get(place).unwrap_or(0));
        let healthy_for = self.facts.hosts.healthy_for(host);
        healthy_for.map_or(1.0, |elapsed| slow_start_factor(config, elapsed))
    }
}

/// Whether a draw falls within so many percent; certain ones draw nothing.
fn is_drawn(percent: u32, draw: &mut impl Draw) -> bool {
    match percent {
        0 => false,
        100.. => true,
        percent => draw.draw() % 100 < u64::from(percent),
    }
}
