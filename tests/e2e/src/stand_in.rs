//! A server in place of Envoy's admin: it passes on the admin's answers or gives others.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

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
    delay: Mutex<Duration>,
    /// Whether only the first half of each answer is sent, and then the connection closed.
    breaks_off: AtomicBool,
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
            delay: Mutex::default(),
            breaks_off: AtomicBool::new(false),
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

    /// Takes this long for every answer from now on.
    pub fn take(&self, delay: Duration) {
        set(&self.answers.delay, delay);
    }

    /// Closes each connection after half an answer from now on.
    pub fn break_off(&self) {
        self.answers.breaks_off.store(true, Ordering::SeqCst);
    }

    /// Sends whole answers again.
    pub fn finish(&self) {
        self.answers.breaks_off.store(false, Ordering::SeqCst);
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
        std::thread::sleep(get(&self.delay));
        let length = body.len();
        let mut bytes =
            format!("HTTP/1.1 {status} x\r\ncontent-length: {length}\r\n\r\n").into_bytes();
        bytes.extend(body);
        if self.breaks_off.load(Ordering::SeqCst) {
            bytes.truncate(bytes.len() / 2);
        }
        bytes
    }

    fn closes(&self) -> bool {
        self.breaks_off.load(Ordering::SeqCst)
    }
}

fn get<T: Clone>(place: &Mutex<T>) -> T {
    place.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn set<T>(place: &Mutex<T>, value: T) {
    *place.lock().unwrap_or_else(PoisonError::into_inner) = value;
}
