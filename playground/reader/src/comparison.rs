//! How the routes and the other settings of two configurations differ: what the report of `spillgate diff` has beyond
//! clusters.

use alloc::{
    borrow::ToOwned as _,
    collections::BTreeMap,
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_codec::import::{ComparedRoute, ComparisonAnswer, NamedRequests, SideRequests};
use spillgate_config::{
    envoy::{EnvoyConfig, ReadOptions, read_sources_and_judge},
    node::decode,
    re2,
    steered::{effective_model, mark_unserved},
};
use spillgate_core::model::Model;
use spillgate_diff::{
    DiffReport, DiffSide, HostSources, RouteDiff, RoutesStatus, SideSettings, StatedLimit,
    UnmodeledDiff, diff, route_heading, route_rows, shown_example,
};

use crate::{files::files, rejection::rejection};

/// Compares two configurations, the old one first. The bytes are a [`ComparisonAnswer`].
#[must_use]
pub fn comparison_answer(old: &[u8], new: &[u8]) -> Vec<u8> {
    let sides = [("old", old), ("new", new)].map(|(name, text)| {
        ReadSide::new(text).map_err(|reason| format!("the {name} side: {reason}"))
    });
    let answer = match sides {
        [Ok(old), Ok(new)] => answer(&old, &new),
        [Err(reason), _] | [_, Err(reason)] => ComparisonAnswer {
            rejected: Some(reason),
            ..ComparisonAnswer::default()
        },
    };
    answer.to_bytes()
}

/// A side as `spillgate diff` reads it.
struct ReadSide {
    config: EnvoyConfig,
    model: Model,
    sources: HostSources,
    limits: Vec<StatedLimit>,
}

impl ReadSide {
    fn new(text: &[u8]) -> Result<Self, String> {
        let text = decode(text).map_err(|fault| fault.message)?;
        let texts = files(text);
        let options = ReadOptions {
            regex: Some(re2::compile),
            for_grpc: false,
        };
        let mut discovery = BTreeMap::new();
        let read = read_sources_and_judge(&texts, &options, |judged| {
            discovery = judged.facts.discovery_sources();
        });
        let mut config = read.map_err(|faults| {
            let first = faults.first();
            first.map_or_else(|| "Envoy rejects it".to_string(), rejection)
        })?;
        mark_unserved(&mut config);
        let served = effective_model(&config).filter(|served| served.steered);
        // The filter knows the hosts of its own clusters.
        let is_unknown = |name: &str| served.is_none() && !config.marks.knows_hosts(name);
        let model = match &served {
            Some(served) => served.model.clone(),
            None => config.model.clone(),
        };
        Ok(Self {
            sources: HostSources::new(&model, is_unknown, &discovery),
            limits: StatedLimit::of(&config.sources, &texts, &config.warnings),
            config,
            model,
        })
    }

    fn compared(&self) -> DiffSide<'_> {
        DiffSide {
            model: &self.model,
            listeners: &self.config.listeners,
            unknown: &self.sources.unknown,
            resolved: Some(&self.sources.resolved),
        }
    }

    fn settings(&self) -> SideSettings<'_> {
        SideSettings {
            limits: &self.limits,
            unread: &self.config.unread,
        }
    }
}

fn answer(old: &ReadSide, new: &ReadSide) -> ComparisonAnswer {
    // With clusters: their other names are those of the settings, too.
    let report: DiffReport = diff(&old.compared(), &new.compared());
    let unmodeled = UnmodeledDiff::new(old.settings(), new.settings(), &report);
    let equal_listeners = unmodeled.equal_listeners(&report);
    let UnmodeledDiff {
        limits,
        not_compared,
        ..
    } = unmodeled;
    let gone = limits.gone.iter().map(|limit| format!("{limit} (gone)"));
    ComparisonAnswer {
        old_requests: requests(&old.compared()),
        new_requests: requests(&new.compared()),
        rejected: None,
        routes: report.routes.iter().map(route).collect(),
        equal_listeners,
        limits: limits.new.iter().cloned().chain(gone).collect(),
        not_compared,
    }
}

fn requests(side: &DiffSide<'_>) -> SideRequests {
    let found = side.requests();
    let clusters = found
        .clusters
        .into_iter()
        .map(|(cluster, of)| NamedRequests {
            cluster: cluster.to_owned(),
            criteria: of.criteria.into_iter().cloned().collect(),
            has_sessions: of.has_sessions,
            has_hashes: of.has_hashes,
        });
    SideRequests {
        clusters: clusters.collect(),
        read_metadata: found.read_metadata,
    }
}

fn route(of: &RouteDiff) -> ComparedRoute {
    let rows = route_rows(of).into_iter().map(|row| (row.name, row.text));
    let example = shown_example(of).map(|(name, value)| (name.to_owned(), value));
    ComparedRoute {
        heading: route_heading(of),
        changes: of.status == RoutesStatus::Changed,
        rows: rows.collect(),
        example: example.collect(),
    }
}
