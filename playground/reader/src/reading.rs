//! From two texts to clusters, diagnostics and findings.
//!
//! A worker reads (`www/reader.js`), because 5 MB of YAML take about a second. The playground compiles
//! the modules without blocking and passes them to the worker, so a served page needs only
//! `worker-src 'self'`; if the browser refuses workers, the playground reads by itself. A worker that is
//! busy with an older text for 250 ms is stopped, because only the latest text counts; so is one
//! whose reader failed, because the memory of such a module is not trustworthy.

use alloc::vec::Vec;

use spillgate_codec::link::ClusterLimits;
use spillgate_config::{
    Diagnostic,
    clusters::{self, ClusterStatus},
    envoy::{EnvoyConfig, ReadOptions, read_sources, read_sources_for_lint},
    node::decode,
};
use spillgate_lint::{Finding, Severity, lint};

use crate::{files::files, limits, regex};

/// The result of reading both texts.
#[derive(Debug, Default)]
pub(crate) struct Reading<'t> {
    /// The text of the configuration; `None` if it is too large or not UTF-8, which is an error of the
    /// configuration.
    pub(crate) text: Option<&'t str>,
    /// The configuration with its hosts; `None` after errors.
    pub(crate) config: Option<EnvoyConfig>,
    /// Errors and warnings of the configuration.
    pub(crate) of_config: Vec<Diagnostic>,
    /// Errors and warnings of the output of `/clusters`.
    pub(crate) of_clusters: Vec<Diagnostic>,
    /// Lint findings.
    pub(crate) findings: Vec<Finding>,
}

impl<'t> Reading<'t> {
    /// Reads both texts, and reports the faults of both.
    pub(crate) fn of(config: &'t [u8], answer: &[u8]) -> Self {
        let decoded = decode(config);
        let text = decoded.as_ref().ok().copied();
        let decoded = decoded.map_err(|fault| Vec::from([fault]));
        let read = decoded.and_then(|text| {
            let read = read_sources_for_lint(&files(text), &options())?;
            Ok((text, read))
        });
        let statuses = decode(answer)
            .map_err(|fault| Vec::from([fault]))
            .and_then(statuses);
        match (read, statuses) {
            (Ok((text, config)), Ok(statuses)) => Self::judge(text, config, statuses.as_deref()),
            (read, statuses) => Self {
                text,
                of_config: read.err().unwrap_or_default(),
                of_clusters: statuses.err().unwrap_or_default(),
                ..Self::default()
            },
        }
    }

    fn judge(
        text: &'t str,
        mut config: EnvoyConfig,
        statuses: Option<&[ClusterStatus<'_>]>,
    ) -> Self {
        let of_clusters = statuses.map_or_else(Vec::new, |statuses| {
            clusters::lay_over(statuses, &mut config)
        });
        // Before lint, whose figures need tables.
        if let Some(error) = limits::too_many_hosts(config.model.clusters()) {
            return Self {
                text: Some(text),
                of_config: Vec::from([error]),
                of_clusters,
                ..Self::default()
            };
        }
        let (findings, too_large) = checked(&mut config);
        let refusal = refusal(text, &findings);
        let mut warnings = core::mem::take(&mut config.warnings);
        warnings.extend(too_large);
        Self {
            text: Some(text),
            config: refusal.is_none().then_some(config),
            of_config: refusal.unwrap_or(warnings),
            of_clusters,
            findings,
        }
    }
}

/// The findings of lint in clusters whose hash tables fit, and warnings about the others.
fn checked(config: &mut EnvoyConfig) -> (Vec<Finding>, Vec<Diagnostic>) {
    let model = config.model.clone();
    let too_large = limits::too_large_tables(model.clusters());
    if too_large.is_empty() {
        return (lint(config), Vec::new());
    }
    let kept = ClusterLimits::new(model.clusters()).together(None);
    let mut index = 0;
    config.model.retain(|_| {
        index += 1;
        kept.binary_search(&(index - 1)).is_ok()
    });
    let findings = lint(config);
    config.model = model;
    let placed = too_large.into_iter().map(|(cluster, warning)| {
        let cluster = cluster.and_then(|at| config.model.clusters().get(at));
        let marks = cluster.and_then(|cluster| config.marks.cluster(&cluster.name));
        let path = cluster.map_or("", |cluster| &cluster.name);
        warning.at(
            path,
            marks.map(|marks| marks.lb_policy.unwrap_or(marks.cluster)),
        )
    });
    (findings, placed.collect())
}

/// The errors of a text that Envoy rejects, although it was read for lint, which accepts more.
fn refusal(text: &str, findings: &[Finding]) -> Option<Vec<Diagnostic>> {
    let doubt = findings.iter().any(|f| f.severity == Severity::Error);
    let read = || read_sources(&files(text), &options());
    doubt.then(|| read().err()).flatten()
}

fn options() -> ReadOptions {
    ReadOptions {
        regex: Some(regex::keep),
        for_grpc: false,
    }
}

/// The output of `/clusters`, unless it is empty.
fn statuses(text: &str) -> Result<Option<Vec<ClusterStatus<'_>>>, Vec<Diagnostic>> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    clusters::read(text).map(Some)
}
