//! The loop of the exporter: starts readings at their times, and publishes what they find.

use std::{
    collections::BTreeMap,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use spillgate_admin::{AdminClient, AdminLimits};
use spillgate_exporter::{EnvoyTarget, Poller};

use super::{
    evaluate::ChosenClusters,
    event::{EndedReading, Event},
    found::FoundTargets,
    log::{FailureLog, Subject},
    published::Published,
    reader::EnvoyReader,
};
use crate::clock::SteadyClock;

/// The exporter.
#[derive(Debug)]
pub(super) struct Exporter {
    pub(super) clock: SteadyClock,
    pub(super) poller: Poller,
    pub(super) published: Published,
    /// The sender for threads that read.
    pub(super) sender: Sender<Event>,
    /// The longest time for a response.
    pub(super) timeout: Duration,
    pub(super) chosen: ChosenClusters,
}

/// A target, and its reader while no reading uses it.
#[derive(Debug)]
struct KnownTarget {
    target: EnvoyTarget,
    reader: Option<EnvoyReader>,
}

impl Exporter {
    /// Runs until the event [`Event::Stop`]. Readings that are not over by then are given up.
    pub(super) fn run(mut self, events: &Receiver<Event>) {
        let mut targets = BTreeMap::new();
        let mut log = FailureLog::default();
        loop {
            let event = match self.poller.next_start() {
                Some(at) => events.recv_timeout(at.saturating_sub(self.clock.elapsed())),
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(Event::Found(found)) => self.set_targets(found, &mut targets, &mut log),
                Ok(Event::Read(ended)) => self.end(*ended, &mut targets, &mut log),
                Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.start(&mut targets);
        }
    }

    fn set_targets(
        &mut self,
        found: FoundTargets,
        targets: &mut BTreeMap<String, KnownTarget>,
        log: &mut FailureLog,
    ) {
        let mut known = std::mem::take(targets);
        let mut kept = Vec::new();
        for target in found.targets {
            // A target with another address is another Envoy, also if its name is the same.
            let same = known
                .remove(&target.label)
                .filter(|of| of.target.url == target.url);
            let reader = match same {
                Some(known) => {
                    kept.push(target.label.clone());
                    known.reader
                }
                None => Some(self.reader(&target)),
            };
            targets.insert(target.label.clone(), KnownTarget { target, reader });
        }
        let labels = || targets.keys().map(String::as_str);
        self.poller.set_targets(self.clock.elapsed(), labels());
        self.published.change(|table| {
            // Another Envoy with the label of an earlier one begins without its figures.
            table.set_targets(kept.iter().map(String::as_str), found.left_out);
            table.set_targets(labels(), found.left_out);
            table.count_discovery_errors(found.failures.len() as u64);
        });
        found
            .successes
            .iter()
            .for_each(|subject| log.succeed(subject));
        log.keep(|subject| match &subject.label {
            Some(label) => targets.contains_key(label),
            None => found.failures.iter().any(|(failed, _)| failed == subject),
        });
        for (subject, code) in found.failures {
            log.fail(subject, code);
        }
    }

    fn reader(&self, target: &EnvoyTarget) -> EnvoyReader {
        let limits = AdminLimits {
            time: self.timeout,
            ..AdminLimits::default()
        };
        EnvoyReader::new(AdminClient::new(target.url.clone(), limits))
    }

    /// Starts the readings that are due.
    fn start(&mut self, targets: &mut BTreeMap<String, KnownTarget>) {
        let at = self.clock.elapsed();
        for label in self.poller.start(at) {
            let reader = targets
                .get_mut(&label)
                .and_then(|known| known.reader.take());
            let Some(mut reader) = reader else {
                self.poller.finish(at, &label, false);
                continue;
            };
            let (sender, chosen, name) = (self.sender.clone(), self.chosen.clone(), label.clone());
            let thread = thread::Builder::new().spawn(move || {
                let result = reader.read(at, &chosen);
                let ended = EndedReading {
                    label,
                    at,
                    reader,
                    result,
                };
                // Without a receiver, the exporter has stopped.
                let _ = sender.send(Event::Read(Box::new(ended)));
            });
            if thread.is_err() {
                // The reader is gone with its thread.
                if let Some(known) = targets.get_mut(&name) {
                    known.reader = Some(self.reader(&known.target));
                }
                self.poller.finish(at, &name, false);
            }
        }
    }

    fn end(
        &mut self,
        ended: EndedReading,
        targets: &mut BTreeMap<String, KnownTarget>,
        log: &mut FailureLog,
    ) {
        let now = self.clock.elapsed();
        let EndedReading {
            label,
            at,
            reader,
            result,
        } = ended;
        self.poller.finish(now, &label, result.is_ok());
        // Without such a place, the target was removed, or has another address by now.
        let Some(known) = targets
            .get_mut(&label)
            .filter(|known| known.reader.is_none())
        else {
            return;
        };
        known.reader = Some(reader);
        let took = now.saturating_sub(at);
        let subject = Subject {
            place: known.target.place.clone(),
            label: Some(label.clone()),
        };
        match &result {
            Ok(_) => log.succeed(&subject),
            Err(code) => log.fail(subject, code),
        }
        self.published.change(|table| {
            let Some(status) = table.status_mut(&label) else {
                return;
            };
            match result {
                Ok(figures) => status.succeed(at, took, figures),
                Err(_) => status.fail(took),
            }
        });
    }
}
