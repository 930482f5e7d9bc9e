//! What gateways do with requests and news: what the engine does, unless a test breaks it.

use spillgate_core::{
    affinity::{KeyRing, Opened, Refused, Rules},
    decide::{self, Decision, Request, State},
    draw::SplitMix64,
    route::HeaderList,
    snapshot::Snapshot,
    trace::NoTrace,
};

/// The headers of simulated requests: none.
pub type NoHeaders = HeaderList<'static, &'static str, &'static str>;

/// What gateways do. Every part can be replaced, so that tests can show that the checks notice.
/// Gateways are numbers, from 0.
pub trait Behaviour {
    /// Opens the token of a request.
    ///
    /// # Errors
    /// Why it is none.
    fn open(
        &self,
        gateway: usize,
        keys: &KeyRing,
        text: &[u8],
        rules: &Rules<'_>,
    ) -> Result<Opened, Refused> {
        let _ = gateway;
        keys.open(text, rules)
    }

    /// Decides a request.
    fn decide(
        &self,
        gateway: usize,
        snapshot: &Snapshot,
        state: &mut State,
        request: &Request<'_, NoHeaders>,
        draw: &mut SplitMix64,
    ) -> Decision {
        let _ = gateway;
        decide::decide(snapshot, state, request, draw, &mut NoTrace)
    }

    /// Whether a gateway that knows one version of a cluster's hosts takes another one.
    fn takes(&self, gateway: usize, known: u64, other: u64) -> bool {
        let _ = gateway;
        known < other
    }
}

/// The engine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Engine;

impl Behaviour for Engine {}
