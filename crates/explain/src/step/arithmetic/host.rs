//! The numbers that choose a host.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::{
    snapshot::Snapshot,
    trace::{HostChoice, HostNumbers, NumberSource, OverloadedHost},
};

use super::decimal;
use crate::{format::count, host_address};

/// The most compared hosts that a sentence lists.
const MOST_HOSTS: usize = 4;

pub(super) fn host(snapshot: &Snapshot, choice: &HostChoice) -> Option<String> {
    let address = host_address(snapshot, choice.host?);
    let hosts = choice.hosts as u64;
    let table = |text: String, overloaded: &Option<OverloadedHost>| match overloaded {
        None => format!("{text}, so {address}"),
        Some(OverloadedHost {
            host,
            active,
            slots,
        }) => format!(
            "{text}, that of {}, whose {active} active requests exceed its bound of {slots}, so another host: {address}",
            host_address(snapshot, *host)
        ),
    };
    let number = match choice.number_from {
        NumberSource::Random => "random number",
        NumberSource::RequestHash => "hash",
        NumberSource::SessionKey => "session key",
    };
    Some(match &choice.numbers {
        HostNumbers::None => return None,
        HostNumbers::Ring {
            hash,
            entry,
            entry_hash,
            entries,
            further,
            overloaded,
        } => {
            let place = format!("entry {} of {}", entry + 1, count(*entries));
            let found = if entry_hash >= hash {
                format!("the first ring entry at or after the {number} is {place}, at {entry_hash}")
            } else {
                format!(
                    "no ring entry is at or after the {number}, so it is {place}, at {entry_hash}"
                )
            };
            let further = match further {
                0 => String::new(),
                1 => "; the repeated choice moves on by 1 entry".into(),
                further => format!("; the repeated choice moves on by {further} entries"),
            };
            table(found + &further, overloaded)
        }
        HostNumbers::Maglev {
            slot,
            slots,
            is_changed,
            overloaded,
        } => {
            let changed = if *is_changed {
                ", changed for the repeated choice,"
            } else {
                ""
            };
            table(
                format!("{number}{changed} modulo {slots} = {slot}, the slot in the table"),
                overloaded,
            )
        }
        HostNumbers::Rank { rank, overloaded } => {
            let score = match rank {
                0 => format!("the highest score of a host with the {number}"),
                1 => format!("the second highest score of a host with the {number}"),
                rank => format!("the score of a host with the {number} after the {rank} highest"),
            };
            table(score, overloaded)
        }
        HostNumbers::Residue(at) => of_list("random number", *at, hosts, address),
        HostNumbers::Counter(at) => of_list("round-robin counter", *at, hosts, address),
        HostNumbers::Turn { weight, total } => format!(
            "weight {} of {}, and this turn of the schedule is its own, so {address}",
            decimal(*weight),
            decimal(*total)
        ),
        HostNumbers::FewestOfSome(compared) => {
            let listed = compared
                .iter()
                .take(MOST_HOSTS)
                .map(|(host, active)| format!("{} has {active}", host_address(snapshot, *host)));
            let mut listed: Vec<String> = listed.collect();
            match compared.len().saturating_sub(MOST_HOSTS) {
                0 => {}
                more => listed.push(format!("{more} more")),
            }
            format!(
                "{} random {} compared by active requests: {}; the fewest, so {address}",
                compared.len(),
                if compared.len() == 1 { "host" } else { "hosts" },
                listed.join(", ")
            )
        }
        HostNumbers::FewestOfAll { active, equal } => {
            let fewest = format!("{active} active requests, the fewest of {hosts} hosts");
            match equal {
                0 | 1 => format!("{fewest}, so {address}"),
                equal => {
                    format!("{fewest}; {equal} hosts have as few, one of them at random: {address}")
                }
            }
        }
    })
}

/// The place of a number in a host list.
fn of_list(number: &str, at: u64, hosts: u64, address: &str) -> String {
    if hosts == 1 {
        return format!("1 host to choose from, so {address}");
    }
    format!(
        "{number} modulo {hosts} = {at}, so host {} of {hosts}: {address}",
        at.saturating_add(1)
    )
}
