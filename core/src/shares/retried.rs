//! Shares under retry host predicates: a rejected choice is made again, up to a number of choices.
//!
//! Consecutive choices of a request depend on each other: round robin and schedules go on with the
//! next host in turn, and locality weights with the next locality. The position at the first choice
//! is taken as uniform, because other requests of the worker move it.

use alloc::{vec, vec::Vec};
use core::mem;

use super::tally::Tally;
use crate::{
    load::HostClass,
    order,
    snapshot::{HostRef, HostsSource},
};

/// Probabilities below this are not followed further.
const NEGLIGIBLE: f64 = 1e-15;

/// How a host list chooses among its hosts.
pub(super) enum ListTurn {
    /// Independently each time, with these probabilities.
    Drawn(Vec<(HostRef, f64)>),
    /// The next host of a cycle.
    InTurn(Vec<HostRef>),
}

/// The ways in which a request finds a host, each with its probability.
#[derive(Default)]
pub(super) struct Choices {
    lists: Vec<HostTurns>,
    /// The lists that keep a position, by priority and source, so that each has one.
    kept: Vec<((usize, HostsSource), usize)>,
    ways: Vec<(f64, Way)>,
    /// The ways of the first choice, if the later ones have others.
    first: Option<Vec<(f64, Way)>>,
    /// The schedules of localities, by priority and class.
    schedules: Vec<(usize, HostClass)>,
}

/// How a list is chosen.
enum Way {
    /// This list.
    List(usize),
    /// The next list of a cycle; the number of the schedule.
    Schedule(usize, Vec<usize>),
}

/// A host list with the rejected hosts.
struct HostTurns {
    turn: ListTurn,
    /// For a cycle: whether each host is rejected.
    rejected: Vec<bool>,
}

/// The positions of a request between its choices: by list, the number of rejected hosts in turn; by
/// schedule, the next position if it is known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Positions {
    taken: Vec<usize>,
    schedules: Vec<Option<usize>>,
}

impl Choices {
    /// Adds a list without a position of its own, or with the position of this source.
    pub(super) fn list(
        &mut self,
        at: (usize, HostsSource),
        turn: ListTurn,
        rejects: &dyn Fn(HostRef) -> bool,
    ) -> usize {
        let known = self.kept.iter().find(|(kept, _)| *kept == at);
        if let (ListTurn::InTurn(_), Some((_, list))) = (&turn, known) {
            return *list;
        }
        let mut turns = HostTurns {
            turn,
            rejected: Vec::new(),
        };
        if let ListTurn::InTurn(cycle) = &turns.turn {
            turns.rejected = cycle.iter().map(|host| rejects(*host)).collect();
            if turns.rejected.iter().all(|&rejected| rejected) {
                // The position does not matter, and each one is as likely as before.
                let part = 1.0 / cycle.len().max(1) as f64;
                turns.turn = ListTurn::Drawn(cycle.iter().map(|host| (*host, part)).collect());
            } else {
                self.kept.push((at, self.lists.len()));
            }
        }
        self.lists.push(turns);
        self.lists.len() - 1
    }

    /// Adds a way to a list, with its probability.
    pub(super) fn way(&mut self, part: f64, list: usize) {
        self.ways.push((part, Way::List(list)));
    }

    /// Adds a way to a cycle of lists, with its probability.
    pub(super) fn schedule(&mut self, at: (usize, HostClass), part: f64, cycle: Vec<usize>) {
        let known = self.schedules.iter().position(|known| *known == at);
        let schedule = known.unwrap_or_else(|| {
            self.schedules.push(at);
            self.schedules.len() - 1
        });
        self.ways.push((part, Way::Schedule(schedule, cycle)));
    }

    /// The ways so far are those of the first choice; those of the later ones follow.
    pub(super) fn begin_later(&mut self) {
        self.first = Some(mem::take(&mut self.ways));
    }

    /// Gives the hosts their shares of `percent` after up to `choices` choices; returns the
    /// percentage without a host.
    pub(super) fn give(
        &self,
        choices: u32,
        percent: f64,
        rejects: &dyn Fn(HostRef) -> bool,
        tally: &mut Tally,
    ) -> f64 {
        let start = Positions {
            taken: vec![0; self.lists.len()],
            schedules: vec![None; self.schedules.len()],
        };
        let mut states = vec![(start, 1.0)];
        let mut none = 0.0;
        for choice in 1..=choices {
            let mut next = Vec::new();
            let ways = match &self.first {
                Some(first) if choice == 1 => first,
                _ => &self.ways,
            };
            for (positions, part) in states {
                let mut served = 0.0;
                lists_of(ways, &positions, |way, list, after| {
                    let Some(turns) = self.lists.get(list) else {
                        return;
                    };
                    let taken = after.taken.get(list).copied().unwrap_or(0);
                    let mut again = 0.0;
                    for (host, share) in turns.hosts(taken) {
                        served += way * share;
                        if choice < choices && rejects(host) {
                            again += way * share;
                        } else {
                            tally.give(host, percent * part * way * share);
                        }
                    }
                    // Rejected hosts can be rejected again and again: without a bound, states of no weight
                    // would multiply.
                    if part * again > NEGLIGIBLE {
                        let mut after = after.clone();
                        if let (Some(taken), ListTurn::InTurn(_)) =
                            (after.taken.get_mut(list), &turns.turn)
                        {
                            *taken += 1;
                        }
                        next.push((after, part * again));
                    }
                });
                none += part * (1.0 - served).max(0.0);
            }
            states = merged(next);
        }
        // Remainders from rounding count as 0.
        if none < 1e-12 { 0.0 } else { none * percent }
    }
}

/// Calls `then` with each list that the next choice may use, its probability, and the positions
/// after the choice of the list.
fn lists_of(ways: &[(f64, Way)], at: &Positions, mut then: impl FnMut(f64, usize, &Positions)) {
    for (part, way) in ways {
        match way {
            Way::List(list) => then(*part, *list, at),
            Way::Schedule(schedule, cycle) => {
                let known = at.schedules.get(*schedule).copied().flatten();
                // The worker's position is unknown before the first choice: each one is equally likely.
                let (from, to) = known.map_or((0, cycle.len()), |known| (known, known + 1));
                let each = part / (to - from).max(1) as f64;
                for (index, list) in cycle.iter().enumerate().take(to).skip(from) {
                    let mut after = at.clone();
                    if let Some(next) = after.schedules.get_mut(*schedule) {
                        *next = (index + 1).checked_rem(cycle.len());
                    }
                    then(each, *list, &after);
                }
            }
        }
    }
}

/// One state for equal positions, with the sum of their probabilities.
fn merged(states: Vec<(Positions, f64)>) -> Vec<(Positions, f64)> {
    let mut merged: Vec<(Positions, f64)> = Vec::new();
    for (positions, part) in order::sorted(states, |(a, _), (b, _)| a.cmp(b)) {
        match merged.last_mut() {
            Some((last, sum)) if *last == positions => *sum += part,
            _ => merged.push((positions, part)),
        }
    }
    merged
}

impl HostTurns {
    /// The next host with its probability, after this number of rejected hosts in turn.
    fn hosts(&self, taken: usize) -> Vec<(HostRef, f64)> {
        let cycle = match &self.turn {
            ListTurn::Drawn(hosts) => return hosts.clone(),
            ListTurn::InTurn(cycle) => cycle,
        };
        let is_rejected = |at: usize| {
            let at = at.checked_rem(cycle.len());
            at.and_then(|at| self.rejected.get(at)) == Some(&true)
        };
        let fits = |start: &usize| (*start..start + taken).all(is_rejected);
        // Only positions after which all hosts so far were rejected can have led here (Bayes).
        let starts: Vec<usize> = (0..cycle.len()).filter(fits).collect();
        let part = 1.0 / starts.len().max(1) as f64;
        let next = starts.iter().filter_map(|start| {
            let at = (start + taken).checked_rem(cycle.len())?;
            Some((*cycle.get(at)?, part))
        });
        next.collect()
    }
}
