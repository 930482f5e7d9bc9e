//! The localities that gRPC reads, and assignments that it rejects.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};

use spillgate_core::model::{Endpoint, Locality, Priority};

use super::{FieldErrors, usable::is_read};

/// The indices of the localities with a weight, and the weights. gRPC skips the others with all their
/// hosts (A27), whatever the policy.
pub fn localities(priority: &Priority) -> impl Iterator<Item = (usize, u32)> {
    let localities = priority.localities.iter().enumerate();
    localities.filter_map(|(at, of)| Some((at, of.weight.filter(|weight| *weight > 0)?)))
}

/// One entry of an assignment, as far as gRPC checks it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssignmentEntry<'a> {
    /// Its priority.
    pub priority: usize,
    /// Its locality; `None` without one.
    pub locality: Option<&'a Locality>,
    /// Its `load_balancing_weight`; 0 if absent.
    pub weight: u32,
    /// The address of each host; `None` for one whose status makes gRPC ignore it.
    pub addresses: Vec<Option<&'a str>>,
}

/// The entries of a model, in which hosts or localities that appear twice are already merged.
#[must_use]
pub fn entries(priorities: &[Priority]) -> Vec<AssignmentEntry<'_>> {
    let mut entries = Vec::new();
    for (priority, of) in priorities.iter().enumerate() {
        let weights: BTreeMap<usize, u32> = localities(of).collect();
        for (at, locality) in of.localities.iter().enumerate() {
            let hosts = of.endpoints.iter().filter(|host| host.locality == at);
            entries.push(AssignmentEntry {
                priority,
                locality: Some(&locality.locality),
                weight: weights.get(&at).copied().unwrap_or(0),
                addresses: hosts.map(address).collect(),
            });
        }
    }
    entries
}

fn address(host: &Endpoint) -> Option<&str> {
    is_read(host.health).then_some(host.address.as_str())
}

/// The errors for which gRPC rejects the endpoints of a cluster. It reads only entries with a weight,
/// so a priority whose localities have no weight is a gap before another priority.
#[must_use]
pub fn assignment_errors(entries: &[AssignmentEntry<'_>]) -> FieldErrors {
    let mut errors = FieldErrors::default();
    let mut addresses = BTreeSet::new();
    // The sum of weights and the localities of each priority.
    let mut priorities: BTreeMap<usize, (u64, BTreeSet<String>)> = BTreeMap::new();
    for (at, entry) in entries.iter().enumerate().filter(|(_, of)| of.weight > 0) {
        let path = format!("endpoints[{at}]");
        let mut faulty = false;
        if entry.locality.is_none() {
            errors.add(format!("{path}.locality"), "field not present");
            continue;
        }
        for (host, address) in entry.addresses.iter().enumerate() {
            if let Some(address) = address
                && !addresses.insert(*address)
            {
                let error = format!("duplicate endpoint address \"{}\"", address_uri(address));
                errors.add(format!("{path}.lb_endpoints[{host}]"), error);
                faulty = true;
            }
        }
        let (priority, count) = (entry.priority, entries.len());
        if priority >= count {
            let error = format!("priority {priority} >= number of localities ({count})");
            errors.add(format!("{path}.priority"), error);
            faulty = true;
        }
        if faulty {
            continue;
        }
        let (sum, names) = priorities.entry(priority).or_default();
        let name = entry.locality.map(readable).unwrap_or_default();
        if names.contains(&name) {
            let error = format!("duplicate locality {name} found in priority {priority}");
            errors.add(path, error);
        } else {
            names.insert(name);
            *sum += u64::from(entry.weight);
        }
    }
    let existing = priorities.keys().last().map_or(0, |last| last + 1);
    for number in 0..existing {
        match priorities.get(&number) {
            None => errors.add("endpoints", format!("priority {number} empty")),
            Some((sum, _)) if *sum > u64::from(u32::MAX) => errors.add(
                "endpoints",
                format!("sum of locality weights for priority {number} exceeds uint32 max"),
            ),
            Some(_) => {}
        }
    }
    errors
}

/// A locality as gRPC prints it.
fn readable(locality: &Locality) -> String {
    let Locality {
        region,
        zone,
        sub_zone,
    } = locality;
    format!("{{region=\"{region}\", zone=\"{zone}\", sub_zone=\"{sub_zone}\"}}")
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

    use spillgate_core::model::{Health, HealthStatus, PriorityLocality};

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
        assignment_errors(&entries(priorities)).text("")
    }

    #[test]
    fn a_gap_is_rejected() {
        let mut twice = priority(Some(1), &["a"]);
        twice.localities.push(PriorityLocality::default());
        let gap = [twice, Priority::default(), priority(Some(1), &["b"])];
        assert_eq!(errors(&gap), ": [field:endpoints error:priority 1 empty]");
        // The number of a priority is less than the number of localities.
        let few = [Priority::default(), priority(Some(1), &["b"])];
        let expected =
            ": [field:endpoints[0].priority error:priority 1 >= number of localities (1)]";
        assert_eq!(errors(&few), expected);
    }

    #[test]
    fn a_priority_whose_localities_have_no_weight_is_a_gap() {
        let unweighted = [priority(None, &["a"]), priority(Some(1), &["b"])];
        let expected = ": [field:endpoints error:priority 0 empty]";
        assert_eq!(errors(&unweighted), expected);
        let last = [priority(Some(1), &["a"]), priority(None, &["b"])];
        assert_eq!(errors(&last), ": []");
        assert_eq!(errors(&[priority(None, &["a"])]), ": []");
    }

    #[test]
    fn a_priority_with_an_empty_locality_is_no_gap() {
        let empty = [priority(Some(1), &[]), priority(Some(1), &["b"])];
        assert_eq!(errors(&empty), ": []");
    }

    #[test]
    fn an_address_is_allowed_once_among_the_hosts_that_are_read() {
        let mut twice = vec![
            priority(Some(1), &["10.0.0.1:80", "[::1]:80"]),
            priority(Some(1), &["[::1]:80", "10.0.0.1:80"]),
        ];
        let expected = ": [field:endpoints[1].lb_endpoints[0] error:duplicate endpoint address \
                        \"ipv6:%5B::1%5D:80\"; field:endpoints[1].lb_endpoints[1] error:duplicate endpoint \
                        address \"ipv4:10.0.0.1:80\"]";
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
