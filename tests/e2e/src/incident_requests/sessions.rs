//! The clients of a trial with sessions: each keeps the cookie of its last response that has one.

use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use spillgate_testkit::models::Dice;

use super::bootstrap::SESSION_COOKIE;
use super::trial::RequestTrial;
use crate::scripted::TrialPorts;

/// The cookies of all clients; without clients, requests have no session.
#[derive(Clone)]
pub(super) struct Sessions(Arc<Mutex<Clients>>);

struct Clients {
    cookies: Vec<String>,
    dice: Dice,
}

impl Sessions {
    /// The clients have sessions from long before: with hosts of the first priority, by their weights, which RANDOM ignores.
    pub(super) fn of(trial: &RequestTrial, place: usize, ports: TrialPorts, seed: u64) -> Self {
        let hosts = trial.priorities.first().map_or(&[][..], Vec::as_slice);
        let is_weighted = trial.policy != "RANDOM";
        let weights = hosts
            .iter()
            .map(|weight| if is_weighted { f64::from(*weight) } else { 1.0 });
        let weights: Vec<f64> = weights.collect();
        let all: f64 = weights.iter().sum();
        let clients = f64::from(trial.sessions);
        let cookies = (0..trial.sessions).map(|client| {
            let mut left = (f64::from(client) + 0.5) / clients * all;
            let host = weights.iter().position(|weight| {
                left -= *weight;
                left < 0.0
            });
            let address = ports.host(place, host.unwrap_or_default());
            cookie(&address.to_string())
        });
        Self(Arc::new(Mutex::new(Clients {
            cookies: cookies.collect(),
            dice: Dice::of(seed, trial.number),
        })))
    }

    /// A client at random, and its cookie.
    pub(super) fn any(&self) -> Option<(usize, String)> {
        let clients = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let client = clients.dice.below(clients.cookies.len());
        let cookie = clients.cookies.get(client)?;
        Some((client, cookie.clone()))
    }

    /// A client gets a cookie (`set-cookie`).
    pub(super) fn set(&self, client: usize, set: &str) {
        let clients = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pair = set.split(';').next().unwrap_or(set);
        if let Some(cookie) = clients.cookies.get_mut(client) {
            pair.clone_into(cookie);
        }
    }
}

/// A cookie with a session at this address: a message of type `envoy.Cookie`, whose first field is the address.
fn cookie(address: &str) -> String {
    let mut message = vec![0x0a, address.len() as u8];
    message.extend_from_slice(address.as_bytes());
    format!("{SESSION_COOKIE}=\"{}\"", STANDARD.encode(message))
}
