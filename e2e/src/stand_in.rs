//! A server in place of Envoy's admin: it passes on the admin's answers or gives others.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;

use crate::upstream::Responder;
use crate::{Client, Upstream};

/// A server that passes requests on to an admin until it gets an answer of its own.
#[derive(Debug)]
pub struct StandIn {
    /// Can be killed and brought back.
    pub server: Upstream,
    answers: Arc<AdminAnswers>,
}

/// Its own answer to every request: a status and a body.
#[derive(Debug)]
struct AdminAnswers {
    instead: Mutex<Option<(u16, Vec<u8>)>>,
    admin: Mutex<Option<SocketAddr>>,
}

impl StandIn {
    /// A stand-in at that address. Until it has an admin it answers 502.
    ///
    /// # Errors
    /// When the address is taken.
    pub fn open(address: SocketAddr) -> Result<Self> {
        let answers = Arc::new(AdminAnswers {
            instead: Mutex::default(),
            admin: Mutex::default(),
        });
        Ok(Self {
            server: Upstream::answering(address, answers.clone())?,
            answers,
        })
    }

    /// Passes requests on from now on, to the admin at that address.
    pub fn pass_on_to(&self, admin: SocketAddr) {
        set(&self.answers.admin, Some(admin));
        set(&self.answers.instead, None);
    }

    /// Answers every request with this from now on.
    pub fn answer_with(&self, status: u16, body: &[u8]) {
        set(&self.answers.instead, Some((status, body.to_vec())));
    }
}

impl Responder for AdminAnswers {
    fn answer(&self, path: &str, _saw_too_much: bool) -> Vec<u8> {
        let (status, body) = get(&self.instead)
            .or_else(|| {
                let answer = Client::new(get(&self.admin)?).get(path, &[]).ok()?;
                Some((answer.status, answer.body))
            })
            .unwrap_or((502, Vec::new()));
        let length = body.len();
        let mut bytes =
            format!("HTTP/1.1 {status} x\r\ncontent-length: {length}\r\n\r\n").into_bytes();
        bytes.extend(body);
        bytes
    }
}

fn get<T: Clone>(place: &Mutex<T>) -> T {
    place.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn set<T>(place: &Mutex<T>, value: T) {
    *place.lock().unwrap_or_else(PoisonError::into_inner) = value;
}
