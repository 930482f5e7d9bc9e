//! The load balancer of a cluster: its hosts, and a choice of a host.

use core::marker::PhantomData;

use super::{Address, Buffer, Header, imports};

/// `rq_active` among the statistics of a host.
const ACTIVE_REQUESTS: u32 = 7;

/// The load balancer of a cluster, inside one of its hooks.
pub(crate) struct BalancerHandle<'hook> {
    at: Address,
    hook: PhantomData<&'hook ()>,
}

/// The place of a host: its priority, and its index among all hosts of the priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HostPlace {
    pub(crate) priority: u32,
    pub(crate) host: usize,
}

/// The health of a host. A draining host is unhealthy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HostHealth {
    Unhealthy,
    Degraded,
    Healthy,
}

/// The locality of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LocalityNames<'a> {
    pub(crate) region: &'a [u8],
    pub(crate) zone: &'a [u8],
    pub(crate) sub_zone: &'a [u8],
}

impl BalancerHandle<'_> {
    /// The load balancer of a hook.
    ///
    /// # Safety
    /// `at` must be the load balancer that Envoy passed to a hook that has not returned, or one of this
    /// thread that it has not destroyed.
    pub(crate) const unsafe fn new(at: Address) -> Self {
        Self {
            at,
            hook: PhantomData,
        }
    }

    /// The load balancer beyond this hook. The hook that destroys it must drop this.
    pub(crate) const fn kept(&self) -> KeptBalancer {
        KeptBalancer(self.at)
    }

    /// The name of the cluster.
    pub(crate) fn cluster(&self) -> String {
        let mut name = Buffer::NONE;
        // SAFETY: the load balancer exists, and Envoy writes the variable.
        unsafe { imports::balancer_cluster(self.at, &raw mut name) };
        // SAFETY: copied at once.
        String::from_utf8_lossy(unsafe { name.bytes() }).into_owned()
    }

    /// The number of priorities.
    pub(crate) fn priorities(&self) -> u32 {
        // SAFETY: the load balancer exists.
        let priorities = unsafe { imports::balancer_priorities(self.at) };
        u32::try_from(priorities).unwrap_or(u32::MAX)
    }

    /// The number of hosts of a priority, of every health.
    pub(crate) fn hosts(&self, priority: u32) -> usize {
        // SAFETY: the load balancer exists; an unknown priority has no hosts.
        unsafe { imports::balancer_hosts(self.at, priority) }
    }

    /// The address of a host; empty for an unknown host.
    pub(crate) fn address(&self, at: HostPlace) -> String {
        self.with_address(at, |address| String::from_utf8_lossy(address).into_owned())
    }

    /// Whether a host has this address.
    pub(crate) fn is_at(&self, at: HostPlace, address: &str) -> bool {
        self.with_address(at, |own| own == address.as_bytes())
    }

    /// Passes the address of a host to `read`. It is not lent for longer: the main thread replaces the address
    /// of a `LOGICAL_DNS` host at any time, and Envoy frees the old one.
    fn with_address<T>(&self, at: HostPlace, read: impl FnOnce(&[u8]) -> T) -> T {
        let mut address = Buffer::NONE;
        // SAFETY: the load balancer exists, and Envoy writes the variable.
        unsafe { imports::host_address(self.at, at.priority, at.host, &raw mut address) };
        // SAFETY: read at once. Other hosts keep their address.
        read(unsafe { address.bytes() })
    }

    /// The health of a host.
    pub(crate) fn health(&self, at: HostPlace) -> HostHealth {
        // SAFETY: the load balancer exists; an unknown host is unhealthy.
        match unsafe { imports::host_health(self.at, at.priority, at.host) } {
            2 => HostHealth::Healthy,
            1 => HostHealth::Degraded,
            _ => HostHealth::Unhealthy,
        }
    }

    /// The weight of a host.
    pub(crate) fn weight(&self, at: HostPlace) -> u32 {
        // SAFETY: the load balancer exists; an unknown host has the weight 0.
        unsafe { imports::host_weight(self.at, at.priority, at.host) }
    }

    /// The active requests of a host, of all workers.
    pub(crate) fn active_requests(&self, at: HostPlace) -> u64 {
        // SAFETY: the load balancer exists; an unknown host has none.
        unsafe { imports::host_stat(self.at, at.priority, at.host, ACTIVE_REQUESTS) }
    }

    /// The locality of a host.
    pub(crate) fn locality(&self, at: HostPlace) -> LocalityNames<'_> {
        let [mut region, mut zone, mut sub_zone] = [Buffer::NONE; 3];
        // SAFETY: the load balancer exists, and Envoy writes the variables.
        unsafe {
            imports::host_locality(
                self.at,
                at.priority,
                at.host,
                &raw mut region,
                &raw mut zone,
                &raw mut sub_zone,
            );
        }
        // SAFETY: Envoy changes hosts only between hooks.
        unsafe {
            LocalityNames {
                region: region.bytes(),
                zone: zone.bytes(),
                sub_zone: sub_zone.bytes(),
            }
        }
    }

    /// A text in the metadata of a host.
    pub(crate) fn metadata_text(&self, at: HostPlace, namespace: &str, key: &str) -> Option<&[u8]> {
        let mut value = Buffer::NONE;
        // SAFETY: the load balancer exists, and Envoy writes the variable.
        let found = unsafe {
            imports::host_metadata_text(
                self.at,
                at.priority,
                at.host,
                namespace.into(),
                key.into(),
                &raw mut value,
            )
        };
        // SAFETY: Envoy changes hosts only between hooks.
        found.then(|| unsafe { value.bytes() })
    }

    /// A number in the metadata of a host.
    pub(crate) fn metadata_number(&self, at: HostPlace, namespace: &str, key: &str) -> Option<f64> {
        let mut value = 0.0;
        // SAFETY: the load balancer exists, and Envoy writes the variable.
        let found = unsafe {
            imports::host_metadata_number(
                self.at,
                at.priority,
                at.host,
                namespace.into(),
                key.into(),
                &raw mut value,
            )
        };
        found.then_some(value)
    }

    /// A truth value in the metadata of a host.
    pub(crate) fn metadata_bool(&self, at: HostPlace, namespace: &str, key: &str) -> Option<bool> {
        let mut value = false;
        // SAFETY: the load balancer exists, and Envoy writes the variable.
        let found = unsafe {
            imports::host_metadata_bool(
                self.at,
                at.priority,
                at.host,
                namespace.into(),
                key.into(),
                &raw mut value,
            )
        };
        found.then_some(value)
    }

    /// The weights of the localities of a priority, in Envoy's order.
    pub(crate) fn locality_weights(&self, priority: u32) -> impl Iterator<Item = u32> {
        // SAFETY: the load balancer exists; an unknown priority has no localities.
        let count = unsafe { imports::balancer_localities(self.at, priority) };
        // SAFETY: the load balancer exists.
        (0..count)
            .map(move |locality| unsafe { imports::locality_weight(self.at, priority, locality) })
    }
}

/// A load balancer of this thread, until Envoy destroys it. The address keeps it from leaving its thread.
pub(crate) struct KeptBalancer(Address);

impl KeptBalancer {
    /// The load balancer, outside of its hooks. Envoy's callbacks only read its hosts, which change on
    /// this thread only.
    pub(crate) const fn handle(&self) -> BalancerHandle<'_> {
        // SAFETY: its owner drops it in the hook that destroys the load balancer.
        unsafe { BalancerHandle::new(self.0) }
    }
}

/// The choice of a host for a request, inside its hook.
pub(crate) struct ChoiceHandle<'hook> {
    at: Address,
    hook: PhantomData<&'hook ()>,
}

impl ChoiceHandle<'_> {
    /// The choice of a hook; `None` if no request asks for the host.
    ///
    /// # Safety
    /// `at` must be the context that Envoy passed to a hook that has not returned, or null.
    pub(crate) unsafe fn new(at: Address) -> Option<Self> {
        (!at.is_null()).then_some(Self {
            at,
            hook: PhantomData,
        })
    }

    /// The request headers.
    pub(crate) fn headers(&self) -> Vec<(String, Vec<u8>)> {
        // SAFETY: the context belongs to the present hook.
        let count = unsafe { imports::choice_headers_size(self.at) };
        let mut headers = vec![Header::NONE; count];
        // SAFETY: Envoy fills as many places as it has just announced.
        let found = count > 0 && unsafe { imports::choice_headers(self.at, headers.as_mut_ptr()) };
        let copied = |header: &Header| {
            // SAFETY: copied before anything changes.
            let (name, value) = unsafe { (header.name.bytes(), header.value.bytes()) };
            (String::from_utf8_lossy(name).into_owned(), value.to_vec())
        };
        if found {
            headers.iter().map(copied).collect()
        } else {
            Vec::new()
        }
    }
}
