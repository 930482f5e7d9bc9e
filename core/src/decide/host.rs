//! Within a host list: the host, by the cluster's policy or by a session's key.

use super::{
    ChosenLevel, State,
    pick::{AskedSet, Attempt, Pick},
};
use crate::{
    draw::Draw,
    model::{Policy, SelectionMethod},
    pick::{
        biased_weight, bounded, of_all, of_choices, overload_factor, rendezvous, slots,
        slow_start_factor,
    },
    snapshot::{HashTable, HostList, LevelSet, Source},
    subset::Choice,
};

impl Pick<'_> {
    pub(super) fn host(
        &self,
        asked: AskedSet<'_>,
        level: ChosenLevel,
        attempt: Attempt,
        state: &mut State,
        draw: &mut impl Draw,
    ) -> Option<usize> {
        let priority = level.priority;
        let compiled = asked.set.levels.get(priority)?;
        let host = if self.uses_table {
            self.by_hash_table(compiled, priority, attempt, state)?
        } else {
            let source = level.source?;
            let hosts = compiled.list(source);
            match self.facts.key {
                Some(_) => self.by_session_key(priority, hosts, attempt)?,
                None => {
                    let turns = (asked.choice, source);
                    hosts.get(self.by_policy(
                        priority,
                        hosts,
                        turns,
                        attempt.key,
                        state,
                        draw,
                    )?)?
                }
            }
        };
        if !self.facts.avoids_hot_hosts || !self.is_hot(priority, host) {
            return Some(host);
        }
        // Another host of the list in place of one that new sessions avoid.
        let other = Attempt {
            key: draw.draw(),
            number: 0,
        };
        let hosts = compiled.list(level.source?);
        self.by_session_key(priority, hosts, other).or(Some(host))
    }

    /// The place of a host in the list, by a policy without a table.
    fn by_policy(
        &self,
        priority: usize,
        hosts: HostList<'_>,
        (choice, source): (Choice, Source),
        key: u64,
        state: &mut State,
        draw: &mut impl Draw,
    ) -> Option<usize> {
        match self.plain.settings.policy {
            Policy::Random => Some(key.checked_rem(hosts.len() as u64)? as usize),
            Policy::LeastRequest(config) => {
                let active = |place: usize| self.active(priority, hosts, place);
                let weight = |place: usize| {
                    let weight = self.base_weight(priority, hosts, place);
                    let biased = biased_weight(weight, active(place), config.active_request_bias());
                    biased * self.slow_start(priority, hosts, place)
                };
                let turns = state.turns(self.owner, choice, priority, source);
                match (
                    turns.and_then(|turns| turns.pick_scheduled(weight)),
                    config.selection,
                ) {
                    (Some(place), _) => Some(place),
                    (None, SelectionMethod::Choices(count)) => {
                        of_choices(hosts.len(), count.max(2), active, || draw.draw())
                    }
                    (None, SelectionMethod::FullScan) => {
                        of_all(hosts.len(), active, || draw.draw())
                    }
                }
            }
            _ => {
                let weight = |place: usize| {
                    let weight = self.base_weight(priority, hosts, place);
                    weight * self.slow_start(priority, hosts, place)
                };
                match state.turns(self.owner, choice, priority, source) {
                    Some(turns) => turns.pick(hosts.len(), weight),
                    // A state that was made for another snapshot: any host will do.
                    None => Some(key.checked_rem(hosts.len() as u64)? as usize),
                }
            }
        }
    }

    /// By rendezvous hashing, past the hosts that new sessions avoid while there are others.
    fn by_session_key(
        &self,
        priority: usize,
        hosts: HostList<'_>,
        Attempt { key, number }: Attempt,
    ) -> Option<usize> {
        let all = self.plain.levels.get(priority)?;
        let chosen = |avoiding: bool| {
            let listed = hosts
                .iter()
                .filter(|&host| !avoiding || !self.is_hot(priority, host));
            let scored = listed.clone().map(|host| all.rendezvous_key(host));
            listed
                .clone()
                .nth(rendezvous(scored, key, number as usize)?)
        };
        chosen(true).or_else(|| chosen(false))
    }

    fn by_hash_table(
        &self,
        compiled: &LevelSet,
        priority: usize,
        Attempt { key, number }: Attempt,
        state: &mut State,
    ) -> Option<usize> {
        let table: &HashTable = compiled.table.as_ref()?;
        let base = table.lookup(key, number)?;
        let (Some(factor), Some(listed)) =
            (self.plain.settings.hash_balance_factor, &table.bounded)
        else {
            return Some(base);
        };
        let all = self.facts.hosts.cluster_active(self.owner);
        let overload = |place: usize| {
            let host = listed.hosts.get(place).map_or(0, |host| host.host);
            let active = self.facts.hosts.active(self.host_ref(priority, host));
            overload_factor(active, slots(all, factor, listed.weight(place)))
        };
        let (base, len) = (listed.place(base), listed.hosts.len());
        let place = bounded(base, key, len, overload, state.order());
        listed.hosts.get(place).map(|host| host.host)
    }

    fn is_hot(&self, priority: usize, host: usize) -> bool {
        self.facts.hosts.is_hot(self.host_ref(priority, host))
    }

    fn active(&self, priority: usize, hosts: HostList<'_>, place: usize) -> u32 {
        let host = hosts.get(place).unwrap_or(0);
        self.facts.hosts.active(self.host_ref(priority, host))
    }

    fn base_weight(&self, priority: usize, hosts: HostList<'_>, place: usize) -> f64 {
        let all = self.plain.levels.get(priority);
        let weight = all
            .zip(hosts.get(place))
            .map(|(all, host)| all.weight(host));
        weight.unwrap_or(1).into()
    }

    fn slow_start(&self, priority: usize, hosts: HostList<'_>, place: usize) -> f64 {
        let Some(config) = &self.plain.settings.slow_start else {
            return 1.0;
        };
        let host = self.host_ref(priority, hosts.get(place).unwrap_or(0));
        let healthy_for = self.facts.hosts.healthy_for(host);
        healthy_for.map_or(1.0, |elapsed| slow_start_factor(config, elapsed))
    }
}
