//! The localities that gRPC reads, and assignments that it rejects.

use alloc::{collections::BTreeSet, format, string::String};

use spillgate_core::model::Priority;

use super::{FieldErrors, usable::is_read};

/// The indices of the localities with a weight, and the weights. gRPC skips the others with all their
/// hosts (A27), whatever the policy.
pub fn localities(priority: &Priority) -> impl Iterator<Item = (usize, u32)> {
    let localities = priority.localities.iter().enumerate();
    localities.filter_map(|(at, of)| Some((at, of.weight.filter(|weight| *weight > 0)?)))
}

/// The errors for which gRPC rejects the endpoints of a cluster, without those that a [`Priority`]
/// does not show: it has merged duplicate localities, and possibly hosts ([`add_duplicates`]).
///
/// Trailing priorities without a locality that has a weight don't exist for gRPC; such a priority
/// before another one is a gap.
#[must_use]
pub fn assignment_errors(priorities: &[Priority]) -> FieldErrors {
    let mut errors = FieldErrors::default();
    let present = |priority: &Priority| localities(priority).next().is_some();
    let last = priorities.iter().rposition(present);
    let existing = last.map_or(0, |last| last + 1);
    for (number, priority) in priorities.iter().take(existing).enumerate() {
        let weights = localities(priority).map(|(_, weight)| u64::from(weight));
        if !present(priority) {
            errors.add("endpoints", format!("priority {number} empty"));
        } else if weights.sum::<u64>() > u64::from(u32::MAX) {
            let error = format!("sum of locality weights for priority {number} exceeds uint32 max");
            errors.add("endpoints", error);
        }
    }
    errors
}

/// Adds an error for each address that two hosts have, among the hosts that gRPC reads: those of
/// localities with a weight, unless their status makes gRPC ignore them.
pub fn add_duplicates(priorities: &[Priority], errors: &mut FieldErrors) {
    let mut addresses = BTreeSet::new();
    for priority in priorities {
        let weighted: BTreeSet<usize> = localities(priority).map(|(at, _)| at).collect();
        let endpoints = priority.endpoints.iter();
        let read = endpoints.filter(|of| is_read(of.health) && weighted.contains(&of.locality));
        for endpoint in read {
            if !addresses.insert(endpoint.address.as_str()) {
                errors.add("endpoints", duplicate_address(&endpoint.address));
            }
        }
    }
}

/// The error about an address that two hosts have.
#[must_use]
pub fn duplicate_address(address: &str) -> String {
    format!("duplicate endpoint address \"{}\"", address_uri(address))
}

/// An address as gRPC prints it.
fn address_uri(address: &str) -> String {
    match address.strip_prefix('[') {
        Some(v6) => format!("ipv6:%5B{}", v6.replace(']', "%5D")),
        None => format!("ipv4:{address}"),
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use spillgate_core::model::{Endpoint, Health, HealthStatus, Locality, PriorityLocality};

    use super::*;

    fn priority(weight: Option<u32>, addresses: &[&str]) -> Priority {
        let hosts = addresses.iter().map(|address| Endpoint::new(*address));
        Priority {
            localities: vec![PriorityLocality {
                weight,
                ..PriorityLocality::default()
            }],
            endpoints: hosts.collect(),
        }
    }

    fn errors(priorities: &[Priority]) -> String {
        let mut errors = assignment_errors(priorities);
        add_duplicates(priorities, &mut errors);
        errors.text("")
    }

    #[test]
    fn a_gap_is_rejected() {
        let gap = [
            priority(Some(1), &["a"]),
            Priority::default(),
            priority(Some(1), &["b"]),
        ];
        assert_eq!(errors(&gap), ": [field:endpoints error:priority 1 empty]");
    }

    #[test]
    fn a_priority_whose_localities_have_no_weight_is_a_gap() {
        let unweighted = [priority(None, &["a"]), priority(Some(1), &["b"])];
        let expected = ": [field:endpoints error:priority 0 empty]";
        assert_eq!(errors(&unweighted), expected);
        let last = [priority(Some(1), &["a"]), priority(None, &["b"])];
        assert!(assignment_errors(&last).is_empty());
        assert!(assignment_errors(&[priority(None, &["a"])]).is_empty());
    }

    #[test]
    fn a_priority_with_an_empty_locality_is_no_gap() {
        let empty = [priority(Some(1), &[]), priority(Some(1), &["b"])];
        assert!(assignment_errors(&empty).is_empty());
    }

    #[test]
    fn an_address_is_allowed_once_among_the_hosts_that_are_read() {
        let mut twice = vec![
            priority(Some(1), &["10.0.0.1:80", "[::1]:80"]),
            priority(Some(1), &["[::1]:80", "10.0.0.1:80"]),
        ];
        let expected = ": [field:endpoints errors:[duplicate endpoint address \"ipv6:%5B::1%5D:80\"; \
                        duplicate endpoint address \"ipv4:10.0.0.1:80\"]]";
        assert_eq!(errors(&twice), expected);
        twice[1].endpoints.pop();
        twice[0].endpoints[1].health = Health::from_status(HealthStatus::Unhealthy);
        assert_eq!(errors(&twice), ": []");
        twice[0].endpoints[1].health = Health::from_status(HealthStatus::Draining);
        assert!(errors(&twice).contains("::1"));
    }

    #[test]
    fn the_locality_weights_of_a_priority_fit_32_bits() {
        let mut large = priority(Some(u32::MAX), &["a"]);
        large.locality_index(Locality {
            zone: "b".into(),
            ..Locality::default()
        });
        large.localities[1].weight = Some(1);
        assert!(errors(&[large]).contains("exceeds uint32 max"));
    }
}
