//! The run of one seed.

use std::{fmt, sync::Arc};

use spillgate_modulehost::{
    ClusterHosts, ClusterNumber, Extension, FakeEnvoy, HostHeaders, LoadedFilter, RouteCluster,
    WorkerThread,
};

use crate::{
    configurations::{self, CLUSTERS, Sessions},
    dice::Dice,
    random_hosts,
    report::{self, Ending, RequestReport},
    requests::{self, SentToken},
};

const WORKERS: usize = 2;
/// Envoy has two clusters of a name only while it replaces one; the module accepts more.
const MOST_CLUSTERS: usize = 6;
const MOST_FILTERS: usize = 4;
const MOST_TOKENS: usize = 20;

/// What a run did.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) requests: u64,
    pub(crate) decided: u64,
    pub(crate) choices: u64,
    pub(crate) updates: u64,
    pub(crate) configurations: u64,
    pub(crate) refused_configurations: u64,
    pub(crate) forged_tokens: u64,
}

/// Envoy with random clusters, hosts, configurations and requests.
pub(crate) struct HostileRun {
    dice: Dice,
    clusters: Vec<RunCluster>,
    filters: Vec<RunFilter>,
    extension: Option<Extension>,
    tokens: Vec<Vec<u8>>,
    figures: Figures,
    envoy: FakeEnvoy,
}

#[derive(Debug)]
struct RunCluster {
    number: ClusterNumber,
    name: &'static str,
    /// As the main thread has them.
    hosts: ClusterHosts,
}

struct RunFilter {
    config: Arc<LoadedFilter>,
    sessions: Sessions,
}

impl HostileRun {
    pub(crate) fn start(seed: u64) -> Self {
        Self {
            dice: Dice::new(seed),
            clusters: Vec::new(),
            filters: Vec::new(),
            extension: None,
            tokens: Vec::new(),
            figures: Figures::default(),
            envoy: FakeEnvoy::start(WORKERS),
        }
    }

    /// Runs this number of steps, then ends everything.
    pub(crate) fn steps(mut self, steps: usize) -> Figures {
        for _ in 0..steps {
            self.step();
            // They may be many, and no check reads them.
            drop(spillgate_modulehost::messages());
        }
        // Open requests keep their configurations; Envoy ends its workers first.
        self.filters.clear();
        if self.dice.one_in(2) {
            self.extension = None;
        }
        self.envoy.finish();
        self.figures
    }

    fn step(&mut self) {
        match self.dice.below(100) {
            0..4 => self.add_cluster(),
            4..6 => self.remove_cluster(),
            6..8 => self.replace_cluster(),
            8..20 => self.update(),
            20..25 => self.add_filter(),
            25..28 => self.remove_filter(),
            28..31 => self.change_extension(),
            31..45 => self.choose(),
            45..52 => self.end_open_request(),
            _ => self.request(),
        }
    }

    fn add_cluster(&mut self) {
        if self.clusters.len() >= MOST_CLUSTERS {
            return;
        }
        let name = self.dice.pick(&CLUSTERS);
        let hosts = random_hosts::host_set(&mut self.dice);
        let policy = configurations::policy(&mut self.dice);
        let number = self.envoy.add_cluster(name, policy, &hosts);
        self.clusters.push(RunCluster {
            number,
            name,
            hosts,
        });
    }

    fn remove_cluster(&mut self) {
        if let Some(at) = self.dice.place(&self.clusters) {
            self.envoy.remove_cluster(self.clusters.remove(at).number);
        }
    }

    fn replace_cluster(&mut self) {
        let Some(at) = self.dice.place(&self.clusters) else {
            return self.add_cluster();
        };
        let hosts = if self.dice.one_in(2) {
            random_hosts::host_set(&mut self.dice)
        } else {
            ClusterHosts::of(&[])
        };
        let policy = configurations::policy(&mut self.dice);
        let cluster = &mut self.clusters[at];
        let old = cluster.number;
        cluster.number = self
            .envoy
            .replace_cluster(old, cluster.name, policy, &hosts);
        cluster.hosts = hosts;
    }

    fn update(&mut self) {
        let Some(at) = self.dice.place(&self.clusters) else {
            return self.add_cluster();
        };
        let cluster = &mut self.clusters[at];
        if self.dice.one_in(3) {
            cluster.hosts = random_hosts::host_set(&mut self.dice);
        } else {
            random_hosts::change(&mut self.dice, &mut cluster.hosts);
        }
        // Sometimes the workers learn of it with a later update only.
        if self.dice.one_in(4) {
            self.envoy
                .update_main_thread(cluster.number, &cluster.hosts);
        } else {
            self.envoy.update(cluster.number, &cluster.hosts);
        }
        self.figures.updates += 1;
    }

    fn add_filter(&mut self) {
        if self.filters.len() >= MOST_FILTERS {
            return;
        }
        let (text, sessions) = configurations::filter(&mut self.dice);
        self.figures.configurations += 1;
        match LoadedFilter::read(&text) {
            Some(config) => self.filters.push(RunFilter { config, sessions }),
            None => self.figures.refused_configurations += 1,
        }
    }

    /// The main thread or a worker is the last owner, unless a request is open.
    fn remove_filter(&mut self) {
        if let Some(at) = self.dice.place(&self.filters) {
            let config = self.filters.remove(at).config;
            if self.dice.one_in(2) {
                self.worker().post(move |_| drop(config));
            }
        }
    }

    fn change_extension(&mut self) {
        let cluster = self.dice.pick(&["near", "far", "with_colon"]);
        match &self.extension {
            None => self.extension = Some(Extension::start()),
            Some(_) if self.dice.one_in(4) => self.extension = None,
            Some(extension) => extension.set_excluded(cluster, self.dice.below(5) as u64),
        }
    }

    fn choose(&mut self) {
        let Some(at) = self.dice.place(&self.clusters) else {
            return;
        };
        let number = self.clusters[at].number;
        let headers = (!self.dice.one_in(5)).then(|| {
            let user = self.dice.text(&["u1", "u2", "u3"]);
            HostHeaders::default().with(b"x-user", &user)
        });
        self.figures.choices += 1;
        // The host checks the chosen place.
        if self.dice.one_in(4) {
            let balancer = self.envoy.balancer(number).expect("added");
            let _ = balancer.choose(headers.as_ref());
            return;
        }
        self.worker().run(move |state| {
            let balancer = state.balancers.get(&number).expect("added");
            let _ = balancer.choose(headers.as_ref());
        });
    }

    fn request(&mut self) {
        let Some(at) = self.dice.place(&self.filters) else {
            return self.add_filter();
        };
        let (config, sessions) = (self.filters[at].config.clone(), self.filters[at].sessions);
        let (request, sent) = requests::request(&mut self.dice, sessions, &self.tokens);
        let route = requests::route(&mut self.dice);
        let follows = !matches!(route.cluster(), RouteCluster::Named(_));
        let ending = match sent {
            SentToken::Forged => Ending::Response,
            SentToken::Unknown => Ending::ALL[self.dice.below(Ending::ALL.len())],
        };
        let how = (sessions, ending);
        let report = if self.dice.one_in(5) {
            // Envoy's main thread serves requests to the admin interface; the module accepts others too.
            report::live(&config, request, route, how).0
        } else {
            self.worker().run(move |state| {
                let (report, open) = report::live(&config, request, route, how);
                state.streams.extend(open);
                report
            })
        };
        self.check(&report, follows);
        if sent == SentToken::Forged {
            self.figures.forged_tokens += 1;
            let is_new = !report.tokens.is_empty();
            assert!(
                is_new || !report.responded || !follows,
                "a forged token serves: {report:?}"
            );
        }
        self.keep_tokens(report.tokens);
    }

    fn check(&mut self, report: &RequestReport, follows: bool) {
        self.figures.requests += 1;
        self.figures.decided += u64::from(!report.hosts.is_empty());
        assert!(report.leaked.is_empty(), "{report:?}");
        // A route that ignores the decision goes to a cluster of its own.
        let is_published = |host: &String| {
            let clusters = self.clusters.iter();
            let mut owners = clusters
                .filter(|cluster| !follows || report.cluster.as_deref() == Some(cluster.name));
            owners.any(|cluster| cluster.hosts.addresses().contains(host))
        };
        let stranger = report.hosts.iter().find(|host| !is_published(host));
        assert_eq!(stranger, None, "{report:?}: {:#?}", self.clusters);
    }

    fn keep_tokens(&mut self, tokens: Vec<Vec<u8>>) {
        self.tokens.extend(tokens);
        let surplus = self.tokens.len().saturating_sub(MOST_TOKENS);
        self.tokens.drain(..surplus);
    }

    fn end_open_request(&mut self) {
        let (at, responds) = (self.dice.below(1_000), self.dice.one_in(2));
        self.worker().run(move |state| {
            if !state.streams.is_empty() {
                let stream = state.streams.swap_remove(at % state.streams.len());
                if responds {
                    stream.respond("10.0.0.1:80", HostHeaders::default());
                }
            }
        });
    }

    fn worker(&mut self) -> &WorkerThread {
        &self.envoy.workers()[self.dice.below(WORKERS)]
    }
}

impl Figures {
    pub(crate) fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.decided += other.decided;
        self.choices += other.choices;
        self.updates += other.updates;
        self.configurations += other.configurations;
        self.refused_configurations += other.refused_configurations;
        self.forged_tokens += other.forged_tokens;
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} requests, {} of them decided, {} with a forged token; {} choices of the policy; {} updates of \
             hosts; {} configurations, {} of them refused",
            self.requests,
            self.decided,
            self.forged_tokens,
            self.choices,
            self.updates,
            self.configurations,
            self.refused_configurations
        )
    }
}
