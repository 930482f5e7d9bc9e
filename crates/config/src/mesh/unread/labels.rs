//! Which labels, tags and annotations count: those that documents of other kinds can select by, and those of a mesh.

/// Labels of one start of a workload, and of its place.
static OF_ONE_START: &[&str] = &[
    "apps.kubernetes.io/pod-index",
    "controller-revision-hash",
    "controller-uid",
    "kubernetes.io/hostname",
    "kuma.io/instance",
    "pod-template-generation",
    "pod-template-hash",
    "statefulset.kubernetes.io/pod-name",
];

/// Those of a mesh that are compared by what they do.
static COMPARED: &[&str] = &[
    "istio.io/dataplane-mode",
    "istio.io/persistent-session",
    "istio.io/use-waypoint",
    "kuma.io/mesh",
    "kuma.io/policy-role",
    "kuma.io/protocol",
    "kuma.io/service",
    "kuma.io/transparent-proxying-reachable-services",
    "kuma.io/zone",
    "networking.istio.io/exportTo",
    "networking.istio.io/gatewayPort",
    "networking.istio.io/traffic-distribution",
    "security.istio.io/tlsMode",
    "topology.istio.io/network",
    "topology.istio.io/subzone",
];

/// Those of a mesh that change no request: names for people and telemetry, and where a document is from.
static WITHOUT_EFFECT: &[&str] = &[
    "k8s.kuma.io/namespace",
    "k8s.kuma.io/service-name",
    "k8s.kuma.io/service-port",
    "kuma.io/display-name",
    "kuma.io/env",
    "kuma.io/instance",
    "kuma.io/origin",
    "kuma.io/sidecar-injected",
    "kuma.io/workload",
    "operator.istio.io/component",
    "operator.istio.io/managed",
    "operator.istio.io/version",
    "service.istio.io/canonical-name",
    "service.istio.io/canonical-revision",
    "sidecar.istio.io/status",
];

/// Whether a label is that of one start of a workload.
pub(super) fn is_of_one_start(name: &str) -> bool {
    OF_ONE_START.contains(&name)
}

/// How a label, a tag or an annotation counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LabelUse {
    /// Whatever selects it.
    Always,
    /// If a document that is not read names it.
    IfNamed,
    Never,
}

/// How one counts; annotations select nothing.
pub(super) fn use_of(name: &str, is_annotation: bool) -> LabelUse {
    let is_of_mesh = ["istio.io/", "kuma.io/"].iter().any(|domain| {
        let before = name.split_once(domain).map(|(before, _)| before);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    });
    let is_of_mesh = is_of_mesh || name == "istio-injection";
    if is_of_mesh && !COMPARED.contains(&name) && !WITHOUT_EFFECT.contains(&name) {
        return LabelUse::Always;
    }
    if is_annotation {
        LabelUse::Never
    } else {
        LabelUse::IfNamed
    }
}
