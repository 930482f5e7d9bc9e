//! A gateway: the filter's request path, with the hosts and keys that the gateway knows.

mod behavior;
mod config;
mod deliveries;
mod gateway_hosts;
mod keys;
mod load;
mod stream;

pub use behavior::{GatewayBehavior, SimulatedRequest, SteerGateway};
pub(crate) use config::SCOPE;
pub(crate) use deliveries::Delivery;
pub(crate) use keys::Keys;
pub(crate) use load::{GatewayLoad, Period};

use alloc::{string::String, sync::Arc, vec::Vec};
use core::cell::RefCell;

use spillgate_core::{affinity::KeyRing, decide::Decision, draw::SplitMix64, snapshot::Snapshot};
use spillgate_steer::{
    Balancing, CompiledConfig, SteeredRequest, hosts::Hosts, port::TokenOutcome,
};

use self::{
    deliveries::PendingDelivery,
    stream::{SimulatedPlugin, SimulatedStream},
};
use crate::world::{HostsUpdate, Layout, Millis, TrueHosts, WorldScenario};

/// The true time at the start of a run, in milliseconds since the Unix epoch: November 2025.
const START_TIME: u64 = 1_763_000_000_000;

/// A gateway.
#[derive(Debug)]
pub(crate) struct Gateway {
    number: usize,
    /// How far its clock is ahead of the true time, in milliseconds.
    pub(crate) ahead: i64,
    /// The last update of each cluster's hosts.
    pub(crate) known: Vec<Arc<HostsUpdate>>,
    pub(crate) keys: Arc<KeyRing>,
    /// The epoch that it requires of tokens.
    pub(crate) epoch: u16,
    /// Its requests by host, as the simulation counts them.
    pub(crate) load: GatewayLoad,
    /// The deliveries that have not arrived yet, in the order in which they were sent.
    pending: Vec<PendingDelivery>,
    /// The configuration that serves; built when a request arrives.
    configured: Option<Configured>,
    /// Whether the gateway must read its configuration again.
    reloads: bool,
    plugin: SimulatedPlugin,
}

/// A configuration that serves, and the updates that it includes.
struct Configured {
    balancing: Balancing,
    known: Vec<Arc<HostsUpdate>>,
    keys: Arc<KeyRing>,
}

/// The scenario, the behavior and the time of a request.
pub(crate) struct GatewayContext<'a, B> {
    pub(crate) scenario: &'a WorldScenario,
    pub(crate) behavior: &'a B,
    pub(crate) now: Millis,
    /// The number of the client.
    pub(crate) client: usize,
}

/// A gateway's answer to a request.
#[derive(Debug)]
pub(crate) struct GatewayAnswer {
    /// The outcome of the token of the request.
    pub(crate) token: TokenOutcome,
    pub(crate) decision: Decision,
    /// The number of the host at the head of the list.
    pub(crate) host: Option<usize>,
    /// Whether the response removes the client's token.
    pub(crate) removes_token: bool,
    /// The token of the response, for [`ResponseUse::Kept`].
    pub(crate) issued: Option<String>,
}

/// Whether the response reaches the client.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResponseUse {
    /// The client receives it, and keeps its token.
    Kept,
    /// The response is discarded.
    Ignored,
}

impl Gateway {
    pub(crate) fn new(
        number: usize,
        layout: &Layout,
        true_hosts: &TrueHosts,
        keys: Arc<KeyRing>,
        draw: SplitMix64,
    ) -> Self {
        let mut gateway = Self {
            number,
            ahead: 0,
            known: Vec::new(),
            keys,
            epoch: 0,
            load: GatewayLoad::default(),
            pending: Vec::new(),
            configured: None,
            reloads: false,
            plugin: SimulatedPlugin {
                wall_clock: 0,
                monotonic_clock: 0,
                draw: RefCell::new(draw),
            },
        };
        gateway.sync_hosts(layout, true_hosts);
        gateway
    }

    /// Makes the gateway read its configuration again.
    pub(crate) fn reload(&mut self) {
        self.reloads = true;
    }

    /// Makes the gateway require this epoch, with its next configuration.
    pub(crate) fn require_epoch(&mut self, epoch: u16) {
        self.epoch = epoch;
        self.reload();
    }

    /// The hosts of the configuration that serves.
    pub(crate) fn snapshot(&self) -> Option<&Snapshot> {
        Some(self.configured.as_ref()?.balancing.snapshot())
    }

    /// The value of its clock, in seconds since the Unix epoch.
    pub(crate) fn clock(&self, now: Millis) -> u64 {
        self.clock_millis(now) / 1_000
    }

    fn clock_millis(&self, now: Millis) -> u64 {
        (START_TIME + now).saturating_add_signed(self.ahead)
    }

    /// Whether it has the same hosts, keys and time as another gateway.
    pub(crate) fn knows_the_same_as(&self, other: &Self) -> bool {
        let mut both = self.known.iter().zip(&other.known);
        (self.ahead, self.epoch) == (other.ahead, other.epoch)
            && Arc::ptr_eq(&self.keys, &other.keys)
            && both.all(|(a, b)| a.version == b.version)
    }

    /// Answers a request; `None` if the gateway makes no decision.
    pub(crate) fn answer<B: GatewayBehavior>(
        &mut self,
        context: &GatewayContext<'_, B>,
        mut request: SimulatedRequest,
        response: ResponseUse,
    ) -> Option<GatewayAnswer> {
        let layout = &context.scenario.layout;
        context.behavior.receive(self.number, &mut request);
        // Wall clocks of gateways differ, monotonic ones do not: only times of tokens may depend on the
        // former.
        self.plugin.wall_clock = self.clock_millis(context.now) * 1_000_000;
        self.plugin.monotonic_clock = context.now * 1_000_000;
        let configured = self.configured(context)?;
        let mut steered = SteeredRequest::new(Some(configured.balancing.serving()));
        self.configured = Some(configured);
        let mut stream = SimulatedStream::new(&self.plugin, &request);
        steered.on_request_headers(&mut stream);
        let (decision, token) = stream.decided?;
        let named = stream.cluster.take().zip(stream.hosts.take());
        let host = named.and_then(|(cluster, address)| layout.number(&cluster, &address));
        if let Some(host) = host {
            let clock = self.plugin.monotonic_clock / 1_000_000;
            self.load.count(clock, context.client, host);
        }
        if let Some(host) = host
            && response == ResponseUse::Kept
        {
            stream.upstream = Some(layout.address(host));
            steered.on_response_headers(&mut stream);
        }
        steered.on_end();
        Some(GatewayAnswer {
            token,
            decision,
            host,
            removes_token: stream.cookie.as_deref().is_some_and(config::removes_token),
            issued: stream.cookie.as_deref().and_then(config::token_in),
        })
    }

    /// The configuration that serves, with all updates that the gateway has.
    fn configured<B: GatewayBehavior>(
        &mut self,
        context: &GatewayContext<'_, B>,
    ) -> Option<Configured> {
        let GatewayContext {
            scenario, behavior, ..
        } = context;
        let layout = &scenario.layout;
        let health = |health| behavior.health(self.number, health);
        let previous = match self.configured.take() {
            // Other hosts are an update; other keys are another configuration, as in the filter.
            Some(mut configured) if !self.reloads && Arc::ptr_eq(&configured.keys, &self.keys) => {
                let both = (&*configured.known, &*self.known);
                if both.0.iter().zip(both.1).any(|(a, b)| !Arc::ptr_eq(a, b)) {
                    let change = gateway_hosts::change(
                        layout,
                        configured.balancing.snapshot(),
                        both,
                        health,
                    );
                    self.load.changed(self.plugin.monotonic_clock / 1_000_000);
                    if matches!(change.hosts, Hosts::NewHosts(_)) {
                        self.load.clear();
                    }
                    configured.balancing.update(change);
                    configured.known.clone_from(&self.known);
                }
                return Some(configured);
            }
            configured => configured.map(|configured| configured.balancing),
        };
        self.reloads = false;
        self.load.clear();
        let model = gateway_hosts::model(layout, &self.known, health);
        let mut config = config::config(scenario, &self.keys, self.epoch, model)?;
        behavior.configure(self.number, &mut config);
        Some(Configured {
            balancing: Balancing::begin(&self.plugin, CompiledConfig::new(config), previous),
            known: self.known.clone(),
            keys: self.keys.clone(),
        })
    }
}

impl core::fmt::Debug for Configured {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Configured").finish_non_exhaustive()
    }
}
