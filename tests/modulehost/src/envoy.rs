//! Envoy's threads and clusters.

#![allow(unsafe_code, reason = "the hooks are C functions")]

use std::{
    collections::BTreeMap,
    ffi::CStr,
    marker::PhantomData,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{
    abi::hooks,
    balancer::{Balancer, ClusterNumber},
    balancer_config::PolicyConfig,
    balancer_hosts::ClusterHosts,
    process,
    scheduler::call_scheduled,
    worker::WorkerThread,
};

/// The module has one state for the process, so only one host runs at a time.
static ONLY: Mutex<()> = Mutex::new(());

/// Envoy: this thread is its main thread.
pub struct FakeEnvoy {
    workers: Vec<WorkerThread>,
    balancers: BTreeMap<ClusterNumber, Balancer>,
    next: u64,
    _only: MutexGuard<'static, ()>,
    main_thread: PhantomData<*const ()>,
}

impl FakeEnvoy {
    /// Loads the module, with this number of workers.
    ///
    /// # Panics
    /// If the module refuses to load.
    #[must_use]
    pub fn start(workers: usize) -> Self {
        let only = ONLY.lock().unwrap_or_else(PoisonError::into_inner);
        process::set_main_thread(true);
        // SAFETY: the hook has no arguments, and its text is constant.
        let version = unsafe { CStr::from_ptr(hooks::program_init()) };
        assert_eq!(version, c"v0.2.0");
        Self {
            workers: (0..workers).map(|_| WorkerThread::start()).collect(),
            balancers: BTreeMap::new(),
            next: 0,
            _only: only,
            main_thread: PhantomData,
        }
    }

    /// The workers.
    #[must_use]
    pub fn workers(&self) -> &[WorkerThread] {
        &self.workers
    }

    /// Adds a cluster with our policy, on all threads.
    ///
    /// # Panics
    /// If the module refuses the configuration of the policy.
    pub fn add_cluster(
        &mut self,
        name: &str,
        policy: &[u8],
        hosts: &ClusterHosts,
    ) -> ClusterNumber {
        let number = self.create(name, policy);
        self.update(number, hosts);
        number
    }

    /// Replaces a cluster by one of the same name: the new load balancer of a thread gets its hosts after the
    /// old one has ended, and learns of no hosts if it has none.
    ///
    /// # Panics
    /// If the module refuses the configuration of the policy.
    pub fn replace_cluster(
        &mut self,
        old: ClusterNumber,
        name: &str,
        policy: &[u8],
        hosts: &ClusterHosts,
    ) -> ClusterNumber {
        let number = self.create(name, policy);
        self.remove(old);
        if hosts.priorities.iter().any(|hosts| !hosts.is_empty()) {
            self.update(number, hosts);
        }
        call_scheduled();
        number
    }

    /// A cluster whose load balancers have no hosts yet.
    fn create(&mut self, name: &str, policy: &[u8]) -> ClusterNumber {
        let config = PolicyConfig::read(policy).expect("a valid configuration of the policy");
        self.next += 1;
        let number = ClusterNumber(self.next);
        let balancer = Balancer::create(name, &config);
        self.balancers.insert(number, balancer);
        for worker in &self.workers {
            let (name, config) = (name.to_owned(), config.clone());
            worker.post(move |state| {
                let balancer = Balancer::create(&name, &config);
                state.balancers.insert(number, balancer);
            });
        }
        number
    }

    /// Replaces the hosts of a cluster, on all threads.
    pub fn update(&self, cluster: ClusterNumber, hosts: &ClusterHosts) {
        self.update_main_thread(cluster, hosts);
        let hosts = Arc::new(hosts.clone());
        for worker in &self.workers {
            let hosts = hosts.clone();
            worker.post(move |state| {
                if let Some(balancer) = state.balancers.get(&cluster) {
                    balancer.update(&hosts);
                }
            });
        }
    }

    /// Replaces the hosts of a cluster as the main thread has them, before the workers learn of it.
    pub fn update_main_thread(&self, cluster: ClusterNumber, hosts: &ClusterHosts) {
        if let Some(balancer) = self.balancers.get(&cluster) {
            balancer.update(hosts);
        }
        call_scheduled();
    }

    /// Removes a cluster, on all threads.
    pub fn remove_cluster(&mut self, cluster: ClusterNumber) {
        self.remove(cluster);
        call_scheduled();
    }

    fn remove(&mut self, cluster: ClusterNumber) {
        self.balancers.remove(&cluster);
        for worker in &self.workers {
            worker.post(move |state| drop(state.balancers.remove(&cluster)));
        }
    }

    /// The load balancer of the main thread.
    #[must_use]
    pub fn balancer(&self, cluster: ClusterNumber) -> Option<&Balancer> {
        self.balancers.get(&cluster)
    }

    /// Waits until every worker has done its work.
    pub fn settle(&self) {
        for worker in &self.workers {
            worker.run(|_| ());
        }
    }

    /// Ends all clusters and threads.
    ///
    /// # Panics
    /// If a worker or a hook panicked.
    pub fn finish(mut self) {
        self.workers.clear();
        self.balancers.clear();
        assert_eq!(process::take_panics(), 0, "hooks panicked");
    }
}

impl Drop for FakeEnvoy {
    fn drop(&mut self) {
        self.workers.clear();
        self.balancers.clear();
        process::take_panics();
        process::set_main_thread(false);
    }
}
