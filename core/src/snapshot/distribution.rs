//! The exact shares that many requests come to.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::{
    ClusterId, HostRef, Kind, LevelSet, PlainSnapshot, PrioritySet, Settings, Snapshot, Source,
    host_shares::HostShares,
    windows::{Window, sources, windows},
};
use crate::{
    decide::{Facts, HostStats, Request, rejects, selections, tried_line, tried_load},
    load::{HostClass, choose_priority},
    model::Metadata,
    pick::{bounded, overload_factor, slots},
    route::{HashPolicy, Headers, request_hash},
    subset::{Choice, SubsetReason, first_step},
};

/// Where the requests for a cluster go, in percent of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Distribution {
    /// How many find no host, those that are dropped beforehand among them.
    pub no_host: f64,
    /// Who gets the rest; hosts that get nothing are left out.
    pub shares: Vec<Share>,
}

/// The share of one host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The cluster that owns the host; under an aggregate one of its members.
    pub owner: ClusterId,
    /// The host's level in that cluster.
    pub priority: usize,
    /// Its index in the level.
    pub host: usize,
    /// Percent of the requests, above 0 and at most 100.
    pub share: f64,
}

impl Snapshot {
    /// The shares of the hosts of a cluster, for requests without criteria.
    ///
    /// `hash` is the request hash; without one, hash policies are averaged over uniformly
    /// distributed hashes. An unknown cluster has no host.
    #[must_use]
    pub fn distribution(&self, cluster: ClusterId, hash: Option<u64>) -> Distribution {
        self.distribution_for(cluster, &Metadata::EMPTY, hash)
    }

    /// The same for requests with these subset criteria.
    #[must_use]
    pub fn distribution_for(
        &self,
        cluster: ClusterId,
        criteria: &Metadata,
        hash: Option<u64>,
    ) -> Distribution {
        let request = Request {
            criteria,
            ..Request::new(cluster, &())
        };
        self.spread(cluster, &request.facts(), hash, &|_| None, true)
    }

    /// Percent of the requests for a cluster that find no host: the same figure as in
    /// [`Snapshot::distribution_for`], without the time that the shares of all hosts take.
    #[must_use]
    pub fn no_host(&self, cluster: ClusterId, criteria: &Metadata) -> f64 {
        let request = Request {
            criteria,
            ..Request::new(cluster, &())
        };
        let facts = request.facts();
        self.spread(cluster, &facts, None, &|_| None, false).no_host
    }

    /// The shares of the hosts that may get this very request: many of its kind, or all turns
    /// and draws of the one. `hash` stands in for the request hash where its policies make none.
    ///
    /// A retry whose choice is rejected is taken to choose anew, independently of the choice
    /// before; only with turns that is not exactly so.
    #[must_use]
    pub fn distribution_of<H: Headers>(
        &self,
        request: &Request<'_, H>,
        hash: Option<u64>,
    ) -> Distribution {
        let made =
            |policies: &[HashPolicy]| request_hash(policies, request.headers, &request.connection);
        let hash = made(request.hash_policies).or(hash);
        self.spread(request.cluster, &request.facts(), hash, &made, true)
    }

    /// `own` makes the hash of a balancer's own policies. Without `shares`, those of hosts that no
    /// hash chooses are left out.
    fn spread(
        &self,
        cluster: ClusterId,
        facts: &Facts<'_>,
        hash: Option<u64>,
        own: &dyn Fn(&[HashPolicy]) -> Option<u64>,
        shares: bool,
    ) -> Distribution {
        let mut builder = Builder {
            snapshot: self,
            facts,
            hash,
            own,
            shares,
            no_host: 0.0,
            levels: Vec::new(),
        };
        match self.cluster(cluster).map(|cluster| &cluster.kind) {
            Some(Kind::Plain(plain)) => {
                let dropped = f64::from(plain.settings.drop_overload.millionths()) / 10_000.0;
                builder.no_host += dropped;
                let mut steps = plain.chain.iter().map(|step| &step.found);
                let asked = first_step(&mut steps, facts.criteria, |_, _, _| {});
                match plain.chain.is_empty() || asked.is_some() {
                    true => builder.cluster(cluster, plain, asked, None, 100.0 - dropped),
                    false => builder.no_host = 100.0,
                }
            }
            Some(Kind::Aggregate(aggregate)) => {
                let mut steps = aggregate.chain.iter().map(|step| &step.found);
                let asked = first_step(&mut steps, facts.criteria, |_, _, _| {});
                let choice = match aggregate.chain.is_empty() {
                    true => Some(Choice::Whole),
                    false => asked.map(|(choice, _)| choice),
                };
                let Some(line) = choice.and_then(|choice| aggregate.line(choice)) else {
                    builder.no_host = 100.0;
                    return builder.finish();
                };
                let adjusted = tried_line(facts, line);
                let (healthy, degraded) = match &adjusted {
                    Some(load) => (&load.healthy, &load.degraded),
                    None => (&line.load.healthy, &line.load.degraded),
                };
                let windows = match facts.roll(hash) {
                    None => windows(healthy, degraded),
                    Some(roll) => {
                        let (priority, class) = choose_priority(roll, healthy, degraded);
                        [Window::all(priority, class)].into()
                    }
                };
                for window in windows {
                    let percent = window.percent();
                    let level = line.levels.get(window.priority);
                    let member = level.and_then(|level| Some((level, self.plain(level.cluster)?)));
                    match member {
                        Some((level, plain)) => {
                            let forced = Some((level.priority, window.class));
                            builder.cluster(level.cluster, plain, asked, forced, percent);
                        }
                        None => builder.no_host += percent,
                    }
                }
            }
            Some(Kind::OriginalDst(_)) | None => builder.no_host = 100.0,
        }
        builder.finish()
    }
}

struct Builder<'a> {
    snapshot: &'a Snapshot,
    facts: &'a Facts<'a>,
    hash: Option<u64>,
    own: &'a dyn Fn(&[HashPolicy]) -> Option<u64>,
    shares: bool,
    no_host: f64,
    levels: Vec<LevelShares>,
}

/// One set of hosts of one cluster.
struct Asked<'a> {
    owner: ClusterId,
    plain: &'a PlainSnapshot,
    settings: &'a Settings,
    set: &'a PrioritySet,
    /// The level that an aggregate chose.
    forced: Option<(usize, HostClass)>,
}

impl Builder<'_> {
    /// `percent` of all requests go to this cluster, `step` is what the chain chose there.
    fn cluster(
        &mut self,
        owner: ClusterId,
        plain: &PlainSnapshot,
        step: Option<(Choice, SubsetReason)>,
        forced: Option<(usize, HostClass)>,
        percent: f64,
    ) {
        let asked = |choice, set| Asked {
            owner,
            plain,
            settings: plain.settings_of(choice),
            set,
            forced,
        };
        let mut left = percent;
        match (&plain.subsets, step) {
            (Some(subsets), None) => {
                subsets.index.choose(self.facts.criteria, |choice, _| {
                    left = match (plain.set(choice), choice) {
                        (Some(set), _) => self.set(&asked(choice, set), left),
                        (None, Choice::Host { priority, host }) => {
                            self.give(owner, priority, host, left);
                            0.0
                        }
                        (None, _) => left,
                    };
                    match left > 0.0 {
                        true => ControlFlow::Continue(()),
                        false => ControlFlow::Break(()),
                    }
                });
            }
            (_, step) => {
                let choice = step.map_or(Choice::Whole, |(choice, _)| choice);
                if let Some(set) = plain.set(choice) {
                    left = self.set(&asked(choice, set), percent);
                }
            }
        }
        self.no_host += left;
    }

    /// Spreads `percent` over a set; what finds no host comes back.
    fn set(&mut self, asked: &Asked<'_>, percent: f64) -> f64 {
        let settings = &asked.plain.settings;
        let own = &settings.hash_policies;
        let hash = if own.is_empty() {
            self.hash
        } else {
            (self.own)(own)
        };
        if let (Some(hash), true) = (hash, settings.policy.hashes()) {
            return match self.by_hash(asked, hash) {
                Some((priority, host)) => {
                    self.give(asked.owner, priority, host, percent);
                    0.0
                }
                None => percent,
            };
        }
        let (shares, none) = self.one_choice(asked);
        self.choices(asked, &shares, none, percent)
    }

    /// The host that a request hash leads to.
    fn by_hash(&self, asked: &Asked<'_>, hash: u64) -> Option<(usize, usize)> {
        let load = &asked.set.load;
        let (priority, _) = choose_priority(hash, &load.healthy, &load.degraded);
        let level = asked.set.levels.get(priority)?;
        let mut found = None;
        for attempt in 0..selections(self.facts) {
            let host = level.table.as_ref()?.lookup(hash, attempt)?;
            let host = self.bounded(asked, level, priority, host, hash);
            found = Some((priority, host));
            let host = self.host_ref(asked, priority, host);
            if !rejects(self.snapshot, self.facts, host) {
                break;
            }
        }
        found
    }

    fn bounded(
        &self,
        asked: &Asked<'_>,
        level: &LevelSet,
        priority: usize,
        base: usize,
        hash: u64,
    ) -> usize {
        let listed = level
            .table
            .as_ref()
            .and_then(|table| table.bounded.as_ref());
        let (Some(factor), Some(listed)) = (asked.plain.settings.hash_balance_factor, listed)
        else {
            return base;
        };
        let stats: &dyn HostStats = self.facts.hosts;
        let all = stats.cluster_active(asked.owner);
        let overload = |place: usize| {
            let host = listed.hosts.get(place).map_or(0, |host| host.host);
            let active = stats.active(self.host_ref(asked, priority, host));
            overload_factor(active, slots(all, factor, listed.weight(place)))
        };
        let mut order = Vec::new();
        let (at, len) = (listed.place(base), listed.hosts.len());
        let place = bounded(at, hash, len, overload, &mut order);
        listed.hosts.get(place).map_or(base, |host| host.host)
    }

    /// Percent of one choice that go to each host, by level, and those that find none.
    fn one_choice(&self, asked: &Asked<'_>) -> (Vec<LevelShares>, f64) {
        let load = &asked.set.load;
        let hashes = asked.plain.settings.policy.hashes();
        let own = |host: &HostRef| Some(host.priority).filter(|_| host.cluster == asked.owner);
        let forced = asked.forced.filter(|_| !hashes);
        let adjusted = match (hashes, forced) {
            (false, None) => tried_load(self.facts, &load.availability, &own),
            _ => None,
        };
        let windows = match (forced, &adjusted) {
            // The level is settled, and the draw for it is free to choose any host.
            (Some((priority, class)), _) => [Window::all(priority, class)].into(),
            (None, Some(load)) => windows(&load.healthy, &load.degraded),
            (None, None) => windows(&load.healthy, &load.degraded),
        };
        let mut levels: Vec<LevelShares> = Vec::new();
        let mut none = 0.0;
        for window in &windows {
            let Some(level) = asked.set.levels.get(window.priority) else {
                none += window.percent();
                continue;
            };
            let panic = load.panics(window.priority);
            let sources = match hashes {
                true => [(Source::Class(HostClass::Healthy), 1.0)].into(),
                false => sources(asked.settings, level, window.class, panic),
            };
            let mut served = 0.0;
            for (source, part) in sources {
                let list = level.list(source);
                if !self.shares && !hashes {
                    // Whatever the policy, a list with hosts serves all that comes to it.
                    let all = if list.is_empty() {
                        0.0
                    } else {
                        window.percent()
                    };
                    served += all * part;
                    continue;
                }
                let hosts = HostShares {
                    owner: asked.owner,
                    plain: asked.plain,
                    priority: window.priority,
                    level,
                    list,
                    stats: self.facts.hosts,
                };
                let found = hosts.of_window(window);
                served += found.iter().map(|(_, share)| share * part).sum::<f64>();
                for (host, share) in found {
                    give(
                        &mut levels,
                        asked.owner,
                        window.priority,
                        host,
                        share * part,
                    );
                }
            }
            none += (window.percent() - served).max(0.0);
        }
        // What is left by rounding alone is nothing.
        (levels, if none < 1e-10 { 0.0 } else { none })
    }

    /// Gives `percent` out, choosing again where predicates reject.
    fn choices(
        &mut self,
        asked: &Asked<'_>,
        shares: &[LevelShares],
        none: f64,
        percent: f64,
    ) -> f64 {
        let rejected = |priority, host| {
            rejects(
                self.snapshot,
                self.facts,
                self.host_ref(asked, priority, host),
            )
        };
        let most = selections(self.facts);
        let all = || {
            shares.iter().flat_map(|level| {
                let hosts = level.shares.iter().enumerate();
                hosts.map(move |(host, share)| (level.priority, host, *share))
            })
        };
        // Of the choices, the part that is made again; without predicates none is.
        let again: f64 = match most {
            1 => 0.0,
            _ => all()
                .filter(|(priority, host, _)| rejected(*priority, *host))
                .map(|(_, _, share)| share / 100.0)
                .sum(),
        };
        let last = libm::pow(again, f64::from(most - 1));
        let rounds: f64 = (0..most)
            .map(|round| libm::pow(again, f64::from(round)))
            .sum();
        let given: Vec<(usize, usize, f64)> = all()
            .map(|(priority, host, share)| {
                let factor = match most > 1 && rejected(priority, host) {
                    true => last,
                    false => rounds,
                };
                (priority, host, share * (percent / 100.0) * factor)
            })
            .collect();
        for (priority, host, share) in given {
            self.give(asked.owner, priority, host, share);
        }
        none * (percent / 100.0) * rounds
    }

    const fn host_ref(&self, asked: &Asked<'_>, priority: usize, host: usize) -> HostRef {
        HostRef {
            cluster: asked.owner,
            priority,
            host,
        }
    }

    fn give(&mut self, owner: ClusterId, priority: usize, host: usize, share: f64) {
        give(&mut self.levels, owner, priority, host, share);
    }

    fn finish(self) -> Distribution {
        let shares = self.levels.into_iter().flat_map(|level| {
            let (owner, priority) = (level.owner, level.priority);
            (0..).zip(level.shares).map(move |(host, share)| Share {
                owner,
                priority,
                host,
                share,
            })
        });
        Distribution {
            no_host: self.no_host,
            shares: shares.filter(|share| share.share > 0.0).collect(),
        }
    }
}

/// The shares of one level's hosts.
struct LevelShares {
    owner: ClusterId,
    priority: usize,
    shares: Vec<f64>,
}

fn give(levels: &mut Vec<LevelShares>, owner: ClusterId, priority: usize, host: usize, share: f64) {
    let of_level = |level: &LevelShares| level.owner == owner && level.priority == priority;
    let at = match levels.iter().position(of_level) {
        Some(at) => at,
        None => {
            levels.push(LevelShares {
                owner,
                priority,
                shares: Vec::new(),
            });
            levels.len() - 1
        }
    };
    if let Some(level) = levels.get_mut(at) {
        if level.shares.len() <= host {
            level.shares.resize(host + 1, 0.0);
        }
        if let Some(sum) = level.shares.get_mut(host) {
            *sum += share;
        }
    }
}
