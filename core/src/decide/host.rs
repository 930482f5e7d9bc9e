//! The choice of a host in a host list, by the policy of the cluster or by a session key.

use super::{
    BalancerState, ChosenPriority,
    pick::{Attempt, Pick},
};
use crate::{
    draw::Draw,
    model::{MOST_CHOICES, Policy, SelectionMethod},
    pick::{of_all, of_choices, rendezvous},
    plan::{PlannedHosts, PlannedSet},
    snapshot::{HostList, HostsSource, PriorityHosts},
    subset::SetChoice,
};

/// A host list that a policy chooses from.
struct Listed<'a> {
    hosts: PlannedHosts<'a>,
    list: HostList<'a>,
    choice: SetChoice,
    source: HostsSource,
}

impl Pick<'_> {
    pub(super) fn host(
        &self,
        planned: PlannedSet<'_>,
        priority: ChosenPriority,
        attempt: Attempt,
        state: &mut BalancerState,
        draw: &mut impl Draw,
    ) -> Option<usize> {
        let hosts = self.plan.hosts(priority.number);
        let compiled = planned.set.priorities.get(priority.number)?;
        let host = if self.plan.uses_table {
            hosts.by_table(compiled, attempt.key, attempt.number, state.order())?
        } else {
            let source = priority.source?;
            let list = compiled.list(source);
            match self.plan.facts.key {
                Some(_) => self.by_session_key(hosts, list, attempt)?,
                None => {
                    let listed = Listed {
                        hosts,
                        list,
                        choice: planned.choice,
                        source,
                    };
                    list.get(self.by_policy(listed, attempt.key, state, draw)?)?
                }
            }
        };
        // A policy may choose a hot host again, so one more choice by rendezvous hashing ends the search.
        if !self.plan.facts.avoids_hot_hosts || !hosts.is_hot(host) {
            return Some(host);
        }
        // New sessions avoid this host: choose another host of the list.
        let other = Attempt {
            key: draw.draw(),
            number: 0,
        };
        let list = compiled.list(priority.source?);
        self.by_session_key(hosts, list, other).or(Some(host))
    }

    /// The index in the list of the host that a policy without hash table chooses.
    fn by_policy(
        &self,
        listed: Listed<'_>,
        key: u64,
        state: &mut BalancerState,
        draw: &mut impl Draw,
    ) -> Option<usize> {
        let Listed { hosts, list, .. } = listed;
        let host = |index: usize| list.get(index).unwrap_or(0);
        let (owner, priority) = (self.plan.owner, hosts.priority);
        match &self.plan.plain.settings.policy {
            Policy::Random => Some(key.checked_rem(list.len() as u64)? as usize),
            Policy::LeastRequest(config) => {
                let active = |index: usize| hosts.active(host(index));
                let weight = |index: usize| hosts.biased_weight(host(index), config);
                let turns = state.turns(owner, listed.choice, priority, listed.source);
                match (
                    turns.and_then(|turns| turns.pick_scheduled(weight)),
                    config.selection,
                ) {
                    (Some(index), _) => Some(index),
                    (None, SelectionMethod::Choices(count)) => {
                        let count = count.clamp(2, MOST_CHOICES);
                        of_choices(list.len(), count, active, || draw.draw())
                    }
                    (None, SelectionMethod::FullScan) => of_all(list.len(), active, || draw.draw()),
                }
            }
            _ => match state.turns(owner, listed.choice, priority, listed.source) {
                Some(turns) => turns.pick(list.len(), |index| hosts.weight(host(index))),
                // A state for another snapshot: every host is a valid choice.
                None => Some(key.checked_rem(list.len() as u64)? as usize),
            },
        }
    }

    /// Chooses by rendezvous hashing. Hot hosts are avoided while others are available.
    fn by_session_key(
        &self,
        hosts: PlannedHosts<'_>,
        list: HostList<'_>,
        Attempt { key, number }: Attempt,
    ) -> Option<usize> {
        let all: &PriorityHosts = self.plan.plain.priorities.get(hosts.priority)?;
        let chosen = |avoiding: bool| {
            let listed = list.iter().filter(|&host| !avoiding || !hosts.is_hot(host));
            let scored = listed.clone().map(|host| all.rendezvous_key(host));
            listed
                .clone()
                .nth(rendezvous(scored, key, number as usize)?)
        };
        // Few hosts are hot, so the first choice is usually the last.
        let best = chosen(false)?;
        if hosts.is_hot(best) {
            chosen(true).or(Some(best))
        } else {
            Some(best)
        }
    }
}
