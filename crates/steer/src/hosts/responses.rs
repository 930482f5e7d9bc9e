//! The responses to the polls of one admin interface.
//!
//! A response with one error is rejected as a whole, like a configuration. The exceptions are
//! health flags and lines of a newer Envoy, which must not freeze health.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use spillgate_config::{
    Diagnostic,
    clusters::{HostTotals, PublishedParts, Reported, ReportedParts},
    envoy::cut_assignments,
};

use super::{
    admin::{OpenCall, PolledAdmin},
    clock::{Now, nanoseconds},
    polled::PolledCluster,
    publisher::PolledHosts,
};
use crate::{
    metrics::PollCounters,
    port::{AdminBody, AdminResponse, HealthPort},
};

/// How much of a response with hosts is in memory at a time, if no line is longer.
const WINDOW: usize = 1 << 20;
const NOT_UTF_8: &str = "response is not UTF-8";

/// The cluster that is being read.
#[derive(Default)]
struct PresentCluster {
    name: String,
    hosts: PublishedParts,
    totals: Vec<HostTotals>,
}

/// Why a response is not usable, or not for all of its clusters.
enum Unusable {
    /// It cannot be read; a part of the clusters may be readable.
    Whole(String),
    /// It was read, but some clusters are missing, or their state could not be shared.
    InPart(String),
    /// The admin did not respond, so that it says nothing about the clusters.
    Absent(String),
}

/// What a usable response contributes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contribution {
    /// The state of clusters.
    Known,
    /// Nothing: the response to another query has it.
    Elsewhere,
}

impl PolledAdmin {
    /// Handles a response. Returns whether the call is one of these.
    pub(super) fn on_response(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        response: &AdminResponse<'_>,
        counters: &mut PollCounters,
    ) -> bool {
        let Some(call) = self.end(response.call) else {
            return false;
        };
        let outcome = match response.status {
            None => Err(Unusable::Whole(
                "no response, or more than 32 MiB".to_owned(),
            )),
            Some(b"200") => self.read(port, now, &call, response.body, counters),
            Some(b"503") => Err(Unusable::Absent(
                "status 503: the admin is not reachable, or its cluster allows no further request"
                    .to_owned(),
            )),
            Some(other) => {
                let status = String::from_utf8_lossy(other);
                Err(Unusable::Absent(format!("status {status}")))
            }
        };
        let members: Vec<usize> = call.asked.iter().map(|asked| asked.cluster).collect();
        let what = self.name_of(call.query, &members);
        let is_read = !matches!(outcome, Err(Unusable::Whole(_) | Unusable::Absent(_)));
        match &outcome {
            Ok(Contribution::Known) => self.failures_of(call.query, call.batch).succeeded(&what),
            Ok(Contribution::Elsewhere) => {}
            Err(Unusable::Whole(why) | Unusable::InPart(why) | Unusable::Absent(why)) => {
                self.fail(port, now, (call.query, call.batch), &what, why, counters);
            }
        }
        // Metadata that a response omits are not asked for at once again.
        let has_changes = match &outcome {
            Ok(contribution) => *contribution == Contribution::Known,
            Err(Unusable::InPart(_)) => !call.query.is_for_metadata(),
            Err(_) => false,
        };
        if has_changes {
            self.read_changed_metadata(port, &call.asked);
        }
        if let Some(batch) = call.batch {
            match &outcome {
                Err(Unusable::Whole(_)) => self.divide(call.query, batch),
                _ if is_read => self.resize(call.query, batch, response.body.size()),
                _ => {}
            }
        }
        true
    }

    fn read(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        call: &OpenCall,
        body: &dyn AdminBody,
        counters: &mut PollCounters,
    ) -> Result<Contribution, Unusable> {
        if !call.query.is_for_metadata() {
            return self.read_hosts(port, now, call, body, counters);
        }
        let bytes = body.window(0, body.size());
        let text =
            core::str::from_utf8(&bytes).map_err(|_| Unusable::Whole(NOT_UTF_8.to_owned()))?;
        self.read_metadata(port, now, call, text)
    }

    /// Publishes the reported hosts, one cluster after another. Unknown flags and lines, which a newer
    /// Envoy may print, are counted.
    fn read_hosts(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        call: &OpenCall,
        body: &dyn AdminBody,
        counters: &mut PollCounters,
    ) -> Result<Contribution, Unusable> {
        let mut found = Found::new(call);
        let mut present = PresentCluster::default();
        let mut first_unknown = None;
        let mut parts = ReportedParts::default();
        let (mut text, mut offset) = (Vec::new(), 0);
        loop {
            let window = body.window(offset, WINDOW);
            // An empty window ends the loop even if the environment reports a wrong size.
            let is_last = window.is_empty() || offset + window.len() >= body.size();
            offset += window.len();
            // Every byte is searched, checked and read once, whatever the length of lines and hosts.
            let before = text.len();
            text.extend_from_slice(&window);
            let length = match window.iter().rposition(|byte| *byte == b'\n') {
                _ if is_last => text.len(),
                Some(end) => before + end + 1,
                None => continue,
            };
            drop(window);
            let part = core::str::from_utf8(text.get(..length).unwrap_or_default())
                .map_err(|_| Unusable::Whole(NOT_UTF_8.to_owned()))?;
            let Reported { clusters, unknown } = parts
                .read(part, is_last)
                .map_err(|faults| Unusable::Whole(first(&faults, "/clusters")))?;
            first_unknown = first_unknown.or(unknown);
            for status in &clusters {
                if present.name != *status.name {
                    let before = core::mem::take(&mut present);
                    self.publish(port, now, call, before, &mut found);
                    present.name = status.name.as_ref().to_owned();
                }
                present.hosts.add(&status.hosts);
                let totals = status.hosts.iter().map(|host| host.totals);
                if self.counts(&present.name) {
                    present.totals.extend(totals);
                }
            }
            if is_last {
                break;
            }
            text.drain(..length);
        }
        self.publish(port, now, call, present, &mut found);
        if let Some(unknown) = first_unknown {
            self.log_unknown(port, now, call, &unknown, counters);
        }
        found.outcome(self, call, &|_| true, "response omits the cluster")
    }

    /// Whether counters of the hosts of a cluster are read.
    fn counts(&self, name: &str) -> bool {
        let clusters = &self.clusters;
        let at = clusters.binary_search_by(|of| of.name.as_str().cmp(name));
        let cluster = at.ok().and_then(|at| clusters.get(at));
        cluster.is_some_and(PolledCluster::counts)
    }

    /// Publishes the hosts of a cluster of the call.
    fn publish(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        call: &OpenCall,
        present: PresentCluster,
        found: &mut Found,
    ) {
        if let Some((at, asked)) = found.find(self, call, &present.name)
            && let Some(cluster) = self.clusters.get_mut(asked.cluster)
        {
            let hosts = PolledHosts {
                published: present.hosts.published,
                totals: present.totals,
                is_described: cluster.counts(),
            };
            let published = cluster.publish(port, now, asked, hosts);
            found.add(at, published);
        }
    }

    fn log_unknown(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        call: &OpenCall,
        unknown: &Diagnostic,
        counters: &mut PollCounters,
    ) {
        counters.unknown_values.add(port);
        if self.unknown_values.may_log(now) {
            let unknown = unknown.render("/clusters");
            let members: Vec<usize> = call.asked.iter().map(|asked| asked.cluster).collect();
            let names = self.names_of(&members);
            log::warn!("spillgate: poll of {names}: {unknown}");
        }
    }

    fn read_metadata(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        call: &OpenCall,
        text: &str,
    ) -> Result<Contribution, Unusable> {
        let assignments = cut_assignments(text)
            .map_err(|faults| Unusable::Whole(first(&faults, "/config_dump")))?;
        let interval = nanoseconds(self.metadata_interval);
        let mut found = Found::new(call);
        for (name, json) in assignments {
            if let Some((at, asked)) = found.find(self, call, &name)
                && let Some(cluster) = self.clusters.get_mut(asked.cluster)
            {
                let metadata = (json, interval);
                let published = cluster.publish_metadata(port, now, call.query, asked, metadata);
                found.add(at, published);
            }
        }
        let mut absent = Vec::new();
        for asked in call
            .asked
            .iter()
            .enumerate()
            .filter(|(at, _)| !found.has(*at))
        {
            let (at, asked) = asked;
            if let Some(cluster) = self.clusters.get_mut(asked.cluster)
                && cluster.omit_metadata(call.query)
            {
                absent.push(at);
            }
        }
        let why = "/config_dump omits the endpoints of the cluster";
        found.outcome(self, call, &|at| absent.binary_search(&at).is_ok(), why)
    }
}

/// The clusters of a call that its response has.
struct Found {
    are: Vec<bool>,
    any: bool,
    refused: Option<&'static str>,
}

impl Found {
    fn new(call: &OpenCall) -> Self {
        Self {
            are: call.asked.iter().map(|_| false).collect(),
            any: false,
            refused: None,
        }
    }

    /// The cluster of that name, if the call asked for it and it was not found yet.
    fn find<'c>(
        &self,
        admin: &PolledAdmin,
        call: &'c OpenCall,
        name: &str,
    ) -> Option<(usize, &'c super::polled::Asked)> {
        let clusters = &admin.clusters;
        let cluster = clusters
            .binary_search_by(|of| of.name.as_str().cmp(name))
            .ok()?;
        let asked = &call.asked;
        let at = asked.binary_search_by(|asked| asked.cluster.cmp(&cluster));
        let at = at.ok().filter(|at| !self.has(*at))?;
        Some((at, asked.get(at)?))
    }

    fn add(&mut self, at: usize, published: Result<(), &'static str>) {
        if let Some(found) = self.are.get_mut(at) {
            *found = true;
        }
        match published {
            Ok(()) => self.any = true,
            Err(why) => self.refused = self.refused.or(Some(why)),
        }
    }

    fn has(&self, at: usize) -> bool {
        self.are.get(at).copied().unwrap_or_default()
    }

    /// The outcome for the whole call; `why` describes the clusters that are missing.
    fn outcome(
        self,
        admin: &PolledAdmin,
        call: &OpenCall,
        must_be: &dyn Fn(usize) -> bool,
        why: &str,
    ) -> Result<Contribution, Unusable> {
        if let Some(why) = self.refused {
            return Err(Unusable::InPart(why.to_owned()));
        }
        let asked = call.asked.iter().enumerate();
        let missing = asked.filter(|(at, _)| !self.has(*at) && must_be(*at));
        let missing: Vec<usize> = missing.map(|(_, asked)| asked.cluster).collect();
        match (missing.is_empty(), self.any) {
            (true, true) => Ok(Contribution::Known),
            (true, false) => Ok(Contribution::Elsewhere),
            (false, _) if call.asked.len() == 1 => Err(Unusable::InPart(why.to_owned())),
            (false, _) => {
                let names = admin.names_of(&missing);
                Err(Unusable::InPart(format!("{why}: {names}")))
            }
        }
    }
}

/// The first of several diagnostics, ready to print.
fn first(faults: &[Diagnostic], document: &str) -> String {
    let first = faults.first();
    first.map_or_else(String::new, |fault| fault.render(document))
}
