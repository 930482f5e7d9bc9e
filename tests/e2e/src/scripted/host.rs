//! A host that follows a script, and records what it was asked and what it answered.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use spillgate_testkit::models::Dice;

use super::clock::{self, ScriptClock};
use super::script::{HostScript, ScriptedAnswer};
use crate::{Responder, Upstream};

/// The path of the health checks of a checker.
pub(crate) const CHECK_PATH: &str = "/check/";

/// A running host.
#[derive(Debug)]
pub(crate) struct ScriptedHost {
    upstream: Upstream,
    answers: Arc<Answers>,
}

/// A request or health check that a host received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceivedCall {
    /// When it was there.
    pub at: Duration,
    /// The number of the checker; `None` for a request.
    pub checker: Option<usize>,
    /// The answer, without randomness.
    pub answer: ScriptedAnswer,
}

#[derive(Debug)]
struct Answers {
    script: HostScript,
    clock: ScriptClock,
    dice: Mutex<Dice>,
    calls: Mutex<Vec<ReceivedCall>>,
}

impl ScriptedHost {
    pub(crate) fn open(
        address: SocketAddr,
        script: HostScript,
        clock: ScriptClock,
        dice: Dice,
    ) -> Result<Self> {
        let refuses = script.at(Duration::ZERO).refuses;
        let answers = Arc::new(Answers {
            script,
            clock,
            dice: Mutex::new(dice),
            calls: Mutex::default(),
        });
        let mut upstream = Upstream::answering(address, answers.clone())?;
        if refuses {
            upstream.kill();
        }
        Ok(Self { upstream, answers })
    }

    /// When it begins or stops to listen.
    pub(super) fn switches(&self) -> Vec<(Duration, bool)> {
        self.answers.script.switches()
    }

    /// Stops to listen, or listens again.
    pub(super) fn switch(&mut self, refuses: bool) -> Result<()> {
        if refuses {
            self.upstream.kill();
            return Ok(());
        }
        self.upstream.revive()
    }

    /// What it received, in order.
    pub(crate) fn calls(&self) -> Vec<ReceivedCall> {
        lock(&self.answers.calls).clone()
    }
}

impl Responder for Answers {
    fn answer(&self, path: &str, _saw_too_much: bool) -> Vec<u8> {
        let at = clock::now();
        let phase = self.script.at(self.clock.elapsed());
        let checker = path.strip_prefix(CHECK_PATH);
        let checker = checker.and_then(|number| number.parse::<usize>().ok());
        let scripted = checker.map_or(phase.requests, |number| {
            let of_checker = phase.checks.get(number);
            of_checker.copied().unwrap_or(ScriptedAnswer::FINE)
        });
        let answer = match scripted {
            ScriptedAnswer::Sometimes { percent, status } => {
                let fails = lock(&self.dice).chance(percent);
                ScriptedAnswer::Status(if fails { status } else { 200 })
            }
            decided => decided,
        };
        lock(&self.calls).push(ReceivedCall {
            at,
            checker,
            answer,
        });
        if let ScriptedAnswer::Late(delay) = answer {
            thread::sleep(delay);
        }
        bytes(answer)
    }
}

fn bytes(answer: ScriptedAnswer) -> Vec<u8> {
    let (status, header) = match answer {
        ScriptedAnswer::Status(status) => (status, ""),
        ScriptedAnswer::Degraded => (200, "x-envoy-degraded: true\r\n"),
        ScriptedAnswer::ImmediateFailure(status) => {
            (status, "x-envoy-immediate-health-check-fail: true\r\n")
        }
        ScriptedAnswer::Late(_) | ScriptedAnswer::Sometimes { .. } => (200, ""),
    };
    format!("HTTP/1.1 {status} x\r\n{header}content-length: 2\r\n\r\nok").into_bytes()
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
