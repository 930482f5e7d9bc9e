//! A configured cluster with the hosts of a running Envoy.

use alloc::{format, string::String};

use spillgate_core::model::PlainCluster;

use super::{ClusterStatus, Priorities, has_hosts};
use crate::{Diagnostic, envoy::marks::ClusterMarks, node::quote};

/// Gives a cluster the hosts of a response.
pub(crate) fn replace_hosts(
    plain: &mut PlainCluster,
    marks: Option<&mut ClusterMarks>,
    status: &ClusterStatus<'_>,
) -> Option<Diagnostic> {
    let before = core::mem::take(&mut plain.priorities);
    let priorities = Priorities::of(&before, marks.as_deref(), &status.hosts);
    let (joined, left) = (priorities.joined, priorities.left);
    let configured = has_hosts(&before);
    plain.priorities = priorities.priorities;
    if let Some(marks) = marks {
        marks.priorities = priorities.marks;
        marks.localities = priorities.localities;
        marks.found_hosts();
    }
    let mut what = String::new();
    // A configuration without endpoints gets them from elsewhere, such as EDS.
    if configured && (joined > 0 || left > 0) {
        what = format!("hosts differ from the configuration: {joined} joined, {left} left; ");
    }
    if joined > 0 && plain.subsets.is_some() {
        what.push_str("new hosts have unknown metadata, so no subset contains them; ");
    }
    if joined > 0 && plain.locality_lb.is_weighted() {
        what.push_str("localities not in the configuration have no weight; ");
    }
    let what = what.strip_suffix("; ")?;
    Some(
        Diagnostic::warning("clusters/membership", what)
            .at("", status.position)
            .found(quote(&status.name)),
    )
}
