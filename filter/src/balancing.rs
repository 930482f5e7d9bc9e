//! One configuration that balances: what requests need, and how it follows the hosts.

use crate::health::{Live, Trust};
use crate::host;
use crate::plugin::{Built, Plugin, listed};
use crate::sessions::Directory;
use crate::worker::Worker;
use spillgate_config::filter::Health;
use spillgate_core::snapshot::Snapshot;
use std::cell::RefCell;
use std::rc::Rc;

/// A configuration and what it knows of its hosts.
pub(crate) struct Balancing {
    serving: Serving,
    live: Option<Live>,
}

/// What requests need. Those under way keep what they began with.
#[derive(Clone)]
pub(crate) struct Serving {
    /// What was configured, compiled; never changed.
    pub(crate) plugin: Rc<Plugin>,
    /// The hosts as they are; replaced whole.
    pub(crate) snapshot: Rc<Snapshot>,
    /// The ids of their hosts, where sessions are kept.
    pub(crate) directory: Rc<Directory>,
    /// How far that can be relied on, by the number of the cluster.
    pub(crate) trust: Rc<[Trust]>,
    /// What changes with each request.
    pub(crate) worker: Rc<RefCell<Worker>>,
}

impl Balancing {
    /// Puts a whole configuration in place of the one that serves, if there is one.
    pub(crate) fn begin(built: Built, before: Option<Self>) -> Self {
        let Built {
            plugin,
            snapshot,
            model,
            health,
            tick,
            warnings,
        } = built;
        if !warnings.is_empty() {
            log::warn!("spillgate: {}", listed(&warnings));
        }
        let worker = match before.map(|before| before.serving) {
            Some(old) => {
                if let Ok(mut worker) = old.worker.try_borrow_mut() {
                    worker.reconfigured(&old.snapshot, &snapshot, plugin.reported_active);
                }
                old.worker
            }
            None => Rc::new(RefCell::new(Worker::new(&snapshot, plugin.reported_active))),
        };
        let live = match health {
            Health::Static => None,
            Health::Admin(admin) => {
                host::tick_every(tick);
                let now = host::nanoseconds().unwrap_or(0);
                let active = plugin.reported_active;
                Some(Live::new(admin, model, &snapshot, active, now))
            }
        };
        let mut balancing = Self {
            serving: Serving {
                directory: Rc::new(plugin.directory(&snapshot)),
                plugin: Rc::new(plugin),
                snapshot: Rc::new(snapshot),
                trust: Rc::default(),
                worker,
            },
            live,
        };
        // What is known already counts from the first request on.
        balancing.look();
        balancing
    }

    /// What the next request needs.
    pub(crate) fn serving(&self) -> Serving {
        self.serving.clone()
    }

    /// Polls where it is time, and looks what is new.
    pub(crate) fn tick(&mut self) {
        let now = host::nanoseconds().unwrap_or(0);
        if let Some(live) = &mut self.live
            && let Ok(mut worker) = self.serving.worker.try_borrow_mut()
        {
            live.poll(now, || worker.draw());
        }
        self.look();
    }

    /// Takes the answer to a call.
    pub(crate) fn answered(&mut self, token: u32, size: usize) {
        if let Some(live) = &mut self.live {
            live.answered(token, size, host::nanoseconds().unwrap_or(0));
            self.look();
        }
    }

    fn look(&mut self) {
        let Some(live) = &mut self.live else {
            return;
        };
        let serving = &mut self.serving;
        let change = live.look(&serving.snapshot, host::nanoseconds().unwrap_or(0));
        if let Ok(mut worker) = serving.worker.try_borrow_mut() {
            if let Some(snapshot) = change.snapshot {
                match change.members {
                    true => {
                        worker.regrouped(&serving.snapshot, &snapshot);
                        serving.directory = Rc::new(serving.plugin.directory(&snapshot));
                    }
                    false => worker.carry_over(&serving.snapshot, &snapshot),
                }
                serving.snapshot = Rc::new(snapshot);
            }
            for (cluster, counts) in change.active {
                worker.active.report(cluster, &counts);
            }
        }
        let trust = live.trust(&serving.snapshot);
        if *serving.trust != *trust {
            serving.trust = trust.into();
        }
    }
}
