//! A gateway: the filter's request path, with the hosts and keys that the gateway knows of.

mod behavior;
mod config;
mod hosts;
mod inbox;
mod keys;
mod stream;

pub use behavior::{Behavior, SimulatedRequest, SteerGateway};
pub(in crate::world) use config::SCOPE;
pub(in crate::world) use inbox::Delivery;
pub(in crate::world) use keys::Keys;

use alloc::{string::String, sync::Arc, vec::Vec};
use core::cell::RefCell;

use spillgate_core::{affinity::KeyRing, decide::Decision, draw::SplitMix64, snapshot::Snapshot};
use spillgate_steer::{Balancing, CompiledConfig, SteeredRequest, port::TokenOutcome};

use self::{
    inbox::Coming,
    stream::{SimulatedPlugin, SimulatedStream},
};
use crate::world::{Ground, Layout, Millis, News, WorldScenario};

/// The true time at the beginning, in milliseconds since the Unix epoch: late in 2025.
const BEGINNING: u64 = 1_763_000_000_000;

/// A gateway.
#[derive(Debug)]
pub(in crate::world) struct Gateway {
    number: usize,
    /// How far its clock is ahead of the true time, in milliseconds.
    pub(in crate::world) ahead: i64,
    /// The last report of each cluster's hosts.
    pub(in crate::world) heard: Vec<Arc<News>>,
    pub(in crate::world) keys: Arc<KeyRing>,
    /// The deliveries under way, in the order in which they were sent.
    coming: Vec<Coming>,
    /// The configuration that serves; made when a request arrives.
    configured: Option<Configured>,
    /// Whether the configuration is to be read again.
    reloads: bool,
    plugin: SimulatedPlugin,
}

/// A configuration that serves, and what it was made of.
struct Configured {
    balancing: Balancing,
    heard: Vec<Arc<News>>,
    keys: Arc<KeyRing>,
}

/// What a gateway's surroundings determine.
pub(in crate::world) struct Surroundings<'a, B> {
    pub(in crate::world) scenario: &'a WorldScenario,
    pub(in crate::world) behavior: &'a B,
    pub(in crate::world) now: Millis,
}

/// A gateway's answer to a request.
#[derive(Debug)]
pub(in crate::world) struct Answer {
    /// The outcome of the token that the request carried.
    pub(in crate::world) token: TokenOutcome,
    pub(in crate::world) decision: Decision,
    /// The number of the host at the head of the list.
    pub(in crate::world) host: Option<usize>,
    /// Whether the client is informed that its session is lost.
    pub(in crate::world) lost: bool,
    /// The token that the response carries, where a response was asked for.
    pub(in crate::world) issued: Option<String>,
}

/// Whether the response to a request matters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::world) enum Response {
    /// The client receives it, with a token.
    Kept,
    /// Nobody looks at it.
    Ignored,
}

impl Gateway {
    pub(in crate::world) fn new(
        number: usize,
        layout: &Layout,
        ground: &Ground,
        keys: Arc<KeyRing>,
        draw: SplitMix64,
    ) -> Self {
        let mut gateway = Self {
            number,
            ahead: 0,
            heard: Vec::new(),
            keys,
            coming: Vec::new(),
            configured: None,
            reloads: false,
            plugin: SimulatedPlugin {
                now: 0,
                draw: RefCell::new(draw),
            },
        };
        gateway.learn(layout, ground);
        gateway
    }

    /// Has it read its configuration again.
    pub(in crate::world) fn reload(&mut self) {
        self.reloads = true;
    }

    /// The hosts that it balances over.
    pub(in crate::world) fn snapshot(&self) -> Option<&Snapshot> {
        Some(self.configured.as_ref()?.balancing.snapshot())
    }

    /// The value of its clock, in seconds since the Unix epoch.
    pub(in crate::world) fn clock(&self, now: Millis) -> u64 {
        self.clock_millis(now) / 1_000
    }

    fn clock_millis(&self, now: Millis) -> u64 {
        (BEGINNING + now).saturating_add_signed(self.ahead)
    }

    /// Whether it knows the same hosts and keys as another one, and has the same time.
    pub(in crate::world) fn agrees(&self, other: &Self) -> bool {
        let mut both = self.heard.iter().zip(&other.heard);
        self.ahead == other.ahead
            && Arc::ptr_eq(&self.keys, &other.keys)
            && both.all(|(a, b)| a.version == b.version)
    }

    /// Answers a request; `None` if the gateway does not decide where it goes.
    pub(in crate::world) fn answer<B: Behavior>(
        &mut self,
        surroundings: &Surroundings<'_, B>,
        mut request: SimulatedRequest,
        response: Response,
    ) -> Option<Answer> {
        let layout = &surroundings.scenario.layout;
        surroundings.behavior.receive(self.number, &mut request);
        self.plugin.now = self.clock_millis(surroundings.now) * 1_000_000;
        let configured = self.configured(surroundings)?;
        let mut steered = SteeredRequest::new(Some(configured.balancing.serving()));
        self.configured = Some(configured);
        let mut stream = SimulatedStream::new(&self.plugin, &request);
        steered.on_request_headers(&mut stream);
        let (decision, token) = stream.decided?;
        let named = stream.cluster.take().zip(stream.hosts.take());
        let host = named.and_then(|(cluster, address)| layout.number(&cluster, &address));
        if let Some(host) = host
            && response == Response::Kept
        {
            stream.upstream = Some(layout.address(host));
            steered.on_response_headers(&mut stream);
        }
        steered.on_end();
        Some(Answer {
            token,
            decision,
            host,
            lost: stream.status == Some(config::LOST),
            issued: stream.cookie.as_deref().and_then(config::token_in),
        })
    }

    /// The configuration that serves, with all that the gateway has heard.
    fn configured<B: Behavior>(
        &mut self,
        surroundings: &Surroundings<'_, B>,
    ) -> Option<Configured> {
        let Surroundings {
            scenario, behavior, ..
        } = surroundings;
        let layout = &scenario.layout;
        let health = |health| behavior.health(self.number, health);
        let before = match self.configured.take() {
            Some(mut known) if !self.reloads && Arc::ptr_eq(&known.keys, &self.keys) => {
                let both = (&*known.heard, &*self.heard);
                if both.0.iter().zip(both.1).any(|(a, b)| !Arc::ptr_eq(a, b)) {
                    let change = hosts::change(layout, known.balancing.snapshot(), both, health);
                    known.balancing.update(change);
                    known.heard.clone_from(&self.heard);
                }
                return Some(known);
            }
            known => known.map(|known| known.balancing),
        };
        self.reloads = false;
        let model = hosts::model(layout, &self.heard, health);
        let mut config = config::config(scenario, &self.keys, model)?;
        behavior.configure(self.number, &mut config);
        Some(Configured {
            balancing: Balancing::begin(&self.plugin, CompiledConfig::new(config), before),
            heard: self.heard.clone(),
            keys: self.keys.clone(),
        })
    }
}

impl core::fmt::Debug for Configured {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Configured").finish_non_exhaustive()
    }
}
