//! Within a host list: the host, by the cluster's policy or by a session's key.

use super::{
    BalancerState, ChosenPriority,
    pick::{Attempt, Pick},
};
use crate::{
    draw::Draw,
    model::{Policy, SelectionMethod},
    pick::{of_all, of_choices, rendezvous},
    plan::{AskedSet, PlannedHosts},
    snapshot::{HostList, PriorityHosts, Source},
    subset::SetChoice,
};

/// A host list that a policy chooses from.
struct Listed<'a> {
    hosts: PlannedHosts<'a>,
    list: HostList<'a>,
    choice: SetChoice,
    source: Source,
}

impl Pick<'_> {
    pub(super) fn host(
        &self,
        asked: AskedSet<'_>,
        priority: ChosenPriority,
        attempt: Attempt,
        state: &mut BalancerState,
        draw: &mut impl Draw,
    ) -> Option<usize> {
        let hosts = self.plan.hosts(priority.number);
        let compiled = asked.set.priorities.get(priority.number)?;
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
                        choice: asked.choice,
                        source,
                    };
                    list.get(self.by_policy(listed, attempt.key, state, draw)?)?
                }
            }
        };
        if !self.plan.facts.avoids_hot_hosts || !hosts.is_hot(host) {
            return Some(host);
        }
        // Another host of the list in place of one that new sessions avoid.
        let other = Attempt {
            key: draw.draw(),
            number: 0,
        };
        let list = compiled.list(priority.source?);
        self.by_session_key(hosts, list, other).or(Some(host))
    }

    /// The place of a host in the list, by a policy without a table.
    fn by_policy(
        &self,
        listed: Listed<'_>,
        key: u64,
        state: &mut BalancerState,
        draw: &mut impl Draw,
    ) -> Option<usize> {
        let Listed { hosts, list, .. } = listed;
        let host = |place: usize| list.get(place).unwrap_or(0);
        let (owner, priority) = (self.plan.owner, hosts.priority);
        match &self.plan.plain.settings.policy {
            Policy::Random => Some(key.checked_rem(list.len() as u64)? as usize),
            Policy::LeastRequest(config) => {
                let active = |place: usize| hosts.active(host(place));
                let weight = |place: usize| hosts.biased_weight(host(place), config);
                let turns = state.turns(owner, listed.choice, priority, listed.source);
                match (
                    turns.and_then(|turns| turns.pick_scheduled(weight)),
                    config.selection,
                ) {
                    (Some(place), _) => Some(place),
                    (None, SelectionMethod::Choices(count)) => {
                        of_choices(list.len(), count.max(2), active, || draw.draw())
                    }
                    (None, SelectionMethod::FullScan) => of_all(list.len(), active, || draw.draw()),
                }
            }
            _ => match state.turns(owner, listed.choice, priority, listed.source) {
                Some(turns) => turns.pick(list.len(), |place| hosts.weight(host(place))),
                // A state that was made for another snapshot: any host will do.
                None => Some(key.checked_rem(list.len() as u64)? as usize),
            },
        }
    }

    /// By rendezvous hashing, past the hosts that new sessions avoid while there are others.
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
        chosen(true).or_else(|| chosen(false))
    }
}
