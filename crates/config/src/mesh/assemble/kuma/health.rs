//! The policies of a mesh that decide what happens over time, with the ones that Kuma creates itself.

use core::time::Duration;

use alloc::{format, vec::Vec};

use spillgate_mesh::kuma::{KumaMeta, KumaPolicy, KumaTargetRef, KumaTo};

use super::sources::Sources;
use crate::mesh::kuma::{KumaHealthPolicy, KumaSettings, KumaValue};

/// The beginning of the name of the MeshRetry that Kuma creates with a mesh, whose name is its end.
pub(in crate::mesh) const INITIAL_RETRIES: &str = "mesh-retry-all";

/// The beginnings of the names of all policies that Kuma creates with a mesh.
const INITIAL: [&str; 5] = [
    INITIAL_RETRIES,
    "mesh-timeout-all",
    "mesh-timeout-to-all",
    "mesh-gateways-timeout-all",
    "mesh-circuit-breaker-all",
];

/// The policies, by kind; which of them apply is a rule of `spillgate-mesh`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaHealthInputs {
    /// MeshHealthChecks.
    pub checks: Vec<KumaPolicy<KumaSettings>>,
    /// MeshCircuitBreakers. The one that Kuma creates has Envoy's limits.
    pub breakers: Vec<KumaPolicy<KumaSettings>>,
    /// MeshRetries of the documents.
    pub retries: Vec<KumaPolicy<KumaSettings>>,
    /// The same, with the one that Kuma creates if no document has it.
    pub retries_with_initial: Vec<KumaPolicy<KumaSettings>>,
    /// MeshTimeouts. Those that Kuma creates have the values that Kuma uses without any.
    pub timeouts: Vec<KumaPolicy<KumaSettings>>,
}

impl KumaHealthInputs {
    pub(super) fn new(sources: &Sources<'_>) -> Self {
        let documents = &sources.documents.kuma.health;
        let policies = |read: &[KumaHealthPolicy]| {
            let policies = read.iter().map(|read| read.policy.clone());
            policies.collect::<Vec<_>>()
        };
        let retries = policies(&documents.retries);
        let mut retries_with_initial = retries.clone();
        retries_with_initial.extend(initial_retries(sources));
        Self {
            checks: policies(&documents.checks),
            breakers: policies(&documents.breakers),
            timeouts: policies(&documents.timeouts),
            retries,
            retries_with_initial,
        }
    }
}

impl KumaHealthInputs {
    /// Whether the documents lack the policies that Kuma creates.
    pub(in crate::mesh) const fn lacks_initial(&self) -> bool {
        self.retries_with_initial.len() > self.retries.len()
    }
}

/// The MeshRetry that Kuma creates with a mesh. `None` if the Mesh skips it, or if the documents have one of these
/// policies: they are an export then, and lack what was deleted.
fn initial_retries(sources: &Sources<'_>) -> Option<KumaPolicy<KumaSettings>> {
    let mesh = sources.mesh;
    let skipped = sources.settings.map(|of| of.skipped_policies.as_slice());
    let mut skipped = skipped.unwrap_or_default().iter();
    if skipped.any(|kind| kind == "*" || kind == "MeshRetry") {
        return None;
    }
    let is_initial = |meta: &KumaMeta| {
        let name = meta.display_name();
        let name = name.strip_suffix(mesh).and_then(|of| of.strip_suffix('-'));
        meta.mesh() == mesh && name.is_some_and(|name| INITIAL.contains(&name))
    };
    let mut known = sources.documents.kuma.health.iter();
    if known.any(|(_, read)| is_initial(&read.policy.meta)) {
        return None;
    }
    let target_ref = KumaTargetRef {
        kind: "Mesh".into(),
        ..KumaTargetRef::default()
    };
    Some(KumaPolicy {
        meta: KumaMeta {
            name: format!("{INITIAL_RETRIES}-{mesh}"),
            mesh: mesh.into(),
            ..KumaMeta::default()
        },
        target_ref: Some(target_ref.clone()),
        to: Vec::from([KumaTo {
            target_ref,
            conf: initial_settings(),
        }]),
    })
}

/// Its settings (`pkg/defaults/mesh/meshretry.go`).
fn initial_settings() -> KumaSettings {
    let mut settings = KumaSettings::default();
    let mut set = |path: &str, value| settings.set(path, value, None);
    set("tcp", KumaValue::Present);
    set("tcp.maxConnectAttempt", KumaValue::Number(5));
    for block in ["http", "grpc"] {
        let time = |millis| KumaValue::Time(Duration::from_millis(millis));
        set(block, KumaValue::Present);
        set(&format!("{block}.numRetries"), KumaValue::Number(5));
        set(&format!("{block}.perTryTimeout"), time(16_000));
        set(&format!("{block}.backOff"), KumaValue::Present);
        set(&format!("{block}.backOff.baseInterval"), time(25));
        set(&format!("{block}.backOff.maxInterval"), time(250));
    }
    settings
}
