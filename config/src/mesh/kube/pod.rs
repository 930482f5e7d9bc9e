//! Pods and Nodes.

use alloc::{string::String, vec::Vec};

use super::KubeReadiness;
use crate::{
    mesh::{
        document::{MeshDocument, ResourceMeta},
        port::TargetPort,
    },
    proto::{Message, Report},
};

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
    let spec = Message::open_partly(document.spec, path, "Pod", report)?;
    let root = Message::open_partly(document.node, document.path.clone(), "Pod", report)?;
    let metadata = root.object("metadata", "ObjectMeta", report);
    let leaving = metadata
        .as_ref()
        .is_some_and(|metadata| metadata.has("deletionTimestamp"));
    let owners = metadata
        .map(|metadata| metadata.objects("ownerReferences", "ownerReference", report))
        .unwrap_or_default();
    let owner = owners
        .first()
        .and_then(|owner| owner.string("name", report));
    let owner = owner.unwrap_or(&meta.name).into();
    let mut sidecar = None;
    for list in ["containers", "initContainers"] {
        for container in spec.objects(list, "container", report) {
            if container.string("name", report) == Some("istio-proxy") {
                sidecar = Some(read_sidecar(&container, report));
            }
        }
    }
    let status = root.object("status", "PodStatus", report);
    let mut ports = Vec::new();
    for container in spec.objects("containers", "container", report) {
        for port in container.objects("ports", "port", report) {
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
    let variables = container.objects("env", "env", report);
    KubeSidecar {
        self_discovery: variables.iter().any(|variable| {
            variable.string("name", report) == Some("ISTIO_META_ENABLE_SELF_DISCOVERY")
                && variable.string("value", report) == Some("true")
        }),
    }
}

/// Whether the condition `Ready` is true; without conditions, it counts as true.
fn is_ready(status: &Message<'_, '_>, report: &mut Report) -> bool {
    let conditions = status.objects("conditions", "condition", report);
    conditions.iter().all(|condition| {
        condition.string("type", report) != Some("Ready")
            || condition.string("status", report) == Some("True")
    })
}

/// Reads a Node.
pub(crate) fn read_node(document: &MeshDocument<'_, '_>, report: &mut Report) -> Option<KubeNode> {
    Some(KubeNode {
        meta: ResourceMeta::read(document, report),
    })
}
