//! The localities that gRPC reads, and assignments that it rejects.

use alloc::{collections::BTreeSet, format, string::String};

use spillgate_core::model::Priority;

use super::usable::is_read;

/// The indices of the localities with a weight, and the weights. gRPC skips the others with all their
/// hosts (A27), whatever the policy.
pub fn localities(priority: &Priority) -> impl Iterator<Item = (usize, u32)> {
    let localities = priority.localities.iter().enumerate();
    localities.filter_map(|(at, of)| Some((at, of.weight.filter(|weight| *weight > 0)?)))
}

/// The reason why gRPC rejects the endpoints of a cluster, in its own words; `None` if it accepts
/// them. Trailing priorities without a locality that has a weight don't exist for gRPC; such a priority
/// before another one is a gap.
///
/// Duplicate localities are not visible here: a [`Priority`] has merged them.
#[must_use]
pub fn assignment_fault(priorities: &[Priority]) -> Option<String> {
    let present = |priority: &Priority| localities(priority).next().is_some();
    let last = priorities.iter().rposition(present)?;
    let mut addresses = BTreeSet::new();
    for (number, priority) in priorities.iter().take(last + 1).enumerate() {
        if !present(priority) {
            return Some(format!("field:endpoints error:priority {number} empty"));
        }
        let sum: u64 = localities(priority)
            .map(|(_, weight)| u64::from(weight))
            .sum();
        if sum > u64::from(u32::MAX) {
            return Some(format!(
                "field:endpoints error:sum of locality weights for priority {number} exceeds uint32 max"
            ));
        }
        let weighted: BTreeSet<usize> = localities(priority).map(|(at, _)| at).collect();
        for endpoint in &priority.endpoints {
            let read = is_read(endpoint.health) && weighted.contains(&endpoint.locality);
            if read && !addresses.insert(endpoint.address.as_str()) {
                let address = address_uri(&endpoint.address);
                return Some(format!(
                    "field:endpoints error:duplicate endpoint address \"{address}\""
                ));
            }
        }
    }
    None
}

/// An address as gRPC prints it.
#[must_use]
pub fn address_uri(address: &str) -> String {
    match address.strip_prefix('[') {
        Some(v6) => format!("ipv6:%5B{}", v6.replace(']', "%5D")),
        None => format!("ipv4:{address}"),
    }
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};

    use spillgate_core::model::{Endpoint, Health, HealthStatus, PriorityLocality};

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

    fn fault(priorities: &[Priority]) -> Option<String> {
        assignment_fault(priorities)
    }

    #[test]
    fn a_gap_is_rejected() {
        let gap = [
            priority(Some(1), &["a"]),
            Priority::default(),
            priority(Some(1), &["b"]),
        ];
        let expected = "field:endpoints error:priority 1 empty";
        assert_eq!(fault(&gap).as_deref(), Some(expected));
    }

    #[test]
    fn a_priority_whose_localities_have_no_weight_is_a_gap() {
        let unweighted = [priority(None, &["a"]), priority(Some(1), &["b"])];
        let expected = "field:endpoints error:priority 0 empty";
        assert_eq!(fault(&unweighted).as_deref(), Some(expected));
        let last = [priority(Some(1), &["a"]), priority(None, &["b"])];
        assert_eq!(fault(&last), None);
        assert_eq!(fault(&[priority(None, &["a"])]), None);
    }

    #[test]
    fn a_priority_with_an_empty_locality_is_no_gap() {
        assert_eq!(
            fault(&[priority(Some(1), &[]), priority(Some(1), &["b"])]),
            None
        );
    }

    #[test]
    fn an_address_is_allowed_once_among_the_hosts_that_are_read() {
        let twice = [priority(Some(1), &["a"]), priority(Some(1), &["a"])];
        let expected = "field:endpoints error:duplicate endpoint address \"ipv4:a\"";
        assert_eq!(fault(&twice).as_deref(), Some(expected));
        let mut unread: Vec<Priority> = twice.into();
        unread[0].endpoints[0].health = Health::from_status(HealthStatus::Unhealthy);
        assert_eq!(fault(&unread), None);
        unread[0].endpoints[0].health = Health::from_status(HealthStatus::Draining);
        assert_eq!(fault(&unread).as_deref(), Some(expected));
    }

    #[test]
    fn the_locality_weights_of_a_priority_fit_32_bits() {
        let mut large = priority(Some(u32::MAX), &["a"]);
        large.locality_index(spillgate_core::model::Locality {
            zone: "b".into(),
            ..Default::default()
        });
        large.localities[1].weight = Some(1);
        assert!(fault(&[large]).unwrap().contains("exceeds uint32 max"));
    }
}
