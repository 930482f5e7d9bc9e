//! The load balancer of a cluster on one thread.

#![allow(unsafe_code, reason = "the hooks are C functions")]

use std::{cell::RefCell, ptr, sync::Arc};

use crate::{
    abi::{Own, hooks},
    balancer_config::PolicyConfig,
    balancer_hosts::{ClusterHosts, ReportedHealth},
    headers::HostHeaders,
    lent::Lent,
};

/// Distinguishes clusters of the same name, of which Envoy has two while it replaces one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClusterNumber(pub(crate) u64);

/// The load balancer as the module reaches it by its address.
pub(crate) struct BalancerObject {
    pub(crate) cluster: Box<[u8]>,
    pub(crate) hosts: RefCell<ClusterHosts>,
}

/// The request for which a host is chosen, as the module reaches it by its address.
pub(crate) struct ChoiceObject {
    pub(crate) headers: HostHeaders,
}

/// A load balancer in Envoy, until it is dropped. It belongs to its thread.
pub struct Balancer {
    policy: Own,
    object: Lent<BalancerObject>,
    _config: Arc<PolicyConfig>,
}

/// A host that the policy chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenHost {
    /// Its priority.
    pub priority: u32,
    /// Its address.
    pub address: String,
}

impl Balancer {
    /// A new load balancer, without hosts.
    #[must_use]
    pub fn create(cluster: &str, config: &Arc<PolicyConfig>) -> Self {
        let object = Lent::new(BalancerObject {
            cluster: cluster.as_bytes().into(),
            hosts: RefCell::default(),
        });
        let policy = config.new_policy(object.address());
        Self {
            policy,
            object,
            _config: config.clone(),
        }
    }

    /// Replaces the hosts, whose texts then have other addresses, and reports it to the module.
    pub fn update(&self, hosts: &ClusterHosts) {
        self.object.hosts.replace(hosts.clone());
        // SAFETY: both objects exist.
        unsafe { hooks::policy_update(self.object.address(), self.policy, 0, 0) }
    }

    /// Asks for the host of an attempt; without headers, no request asks.
    ///
    /// # Panics
    /// If the policy chooses a host that Envoy does not accept.
    #[must_use]
    pub fn choose(&self, headers: Option<&HostHeaders>) -> Option<ChosenHost> {
        let choice = headers.map(|headers| {
            Lent::new(ChoiceObject {
                headers: headers.clone(),
            })
        });
        let context = choice.as_ref().map_or(ptr::null_mut(), Lent::address);
        let (mut priority, mut index) = (u32::MAX, u32::MAX);
        // SAFETY: all objects and variables exist during the call.
        let found = unsafe {
            hooks::policy_choose(
                self.object.address(),
                self.policy,
                context,
                &raw mut priority,
                &raw mut index,
            )
        };
        found.then(|| self.healthy(priority, index))
    }

    /// A host by its place among the healthy hosts.
    fn healthy(&self, priority: u32, index: u32) -> ChosenHost {
        let hosts = self.object.hosts.borrow();
        let of_priority = hosts.priorities.get(priority as usize);
        let mut healthy = of_priority
            .into_iter()
            .flatten()
            .filter(|host| host.health == ReportedHealth::Healthy);
        let host = healthy
            .nth(index as usize)
            .expect("a place among the healthy hosts");
        ChosenHost {
            priority,
            address: String::from_utf8_lossy(&host.address).into_owned(),
        }
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        // SAFETY: both objects exist; this is the last hook of the policy.
        unsafe { hooks::policy_destroy(self.policy) }
    }
}
