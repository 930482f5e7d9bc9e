//! Pods and Nodes.

use alloc::{string::String, vec::Vec};

use super::KubeReadiness;
use crate::{
    mesh::{
        document::{KUBE_DOCUMENT, MeshDocument, OWNER, ResourceMeta},
        port::TargetPort,
    },
    proto::{
        Irrelevance::{
            Discovery, Document, Observability, Process, Timing, Transport, UsedByOthers,
        },
        Message, Report, Schema,
    },
};

pub(super) static POD: Schema = Schema::new("Pod", "metadata spec status")
    .ignored(&[(Document, "apiVersion kind")])
    .lenient()
    .of("Pod");
pub(super) static SPEC: Schema = Schema::new("spec", "containers initContainers nodeName")
    .ignored(&[
        (Document, KUBE_DOCUMENT),
        (
            Process,
            "automountServiceAccountToken dnsConfig dnsPolicy enableServiceLinks \
             ephemeralContainers evictionResponders hostAliases hostIPC hostPID hostUsers \
             imagePullSecrets os overhead resourceClaims resources restartPolicy \
             runtimeClassName securityContext setHostnameAsFQDN shareProcessNamespace volumes",
        ),
        (
            Discovery,
            "affinity hostname hostnameOverride nodeSelector preemptionPolicy priority \
             priorityClassName readinessGates schedulerName schedulingGates schedulingGroup \
             subdomain tolerations topologySpreadConstraints",
        ),
        (
            Timing,
            "activeDeadlineSeconds terminationGracePeriodSeconds",
        ),
        (Transport, "hostNetwork serviceAccount serviceAccountName"),
    ])
    .lenient()
    .of("Pod.spec");
pub(super) static CONTAINER: Schema = Schema::new("container", "name ports env")
    .ignored(&[(
        Process,
        "args command envFrom image imagePullPolicy lifecycle livenessProbe \
         readinessProbe resizePolicy resources restartPolicy restartPolicyRules securityContext \
         startupProbe stdin stdinOnce terminationMessagePath terminationMessagePolicy tty \
         volumeDevices volumeMounts workingDir",
    )])
    .lenient()
    .of("Pod.spec.containers");
pub(super) static VARIABLE: Schema = Schema::new("variable", "name value")
    .ignored(&[(Process, "valueFrom")])
    .lenient()
    .of("Pod.spec.containers.env");
pub(super) static CONTAINER_PORT: Schema = Schema::new("port", "name containerPort")
    .ignored(&[(Discovery, "hostIP hostPort"), (Transport, "protocol")])
    .lenient()
    .of("Pod.spec.containers.ports");
// The conditions say whether the Pod is ready, in each phase that has not ended.
pub(super) static STATUS: Schema = Schema::new("status", "podIP conditions phase")
    .ignored(&[
        (UsedByOthers, "podIPs"),
        (
            Process,
            "allocatedResources containerStatuses ephemeralContainerStatuses \
             extendedResourceClaimStatus initContainerStatuses \
             nodeAllocatableResourceClaimStatuses qosClass resize resourceClaimStatuses resources \
             volumeHealth",
        ),
        (Discovery, "hostIP hostIPs nominatedNodeName"),
        (Observability, "message reason startTime observedGeneration"),
    ])
    .lenient()
    .of("Pod.status");
pub(super) static CONDITION: Schema = Schema::new("condition", "type status")
    .ignored(&[(
        Observability,
        "lastProbeTime lastTransitionTime message observedGeneration reason",
    )])
    .lenient()
    .of("Pod.status.conditions");
// Only the labels of a Node are read.
pub(super) static NODE: Schema = Schema::new("Node", "metadata")
    .ignored(&[
        (Document, "apiVersion kind"),
        (Discovery, "spec"),
        (Process, "status"),
    ])
    .lenient()
    .of("Node");

/// A Pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KubePod {
    /// Name, namespace, labels and annotations.
    pub meta: ResourceMeta,
    /// The name of its Node; empty if it is not scheduled.
    pub node: String,
    /// Its IP address; `None` if it has none yet.
    pub address: Option<String>,
    /// Whether it receives requests. A Pod without a status counts as ready.
    pub state: KubeReadiness,
    /// The ports of its containers.
    pub ports: Vec<KubeContainerPort>,
    /// Istio's proxy in it; `None` if it has none.
    pub sidecar: Option<KubeSidecar>,
    /// The name of the object that created it; that of the Pod without one.
    pub owner: String,
}

/// Istio's proxy in a Pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KubeSidecar {
    /// Whether it knows the hosts of its own workload (`ISTIO_META_ENABLE_SELF_DISCOVERY`).
    pub self_discovery: bool,
}

/// One port of a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KubeContainerPort {
    /// Its number.
    pub port: u16,
    /// Its name.
    pub name: Option<String>,
}

/// A Node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KubeNode {
    /// Name and labels.
    pub meta: ResourceMeta,
}

impl KubePod {
    /// The number of a port. A number need not be declared by a container.
    #[must_use]
    pub fn port(&self, target: &TargetPort) -> Option<u16> {
        match target {
            TargetPort::Number(port) => Some(*port),
            TargetPort::Name(name) => {
                let named = |port: &&KubeContainerPort| port.name.as_ref() == Some(name);
                self.ports.iter().find(named).map(|port| port.port)
            }
        }
    }
}

impl KubeNode {
    /// A label's value, or an empty text.
    #[must_use]
    pub fn label(&self, name: &str) -> &str {
        self.meta.label(name).unwrap_or_default()
    }
}

/// Reads a Pod.
pub(crate) fn read_pod(document: &MeshDocument<'_, '_>, report: &mut Report) -> Option<KubePod> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &SPEC, report)?;
    let root = Message::open(document.node, document.path.clone(), &POD, report)?;
    let metadata = root.object("metadata", "ObjectMeta", report);
    let leaving = metadata
        .as_ref()
        .is_some_and(|metadata| metadata.has("deletionTimestamp"));
    let owners = metadata
        .map(|metadata| metadata.messages("ownerReferences", &OWNER, report))
        .unwrap_or_default();
    let owner = owners
        .first()
        .and_then(|owner| owner.string("name", report))
        .unwrap_or(&meta.name)
        .into();
    let mut sidecar = None;
    for list in ["containers", "initContainers"] {
        for container in spec.messages(list, &CONTAINER, report) {
            if container.string("name", report) == Some("istio-proxy") {
                sidecar = Some(read_sidecar(&container, report));
            }
        }
    }
    let status = root.message("status", &STATUS, report);
    let phase = status.as_ref().map(|status| status.text("phase", report));
    let ended = matches!(phase.as_deref(), Some("Succeeded" | "Failed"));
    let mut ports = Vec::new();
    for container in spec.messages("containers", &CONTAINER, report) {
        for port in container.messages("ports", &CONTAINER_PORT, report) {
            if let Some(number) = port.port("containerPort", report) {
                ports.push(KubeContainerPort {
                    port: number,
                    name: port.string("name", report).map(Into::into),
                });
            }
        }
    }
    Some(KubePod {
        meta,
        node: spec.text("nodeName", report),
        address: status
            .as_ref()
            .and_then(|status| status.string("podIP", report))
            .map(Into::into),
        state: match (
            status.is_none_or(|status| is_ready(&status, report)),
            leaving,
        ) {
            _ if ended => KubeReadiness::Ended,
            (true, false) => KubeReadiness::Ready,
            (false, false) => KubeReadiness::NotReady,
            (true, true) => KubeReadiness::Draining,
            (false, true) => KubeReadiness::Terminating,
        },
        ports,
        sidecar,
        owner,
    })
}

fn read_sidecar(container: &Message<'_, '_>, report: &mut Report) -> KubeSidecar {
    let variables = container.messages("env", &VARIABLE, report);
    KubeSidecar {
        self_discovery: variables.iter().any(|variable| {
            variable.string("name", report) == Some("ISTIO_META_ENABLE_SELF_DISCOVERY")
                && variable.string("value", report) == Some("true")
        }),
    }
}

/// Whether the condition `Ready` is true; without conditions, it counts as true.
fn is_ready(status: &Message<'_, '_>, report: &mut Report) -> bool {
    let conditions = status.messages("conditions", &CONDITION, report);
    conditions.iter().all(|condition| {
        condition.string("type", report) != Some("Ready")
            || condition.string("status", report) == Some("True")
    })
}

/// Reads a Node.
pub(crate) fn read_node(document: &MeshDocument<'_, '_>, report: &mut Report) -> Option<KubeNode> {
    Message::open(document.node, document.path.clone(), &NODE, report)?;
    Some(KubeNode {
        meta: ResourceMeta::read(document, report),
    })
}
