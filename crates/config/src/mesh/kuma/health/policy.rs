//! Reads a policy: the proxies and destinations that it selects, and its settings for them.

use alloc::{format, vec::Vec};

use spillgate_mesh::kuma::{KumaPolicy, KumaTargetRef, KumaTo};

use super::{
    super::target_ref::read_target_ref, circuit_breaker, health_check, inbound, retry,
    settings::KumaSettings, timeout,
};
use crate::{
    Diagnostic,
    mesh::{
        document::{DocumentKind, MeshDocument, ResourceMeta},
        place::ValuePlace,
    },
    node::quote,
    proto::{Message, Report, Schema, nearest},
};

/// A policy and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct KumaHealthPolicy {
    /// The policy.
    pub policy: KumaPolicy<KumaSettings>,
    /// The place of the document.
    pub place: ValuePlace,
}

/// The policies of all documents, by kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaHealthDocuments {
    /// MeshHealthChecks.
    pub checks: Vec<KumaHealthPolicy>,
    /// MeshCircuitBreakers.
    pub breakers: Vec<KumaHealthPolicy>,
    /// MeshRetries.
    pub retries: Vec<KumaHealthPolicy>,
    /// MeshTimeouts.
    pub timeouts: Vec<KumaHealthPolicy>,
}

impl KumaHealthDocuments {
    /// All policies, each with the name of its kind.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &KumaHealthPolicy)> {
        let lists = [
            ("MeshHealthCheck", &self.checks),
            ("MeshCircuitBreaker", &self.breakers),
            ("MeshRetry", &self.retries),
            ("MeshTimeout", &self.timeouts),
        ];
        let all = lists.into_iter();
        all.flat_map(|(kind, policies)| policies.iter().map(move |policy| (kind, policy)))
    }

    /// Adds those of another file.
    pub(in crate::mesh) fn append(&mut self, other: &mut Self) {
        self.checks.append(&mut other.checks);
        self.breakers.append(&mut other.breakers);
        self.retries.append(&mut other.retries);
        self.timeouts.append(&mut other.timeouts);
    }
}

/// Reads the settings of a `default`.
type ReadConf = fn(&Message<'_, '_>, usize, &mut Report) -> KumaSettings;

/// What kinds of policies differ in.
struct PolicyForm {
    policy: &'static Schema,
    to: &'static Schema,
    conf: &'static Schema,
    read: ReadConf,
    /// Whether `to` can name a MeshHTTPRoute.
    for_routes: bool,
}

static CHECK: PolicyForm = PolicyForm {
    policy: &health_check::POLICY,
    to: &health_check::TO,
    conf: &health_check::CONF,
    read: health_check::read,
    for_routes: false,
};
static BREAKER: PolicyForm = PolicyForm {
    policy: &circuit_breaker::POLICY,
    to: &circuit_breaker::TO,
    conf: &circuit_breaker::CONF,
    read: circuit_breaker::read,
    for_routes: false,
};
static RETRY: PolicyForm = PolicyForm {
    policy: &retry::POLICY,
    to: &retry::TO,
    conf: &retry::CONF,
    read: retry::read,
    for_routes: true,
};
static TIMEOUT: PolicyForm = PolicyForm {
    policy: &timeout::POLICY,
    to: &timeout::TO,
    conf: &timeout::CONF,
    read: timeout::read,
    for_routes: true,
};

/// Reads a policy of these kinds into its list.
pub(crate) fn read_health_policy(
    document: &MeshDocument<'_, '_>,
    into: &mut KumaHealthDocuments,
    report: &mut Report,
) {
    let (form, list) = match document.kind {
        DocumentKind::MeshHealthCheck => (&CHECK, &mut into.checks),
        DocumentKind::MeshCircuitBreaker => (&BREAKER, &mut into.breakers),
        DocumentKind::MeshRetry => (&RETRY, &mut into.retries),
        _ => (&TIMEOUT, &mut into.timeouts),
    };
    list.extend(read_policy(document, form, report));
}

fn read_policy(
    document: &MeshDocument<'_, '_>,
    form: &PolicyForm,
    report: &mut Report,
) -> Option<KumaHealthPolicy> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, form.policy, report)?;
    let target_ref = read_target_ref(&spec, report);
    if let Some(target) = &target_ref {
        check_top(&spec, target, report);
    }
    match document.kind {
        DocumentKind::MeshCircuitBreaker => inbound::read_breakers(&spec, report),
        DocumentKind::MeshTimeout => inbound::read_timeouts(&spec, report),
        _ => {}
    }
    let mut to = Vec::new();
    for entry in spec.messages("to", form.to, report) {
        to.push(read_to(&entry, document.file, form, report));
    }
    Some(KumaHealthPolicy {
        place: meta.place.clone(),
        policy: KumaPolicy {
            meta: meta.into_kuma(),
            target_ref,
            to,
        },
    })
}

fn read_to(
    entry: &Message<'_, '_>,
    file: usize,
    form: &PolicyForm,
    report: &mut Report,
) -> KumaTo<KumaSettings> {
    entry.require("targetRef", report);
    let target_ref = read_target_ref(entry, report).unwrap_or_default();
    if let Some(target) = entry.get("targetRef") {
        const KINDS: [&str; 5] = [
            "Mesh",
            "MeshService",
            "MeshExternalService",
            "MeshMultiZoneService",
            "MeshHTTPRoute",
        ];
        let kinds = if form.for_routes {
            &KINDS[..]
        } else {
            &KINDS[..4]
        };
        check_kind(&target_ref.kind, kinds, entry, target.position, report);
    }
    entry.require("default", report);
    let conf = entry.message("default", form.conf, report);
    KumaTo {
        target_ref,
        conf: conf
            .map(|conf| (form.read)(&conf, file, report))
            .unwrap_or_default(),
    }
}

/// Kuma 2.x also selects the routes of a proxy.
fn check_top(spec: &Message<'_, '_>, target: &KumaTargetRef, report: &mut Report) {
    const KINDS: [&str; 7] = [
        "Mesh",
        "Dataplane",
        "MeshSubset",
        "MeshGateway",
        "MeshService",
        "MeshServiceSubset",
        "MeshHTTPRoute",
    ];
    let position = spec.position_of("targetRef");
    check_kind(&target.kind, &KINDS, spec, position, report);
    if target.kind == "MeshHTTPRoute" {
        let path = spec.path.field("targetRef").field("kind");
        let effect = "targetRef of kind MeshHTTPRoute is not modeled; its settings are left out";
        report.limit_over_time(effect, &path, position);
    }
}

fn check_kind(
    kind: &str,
    kinds: &'static [&'static str],
    parent: &Message<'_, '_>,
    position: crate::Position,
    report: &mut Report,
) {
    if kinds.contains(&kind) {
        return;
    }
    let path = parent.path.field("targetRef").field("kind").text();
    let fault = if kind.is_empty() {
        Diagnostic::error("mesh/empty", "must not be empty")
    } else {
        Diagnostic::error("mesh/unsupported-kind", "kind is not supported here").found(quote(kind))
    };
    let expected = format!("one of {}", kinds.join(", "));
    report.push(
        fault
            .at(path, Some(position))
            .expected(expected)
            .suggest(nearest(kind, kinds.iter().copied())),
    );
}
