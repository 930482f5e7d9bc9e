//! The configuration that serves requests, and how updated hosts replace the present ones.

use alloc::{boxed::Box, rc::Rc, vec::Vec};
use core::cell::RefCell;

use spillgate_config::filter::HealthSource;
use spillgate_core::{
    decide::{Decision, Reason, SessionSpread},
    snapshot::{ClusterId, Snapshot},
};

use crate::{
    hosts::{ActiveRequestCounts, Freshness, HostChange, Hosts, Live, LiveSettings},
    metrics::NotFollowedCounters,
    port::{AdminResponse, HealthPort, Plugin},
    session::{HostDirectory, RequestSession},
    settings::{CompiledConfig, Settings},
    worker::Worker,
};

/// A configuration that serves requests, with the last known state of its hosts.
pub struct Balancing {
    serving: Serving,
    live: Option<Live>,
}

/// The state that a request uses. A request keeps the state that it started with.
#[derive(Clone)]
pub struct Serving {
    /// The settings; never changed.
    pub(crate) settings: Rc<Settings>,
    /// The last known state of the hosts; replaced as a whole.
    pub(crate) snapshot: Rc<Snapshot>,
    /// The ids of these hosts in session tokens; empty without `affinity`.
    pub(crate) directory: Rc<HostDirectory>,
    /// How current the snapshot is, by cluster id. Clusters that are not listed are fresh.
    pub(crate) freshness: Rc<[Freshness]>,
    /// The state that changes with each request.
    pub(crate) worker: Rc<RefCell<Worker>>,
    /// The ids of the latest hosts, for responses: a request that keeps its own hosts until its
    /// response would keep a snapshot for each change of hosts.
    pub(crate) latest: Rc<RefCell<Rc<HostDirectory>>>,
}

impl Serving {
    /// The same configuration and hosts with a worker that has seen no request.
    pub(crate) fn with_new_worker(&self, plugin: &impl Plugin) -> Self {
        let worker = Worker::new(plugin, &self.snapshot, self.settings.active_requests);
        Self {
            worker: Rc::new(RefCell::new(worker)),
            ..self.clone()
        }
    }

    /// How the session of a request chooses the hosts to try after the host of a decision.
    pub(crate) fn spread(
        &self,
        decision: &Decision,
        session: Option<&RequestSession>,
    ) -> SessionSpread<'_> {
        match (decision.priority, session) {
            (Some(priority), Some(session)) if decision.reason == Reason::Session => {
                SessionSpread {
                    session: session.number(),
                    order: self.directory.order(priority.owner, priority.number),
                }
            }
            _ => SessionSpread::default(),
        }
    }

    /// How current the hosts of a cluster are.
    pub(crate) fn freshness(&self, cluster: ClusterId) -> Freshness {
        let known = self.freshness.get(cluster.index());
        known.copied().unwrap_or(Freshness::Fresh)
    }

    /// The clusters that can own the host of a session in a request to this target: its member
    /// clusters, and for a weighted split those of all its clusters.
    pub(crate) fn session_owners(&self, target: ClusterId) -> Vec<ClusterId> {
        let mut owners: Vec<ClusterId> = self.snapshot.owners(target).collect();
        let split = self.settings.targets.split();
        if split.contains(&target) {
            for &other in split {
                owners.extend(self.snapshot.owners(other));
            }
        }
        owners
    }

    /// Those of them whose hosts are unknown, by name.
    pub(crate) fn unknown_owners(&self, target: ClusterId) -> impl Iterator<Item = &str> {
        let owners = self.session_owners(target).into_iter();
        let unknown = owners.filter(|&owner| self.freshness(owner).is_unknown());
        unknown.filter_map(|owner| Some(&*self.snapshot.cluster(owner)?.name))
    }
}

impl Balancing {
    /// Serves a configuration from now on. `before` is the one that it replaces: clusters in both
    /// keep their state.
    pub fn begin<P: HealthPort>(plugin: &P, config: CompiledConfig, before: Option<Self>) -> Self {
        let CompiledConfig {
            settings,
            snapshot,
            model,
            health,
            on_unknown,
            selects_hosts,
            metadata_interval,
            tick,
        } = config;
        let source = settings.active_requests;
        let worker = match before.map(|before| before.serving) {
            Some(old) => {
                if let Ok(mut worker) = old.worker.try_borrow_mut() {
                    worker.reconfigure(&old.snapshot, &snapshot, source);
                }
                old.worker
            }
            None => Rc::new(RefCell::new(Worker::new(plugin, &snapshot, source))),
        };
        let live = match health {
            HealthSource::Static | HealthSource::Envoy { .. } => None,
            HealthSource::Admin(admin) => {
                plugin.tick_every(tick);
                let settings = LiveSettings {
                    admin,
                    on_unknown,
                    selects_hosts,
                    metadata_interval,
                    active: source,
                    tick,
                };
                Some(Live::new(plugin, settings, model, &snapshot))
            }
        };
        if let Ok(mut worker) = worker.try_borrow_mut() {
            worker.not_followed = NotFollowedCounters::new(live.is_some());
        }
        let directory = Rc::new(settings.directory(&snapshot));
        let mut balancing = Self {
            serving: Serving {
                latest: Rc::new(RefCell::new(directory.clone())),
                directory,
                settings: Rc::new(settings),
                snapshot: Rc::new(snapshot),
                freshness: Rc::default(),
                worker,
            },
            live,
        };
        // Published hosts apply from the first request on; if none are, the first poll does not wait
        // for a tick.
        balancing.tick(plugin);
        balancing
    }

    /// Reads active requests from the proxy from now on.
    pub fn count_with(&mut self, proxy: impl ActiveRequestCounts + 'static) {
        if let Ok(mut worker) = self.serving.worker.try_borrow_mut() {
            worker.active.proxy = Some(Box::new(proxy));
        }
    }

    /// The last known state of the hosts.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.serving.snapshot
    }

    /// The state that the next request uses.
    #[must_use]
    pub fn serving(&self) -> Serving {
        self.serving.clone()
    }

    /// Sends due polls, and applies published changes.
    pub fn tick<P: HealthPort>(&mut self, plugin: &P) {
        if let Some(live) = &mut self.live
            && let Ok(mut worker) = self.serving.worker.try_borrow_mut()
        {
            // Polls before it refreshes: a response of this tick's poll arrives later, published data of
            // other workers apply now.
            live.poll(plugin, || worker.draw());
        }
        self.refresh(plugin);
    }

    /// Handles a response of the admin interface.
    pub fn on_admin_response<P: HealthPort>(&mut self, plugin: &P, response: &AdminResponse<'_>) {
        if let Some(live) = &mut self.live {
            live.on_response(plugin, response);
            self.refresh(plugin);
        }
    }

    fn refresh<P: HealthPort>(&mut self, plugin: &P) {
        let Some(live) = &mut self.live else {
            return;
        };
        let change = live.refresh(plugin, &self.serving.snapshot);
        let freshness = live.freshness(&self.serving.snapshot);
        let (now, polled) = live.polled();
        self.update(change);
        if let Ok(mut worker) = self.serving.worker.try_borrow_mut() {
            worker.not_followed.tick(plugin, now, polled);
        }
        if *self.serving.freshness != *freshness {
            self.serving.freshness = freshness.into();
        }
    }

    /// Applies a change of hosts.
    pub fn update(&mut self, change: HostChange) {
        let serving = &mut self.serving;
        let Ok(mut worker) = serving.worker.try_borrow_mut() else {
            // Callbacks do not nest, so no request holds it.
            return;
        };
        match change.hosts {
            Hosts::Same => {}
            Hosts::NewHealth(snapshot) => {
                worker.carry_over(&serving.snapshot, &snapshot);
                serving.snapshot = Rc::new(snapshot);
            }
            Hosts::NewHosts(snapshot) => {
                let old = &*serving.snapshot;
                worker.regroup(old, &snapshot);
                let (settings, known) = (&serving.settings, &serving.directory);
                serving.directory = Rc::new(settings.updated_directory(known, old, &snapshot));
                serving.latest.replace(serving.directory.clone());
                serving.snapshot = Rc::new(snapshot);
            }
        }
        for (cluster, counts) in change.active {
            worker.active.set_reported(cluster, &counts);
        }
    }

    /// Sets the clusters whose hosts are unknown; the hosts of all others are current.
    pub fn set_unknown(&mut self, unknown: &[ClusterId]) {
        let serving = &mut self.serving;
        let state = Freshness::Unknown(serving.settings.on_unknown);
        let known = |id| {
            Some(if unknown.contains(&id) {
                state
            } else {
                Freshness::Fresh
            })
        };
        serving.freshness = Freshness::of_clusters(&serving.snapshot, known).into();
    }
}
