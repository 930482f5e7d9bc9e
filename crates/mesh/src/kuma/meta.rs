//! Names, roles and origins of resources (`resource.go`, `labels/compute.go`).

use alloc::{collections::BTreeMap, string::String};

use super::{KumaMeta, KumaPolicy};

pub(super) const DISPLAY_NAME: &str = "kuma.io/display-name";
pub(super) const NAMESPACE: &str = "k8s.kuma.io/namespace";
const ORIGIN: &str = "kuma.io/origin";
const POLICY_ROLE: &str = "kuma.io/policy-role";
const EFFECT: &str = "kuma.io/effect";
const ZONE: &str = "kuma.io/zone";
/// The namespace of the control plane.
const SYSTEM_NAMESPACE: &str = "kuma-system";

/// The role of a policy in a Kubernetes namespace, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PolicyRole {
    System,
    Producer,
    Consumer,
    WorkloadOwner,
}

/// Where a resource was created, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ResourceOrigin {
    Global,
    Unknown,
    Zone,
}

// === impl KumaMeta ===

impl KumaMeta {
    /// The mesh; `default` if not set.
    #[must_use]
    pub fn mesh(&self) -> &str {
        if self.mesh.is_empty() {
            "default"
        } else {
            &self.mesh
        }
    }

    /// The label `kuma.io/display-name`, else the name.
    #[must_use]
    pub fn display_name(&self) -> &str {
        self.label(DISPLAY_NAME).unwrap_or(&self.name)
    }

    /// The namespace, also as a label.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref().or_else(|| self.label(NAMESPACE))
    }

    fn label(&self, key: &str) -> Option<&str> {
        let label = self.labels.get(key).map(String::as_str);
        label.filter(|value| !value.is_empty())
    }

    /// Whether the resource has all these labels. The labels that Kuma derives from name and
    /// namespace count, too.
    #[must_use]
    pub fn has_labels(&self, labels: &BTreeMap<String, String>) -> bool {
        labels.iter().all(|(key, value)| {
            let found = match key.as_str() {
                DISPLAY_NAME => Some(self.display_name()),
                NAMESPACE => self.namespace(),
                _ => self.labels.get(key).map(String::as_str),
            };
            found == Some(value)
        })
    }

    pub(super) fn origin(&self) -> ResourceOrigin {
        match self.label(ORIGIN) {
            Some("global") => ResourceOrigin::Global,
            Some("zone") => ResourceOrigin::Zone,
            _ => ResourceOrigin::Unknown,
        }
    }

    /// The label `kuma.io/zone`.
    pub(super) fn zone_label(&self) -> Option<&str> {
        self.label(ZONE)
    }

    /// The only zone of a resource that was created in a zone.
    pub(super) fn zone_of_origin(&self) -> Option<&str> {
        let zone = self.zone_label();
        zone.filter(|_| self.origin() == ResourceOrigin::Zone)
    }
}

// === impl KumaPolicy ===

impl<C> KumaPolicy<C> {
    /// Whether the policy only appears in the inspection of Kuma (`kuma.io/effect: shadow`).
    #[must_use]
    pub fn is_shadow(&self) -> bool {
        self.meta.label(EFFECT) == Some("shadow")
    }

    /// The role: the label, else what Kuma computes when a policy is created.
    pub(super) fn role(&self) -> PolicyRole {
        match self.meta.label(POLICY_ROLE) {
            Some("producer") => return PolicyRole::Producer,
            Some("consumer") => return PolicyRole::Consumer,
            Some("workload-owner") => return PolicyRole::WorkloadOwner,
            Some(_) => return PolicyRole::System,
            None => {}
        }
        let Some(namespace) = self.meta.namespace().filter(|of| *of != SYSTEM_NAMESPACE) else {
            return PolicyRole::System;
        };
        let produces = |index: &super::KumaTo<C>| {
            let target = &index.target_ref;
            let kind = ["MeshService", "MeshHTTPRoute"].contains(&target.kind.as_str());
            let named = target.name.as_deref().is_some_and(|name| !name.is_empty());
            let same = target.namespace.as_deref().unwrap_or_default();
            kind && named && (same.is_empty() || same == namespace)
        };
        if self.to.is_empty() {
            PolicyRole::WorkloadOwner
        } else if self.to.iter().all(produces) {
            PolicyRole::Producer
        } else {
            PolicyRole::Consumer
        }
    }
}
