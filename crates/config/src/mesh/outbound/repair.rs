//! Weights for every locality, and the portable form.

use alloc::{string::String, vec::Vec};

use spillgate_core::model::Policy;
use spillgate_mesh::{LocalityGroup, MeshAssignment, portable};

use super::OutboundCluster;

/// The form of a written assignment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OutboundForm {
    /// For Envoy: a weight for every locality.
    #[default]
    Envoy,
    /// For Envoy and gRPC: also priorities without gaps, and locality weighting everywhere.
    Portable,
}

/// A locality that got a weight although others decide by weight. Without it, Envoy's hash policies
/// answer 503 for its priority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedLocalityWeight {
    /// The priority.
    pub priority: u32,
    /// The zone of the locality.
    pub zone: String,
    /// The weight: the sum of the weights of its endpoints; their number for the policy `RANDOM`,
    /// which ignores weights.
    pub weight: u32,
}

impl OutboundCluster {
    /// The assignment in a form, and the localities that affect load balancing only now.
    #[must_use]
    pub fn written(&self, form: OutboundForm) -> (MeshAssignment, Vec<AddedLocalityWeight>) {
        let mut written = match form {
            OutboundForm::Envoy => self.assignment.clone(),
            OutboundForm::Portable => portable(&self.assignment, |at| self.hosts.get(at)),
        };
        for (before, after) in self.assignment.groups.iter().zip(&mut written.groups) {
            let decides = self.assignment.locality_weighted && before.weight.is_some();
            if !decides && (before.weight.is_none() || form == OutboundForm::Portable) {
                after.weight = Some(self.weight(after));
            }
        }
        let repaired = if self.assignment.locality_weighted {
            self.repaired(&written)
        } else {
            Vec::new()
        };
        (written, repaired)
    }

    fn repaired(&self, written: &MeshAssignment) -> Vec<AddedLocalityWeight> {
        let pairs = self.assignment.groups.iter().zip(&written.groups);
        let missing = pairs.filter(|(before, _)| before.weight.is_none());
        missing
            .map(|(before, after)| AddedLocalityWeight {
                priority: after.priority,
                zone: before.locality.zone.clone(),
                weight: after.weight.unwrap_or_default(),
            })
            .collect()
    }

    /// The weight that keeps the share of each endpoint while all are healthy.
    fn weight(&self, group: &LocalityGroup) -> u32 {
        let hosts = group.endpoints.iter().filter_map(|&at| self.hosts.get(at));
        let weights = hosts.map(|host| match self.settings.policy {
            Policy::Random => 1,
            _ => host.weight.get(),
        });
        weights.fold(0, u32::saturating_add).max(1)
    }
}
