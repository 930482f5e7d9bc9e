//! The answer: the model, the places of its values and the findings.

use alloc::{string::String, sync::Arc, vec::Vec};

use spillgate_core::model::Cluster;

use super::fields::{bytes, fields, variants};
use crate::link::LinkView;

/// The result of importing a configuration and an optional `/clusters` text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportAnswer {
    /// The model of the texts; `None` if they have errors. Without the hash policies of load-balancing
    /// policies, which have no effect in the playground.
    pub clusters: Option<Vec<Arc<Cluster>>>,
    /// The places of the values, by cluster.
    pub places: Vec<ClusterPlaces>,
    /// The cluster that the text asks about, by its index.
    pub root: Option<usize>,
    /// The settings of the playground that the text has, as in links.
    pub view: LinkView,
    /// The findings, in the order of the texts: at most [`MAXIMUM_FAULTS`].
    pub faults: Vec<ImportFault>,
    /// The number of further findings, none of them more severe.
    pub more: usize,
    /// The settings that are not modeled and concern shares of clusters.
    pub limits: Vec<ImportLimit>,
    /// The clusters whose hosts are not known, by their index.
    pub unknown_hosts: Vec<usize>,
    /// The worst that is true of each cluster, as an index of the verdicts of `spillgate-explain`; `None` if it was
    /// not computed.
    pub verdicts: Vec<Option<usize>>,
}

/// A setting that is not modeled, so that shares can differ from Envoy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportLimit {
    /// The cluster that it concerns, by its index; `None` for all clusters.
    pub cluster: Option<usize>,
    /// What is not modeled, and what can differ.
    pub effect: String,
    /// Its place in the configuration.
    pub position: Option<TextPosition>,
}

/// Maximum number of findings in an answer: those that a reader reports, and the one which says that
/// there are more.
pub const MAXIMUM_FAULTS: usize = 1001;

/// A place in a text. Lines and columns count from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextPosition {
    /// The line.
    pub line: u32,
    /// The column within the line, in characters.
    pub column: u32,
}

/// The places in the configuration of the cluster values that the playground links to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClusterPlaces {
    /// The cluster itself.
    pub cluster: Option<TextPosition>,
    /// The load-balancing policy.
    pub lb_policy: Option<TextPosition>,
    /// `common_lb_config.override_host_status`.
    pub override_host_status: Option<TextPosition>,
    /// The zone-aware or locality-weighted settings.
    pub locality_lb: Option<TextPosition>,
    /// The policy's own `hash_policy`.
    pub hash_policy: Option<TextPosition>,
    /// The drop overload of the assignment.
    pub drop_overload: Option<TextPosition>,
    /// The subset settings.
    pub subset: Option<TextPosition>,
    /// The subset selectors, in the order of the model.
    pub subset_selectors: Vec<TextPosition>,
    /// The first position of each locality, by priority.
    pub localities: Vec<Vec<TextPosition>>,
    /// `common_lb_config.healthy_panic_threshold`.
    pub panic_threshold: Option<TextPosition>,
    /// `load_assignment.policy.overprovisioning_factor`.
    pub overprovisioning_factor: Option<TextPosition>,
    /// The member list of an aggregate.
    pub members: Option<TextPosition>,
    /// The endpoints, by priority and index.
    pub priorities: Vec<Vec<HostPlace>>,
}

/// The place of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostPlace {
    /// Its start.
    pub endpoint: TextPosition,
    /// Its `health_status`.
    pub health_status: Option<TextPosition>,
}

/// One finding in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportFault {
    /// The severity.
    pub severity: FaultSeverity,
    /// The text with the finding.
    pub field: ImportField,
    /// A stable name of the kind: `config/unknown-field`, or a lint rule such as `weight-zero`.
    pub code: String,
    /// The field of the configuration; empty for the text as a whole.
    pub path: String,
    /// The position, if the finding has one.
    pub position: Option<TextPosition>,
    /// The problem.
    pub message: String,
    /// The found value, ready to print.
    pub found: Option<String>,
    /// The expected value, ready to print.
    pub expected: Option<String>,
    /// The most similar name.
    pub suggestion: Option<String>,
    /// The fix.
    pub fix: Option<String>,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultSeverity {
    /// The text is unusable, or requests fail.
    Error,
    /// A setting has no effect or an unintended effect.
    Warning,
    /// A setting is not modeled: figures can differ from Envoy.
    Limit,
    /// A hint.
    Info,
}

/// The imported texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImportField {
    /// The configuration.
    Config,
    /// The output of `/clusters`.
    Clusters,
}

impl ImportAnswer {
    /// Adds findings in the order of the texts; if there are too many, the most severe ones.
    #[must_use]
    pub fn with_faults(mut self, mut faults: Vec<ImportFault>) -> Self {
        self.more = faults.len().saturating_sub(MAXIMUM_FAULTS);
        let mut room = MAXIMUM_FAULTS;
        let [mut errors, mut warnings, mut limits, mut hints] = [
            FaultSeverity::Error,
            FaultSeverity::Warning,
            FaultSeverity::Limit,
            FaultSeverity::Info,
        ]
        .map(|severity| {
            let all = faults.iter().filter(|fault| fault.severity == severity);
            let kept = all.count().min(room);
            room -= kept;
            kept
        });
        faults.retain(|fault| {
            let left = match fault.severity {
                FaultSeverity::Error => &mut errors,
                FaultSeverity::Warning => &mut warnings,
                FaultSeverity::Limit => &mut limits,
                FaultSeverity::Info => &mut hints,
            };
            let keeps = *left > 0;
            *left = left.saturating_sub(1);
            keeps
        });
        self.faults = faults;
        self
    }

    /// Adds findings to those that it has, in the order of the texts.
    #[must_use]
    pub fn with_further(mut self, mut further: Vec<ImportFault>) -> Self {
        let more = self.more;
        let mut faults = core::mem::take(&mut self.faults);
        faults.append(&mut further);
        faults.sort_by_key(|fault| (fault.field, fault.position.is_none(), fault.position));
        let mut answer = self.with_faults(faults);
        answer.more += more;
        answer
    }
}

bytes!(ImportAnswer);

impl TextPosition {
    /// The start of a text.
    pub const START: Self = Self { line: 1, column: 1 };
}

fields!(ImportAnswer {
    clusters,
    places,
    root,
    view,
    faults,
    more,
    limits,
    unknown_hosts,
    verdicts
});
fields!(ImportLimit {
    cluster,
    effect,
    position
});
fields!(TextPosition { line, column });
fields!(ClusterPlaces {
    cluster,
    lb_policy,
    override_host_status,
    locality_lb,
    hash_policy,
    drop_overload,
    subset,
    subset_selectors,
    localities,
    panic_threshold,
    overprovisioning_factor,
    members,
    priorities
});
fields!(HostPlace {
    endpoint,
    health_status
});
fields!(ImportFault {
    severity,
    field,
    code,
    path,
    position,
    message,
    found,
    expected,
    suggestion,
    fix
});
variants!(FaultSeverity {
    Error,
    Warning,
    Limit,
    Info
});
variants!(ImportField { Config, Clusters });
