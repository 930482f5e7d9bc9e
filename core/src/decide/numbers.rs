//! The numbers that a locality and a host follow from, for the steps of a trace.

use super::{
    BalancerState, ChosenPriority,
    pick::{Attempt, Pick},
};
use crate::{
    load::ZoneRouting,
    model::{Policy, SelectionMethod},
    pick::slots,
    plan::{PlannedHosts, PlannedSet},
    snapshot::{HashTable, HostList, HostsSource, Localities, TableKind, Zones},
    trace::{HostNumbers, LocalityNumbers, NumberSource, OtherZone, OverloadedHost, ZoneNumbers},
};

/// The numbers behind a host list; `drawn` are the random numbers of its choice, in order.
pub(super) fn of_locality(
    localities: &Localities,
    priority: &ChosenPriority,
    drawn: &[u64],
) -> LocalityNumbers {
    let weights = localities.weights(priority.class);
    if let (Some(weights), Some(HostsSource::Locality(_, index))) = (weights, priority.source) {
        return LocalityNumbers::Turn {
            weight: weights.get(index).copied().unwrap_or(0.0),
            total: weights.iter().sum(),
        };
    }
    match &localities.zones {
        Some(zones) if weights.is_none() && zones.routing.chooses() => {
            LocalityNumbers::Zone(of_zone(zones, localities.count(), drawn))
        }
        _ => LocalityNumbers::None,
    }
}

fn of_zone(zones: &Zones, count: usize, drawn: &[u64]) -> ZoneNumbers {
    let mut drawn = drawn.iter().copied();
    let (callers, hosts) = zones.local_parts;
    let mut numbers = ZoneNumbers {
        callers,
        hosts,
        enabled: zones.enabled,
        ..ZoneNumbers::default()
    };
    if (1..100).contains(&zones.enabled) {
        numbers.enabled_roll = drawn.next().map(|number| number % 100);
    }
    let ZoneRouting::Residual {
        local_part,
        residual,
    } = &zones.routing
    else {
        return numbers;
    };
    let whole = ZoneRouting::WHOLE;
    numbers.local = drawn.next().map(|number| (*local_part, number % whole));
    numbers.other = drawn.next().and_then(|number| {
        let left = residual.last().copied().filter(|&left| left > 0);
        let whole = left.unwrap_or(count as u64);
        let roll = number.checked_rem(whole)?;
        let (from, to) = match left {
            Some(_) => {
                let at = residual.iter().position(|&sum| roll < sum)?;
                let before = at.checked_sub(1).and_then(|at| residual.get(at));
                (before.copied().unwrap_or(0), *residual.get(at)?)
            }
            None => (roll, roll + 1),
        };
        Some(OtherZone {
            roll,
            whole,
            from,
            to,
            by_capacity: left.is_some(),
        })
    });
    numbers
}

impl Pick<'_> {
    /// The origin of the number of an attempt.
    pub(super) const fn number_source(&self) -> NumberSource {
        match (self.plan.facts.key, self.hash) {
            (Some(_), _) => NumberSource::SessionKey,
            (None, Some(_)) if self.plan.uses_table => NumberSource::RequestHash,
            (None, _) => NumberSource::Random,
        }
    }

    /// The numbers that lead to a host, after the choice; `None` if no number decides.
    pub(super) fn host_numbers(
        &self,
        planned: PlannedSet<'_>,
        priority: ChosenPriority,
        attempt: Attempt,
        host: Option<usize>,
        (state, drawn): (&mut BalancerState, &[u64]),
    ) -> Option<HostNumbers> {
        let host = host?;
        // A draw may have replaced a host with too many sessions.
        if self.plan.facts.avoids_hot_hosts {
            return None;
        }
        let hosts = self.plan.hosts(priority.number);
        let compiled = planned.set.priorities.get(priority.number)?;
        if self.plan.uses_table {
            return by_table(hosts, compiled.table.as_deref()?, attempt, host);
        }
        let source = priority.source?;
        let list = compiled.list(source);
        if self.plan.facts.key.is_some() {
            return Some(HostNumbers::Rank {
                rank: attempt.number,
                overloaded: None,
            });
        }
        let policy = self.plan.plain.settings.policy;
        let residue = || attempt.key.checked_rem(list.len() as u64);
        if policy == Policy::Random {
            return residue().map(HostNumbers::Residue);
        }
        let turns = state.turns(self.plan.owner, planned.choice, priority.number, source);
        let is_scheduled = turns
            .as_ref()
            .is_some_and(|turns| turns.schedule().is_some());
        match policy {
            _ if is_scheduled => {
                let weight = |host: usize| match &policy {
                    Policy::LeastRequest(config) => hosts.biased_weight(host, config),
                    _ => hosts.weight(host),
                };
                Some(HostNumbers::Turn {
                    weight: weight(host),
                    total: list.iter().map(weight).sum(),
                })
            }
            Policy::LeastRequest(config) => of_fewest(hosts, list, config.selection, host, drawn),
            _ => match turns {
                // The pick has moved the counter on.
                Some(turns) => {
                    let counter = turns.cursor().wrapping_sub(1);
                    let residue = counter.checked_rem(list.len() as u64);
                    residue.map(HostNumbers::Counter)
                }
                None => residue().map(HostNumbers::Residue),
            },
        }
    }
}

fn of_fewest(
    hosts: PlannedHosts<'_>,
    list: HostList<'_>,
    selection: SelectionMethod,
    host: usize,
    drawn: &[u64],
) -> Option<HostNumbers> {
    Some(match selection {
        SelectionMethod::Choices(_) => {
            let compared = drawn.iter().map(|number| {
                let at = number.checked_rem(list.len() as u64)?;
                let host = list.get(at as usize)?;
                Some((hosts.host_ref(host), hosts.active(host)))
            });
            HostNumbers::FewestOfSome(compared.collect::<Option<_>>()?)
        }
        SelectionMethod::FullScan => {
            let active = hosts.active(host);
            HostNumbers::FewestOfAll {
                active,
                equal: list.iter().filter(|&at| hosts.active(at) == active).count(),
            }
        }
    })
}

/// The place of a hash in a table.
fn by_table(
    hosts: PlannedHosts<'_>,
    table: &HashTable,
    attempt: Attempt,
    host: usize,
) -> Option<HostNumbers> {
    let Attempt { key, number } = attempt;
    let base = table.lookup(key, number)?;
    let overloaded = overloaded(hosts, table, base).filter(|_| base != host);
    Some(match &table.kind {
        TableKind::Ring(ring) => {
            let entry = ring.entry_at(key)?;
            HostNumbers::Ring {
                hash: key,
                entry,
                entry_hash: ring.entries().get(entry)?.hash,
                entries: ring.entries().len(),
                further: number,
                overloaded,
            }
        }
        TableKind::Maglev(table) => HostNumbers::Maglev {
            slot: table.slot_of_attempt(key, number)?,
            slots: table.slots().len() as u64,
            is_changed: number > 0,
            overloaded,
        },
        TableKind::Rendezvous(_) => HostNumbers::Rank {
            rank: number,
            overloaded,
        },
    })
}

/// A host of the table with its bound.
fn overloaded(hosts: PlannedHosts<'_>, table: &HashTable, base: usize) -> Option<OverloadedHost> {
    let factor = hosts.plan.plain.settings.hash_balance_factor?;
    let listed = table.bounded.as_ref()?;
    let all = hosts.plan.facts.hosts.cluster_active(hosts.plan.owner);
    Some(OverloadedHost {
        host: hosts.host_ref(base),
        active: hosts.active(base),
        slots: slots(all, factor, listed.weight(listed.index_of(base))),
    })
}
