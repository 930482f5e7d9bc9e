//! The simulated incident as the playground draws it.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_codec::import::{
    DecidingTime, HostMoment, IncidentHost, IncidentRecord, IncidentRow,
};
use spillgate_config::Position;
use spillgate_incident::{IncidentReport, SeenHost, TimeSetting, TimelineRow, change_text};

use super::{ask::AskedIncident, settings::settings};
use crate::position::position;

/// The record of a report and of its first run.
pub(super) fn record(
    asked: &AskedIncident,
    report: &IncidentReport,
    seen: &[SeenHost],
) -> IncidentRecord {
    let seen = seen.iter().map(|moment| HostMoment {
        from: micros(moment.from),
        host: moment.host,
        health: moment.health,
    });
    IncidentRecord {
        verdict: report.verdict(),
        is_alarming: report.has_failures() || report.panic_seconds.most > 0.0,
        sentences: report.sentences(),
        doubts: asked.doubts.clone(),
        times: report.settings.iter().map(|of| time(asked, of)).collect(),
        settings: settings(asked),
        runs: report.runs,
        end: micros(report.end),
        hosts: hosts(asked),
        priorities: report.priorities.clone(),
        rows: report.rows.iter().map(|of| row(of, report)).collect(),
        seen: seen.collect(),
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn row(of: &TimelineRow, report: &IncidentReport) -> IncidentRow {
    let changes = of.changes.iter().map(|change| {
        let text = change_text(change, &report.events);
        (micros(change.first), text)
    });
    let priorities = of.priorities.iter().map(|one| (one.load, one.panic));
    let hosts = of.hosts;
    IncidentRow {
        from: micros(of.from),
        changes: changes.collect(),
        only_moves_sessions: of.only_moves_sessions(),
        priorities: priorities.collect(),
        usable: (hosts.healthy + hosts.degraded, hosts.hosts),
        failed: of.failed,
        retried: of.retried,
        sessions: of.concerned,
    }
}

fn hosts(asked: &AskedIncident) -> Vec<IncidentHost> {
    let clusters = asked.setup.model().clusters();
    let hosts = asked.setup.scene().hosts().iter().map(|at| {
        let cluster = clusters.get(at.cluster.index());
        let priority = cluster.and_then(|of| of.priorities().get(at.priority));
        let endpoint = priority.and_then(|of| of.endpoints.get(at.host));
        let locality = priority.zip(endpoint).and_then(|(of, endpoint)| {
            let found = of.localities.get(endpoint.locality)?;
            Some(found.locality.zone.clone())
        });
        IncidentHost {
            cluster: at.cluster.index(),
            priority: at.priority,
            index: at.host,
            zone: locality.unwrap_or_default(),
        }
    });
    hosts.collect()
}

fn time(asked: &AskedIncident, of: &TimeSetting) -> DecidingTime {
    DecidingTime {
        text: of.text(),
        path: of.path(),
        position: place(asked, of).map(position),
    }
}

/// Where the configuration states a setting, or its message for a default.
fn place(asked: &AskedIncident, of: &TimeSetting) -> Option<Position> {
    let marks = asked.config.as_ref()?.marks.cluster(&of.cluster)?;
    let health = marks.health.as_deref()?;
    Some(health.place_of(of.check, of.field)?.position)
}
