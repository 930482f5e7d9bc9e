//! Clusters that are polled together.

use alloc::vec::Vec;
use core::time::Duration;

use super::{
    failures::PollFailures,
    names::{Group, Matching},
    schedule::Schedule,
};

/// A larger response is divided: the main thread must not be busy for long.
const LARGE: usize = 12 << 20;
/// Batches with smaller responses are joined.
const SMALL: usize = 1 << 20;

/// Clusters that are polled together, by one request for each query.
pub(super) struct Batch {
    /// Differs from that of all other batches of a poller.
    pub(super) id: u64,
    pub(super) group: Group,
    pub(super) schedule: Schedule,
    /// The size of the last usable response.
    size: Option<usize>,
    pub(super) failures: PollFailures,
}

/// All clusters that are polled with one kind of queries.
pub(super) struct Batches {
    matching: Matching,
    interval: Duration,
    of: Vec<Batch>,
    last_id: u64,
}

impl Batches {
    /// Of no clusters.
    pub(super) const fn new(matching: Matching, interval: Duration) -> Self {
        Self {
            matching,
            interval,
            of: Vec::new(),
            last_id: 0,
        }
    }

    /// Adds members of a sorted list of names.
    pub(super) fn add(&mut self, names: &[&str], members: Vec<usize>) {
        let groups = self.matching.divide(names, members);
        let count = groups.len();
        for (number, group) in groups.into_iter().enumerate() {
            let schedule = Schedule::new(self.interval, number, count);
            let batch = self.batch(group, schedule);
            self.of.push(batch);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.of.len()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Batch> {
        self.of.iter_mut()
    }

    pub(super) fn get_mut(&mut self, id: u64) -> Option<&mut Batch> {
        self.of.iter_mut().find(|batch| batch.id == id)
    }

    /// The batch that has waited longest at `now`, without those that are `open`; and since when.
    pub(super) fn longest_waiting(
        &self,
        now: u64,
        open: &dyn Fn(u64) -> bool,
    ) -> Option<(u64, u64)> {
        let due = self.of.iter().filter(|of| of.schedule.is_due(now));
        let waiting = due.filter(|of| !open(of.id));
        let longest = waiting.min_by_key(|of| of.schedule.due());
        longest.map(|of| (of.schedule.due(), of.id))
    }

    /// Divides a batch whose response is too large or faulty. The parts are polled at once.
    pub(super) fn divide(&mut self, names: &[&str], id: u64) {
        let Some(at) = self.of.iter().position(|of| of.id == id) else {
            return;
        };
        let whole = self.of.get(at).map(|of| of.group.members.clone());
        let parts = self.matching.halve(names, whole.unwrap_or_default());
        let count = parts.len();
        // One name, or names that no expression distinguishes: the usual interval stays.
        if count < 2 {
            return;
        }
        self.of.remove(at);
        for (number, group) in parts.into_iter().enumerate() {
            let schedule = Schedule::new(self.interval, number, count);
            let part = self.batch(group, schedule);
            self.of.insert(at + number, part);
        }
    }

    /// Records the size of a response. A large batch is divided, and a small one joined with the next.
    pub(super) fn resize(
        &mut self,
        names: &[&str],
        id: u64,
        size: usize,
        open: &dyn Fn(u64) -> bool,
    ) {
        let Some(at) = self.of.iter().position(|of| of.id == id) else {
            return;
        };
        if let Some(batch) = self.of.get_mut(at) {
            batch.size = Some(size);
        }
        if size > LARGE {
            return self.divide(names, id);
        }
        let Some([one, next]) = self.of.get(at..at + 2) else {
            return;
        };
        let is_small = |of: &Batch| of.size.is_some_and(|size| size < SMALL);
        // An open call refers to its batch by id, so open batches stay as they are.
        if !is_small(one) || !is_small(next) || open(one.id) || open(next.id) {
            return;
        }
        let (members, more) = (&one.group.members, &next.group.members);
        if let Some(group) = self.matching.join(names, members, more) {
            self.of.remove(at + 1);
            if let Some(one) = self.of.get_mut(at) {
                one.group = group;
            }
        }
    }

    fn batch(&mut self, group: Group, schedule: Schedule) -> Batch {
        self.last_id += 1;
        Batch {
            id: self.last_id,
            group,
            schedule,
            size: None,
            failures: PollFailures::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use super::*;

    #[test]
    fn names_that_no_expression_distinguishes_wait_for_the_next_interval() {
        let names = (0..30).map(|number| format!("{}{number}", "x".repeat(100)));
        let names: Vec<String> = names.collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut batches = Batches::new(Matching::Prefix, Duration::from_secs(1));
        batches.add(&names, (0..names.len()).collect());
        let waiting = |batches: &Batches| batches.longest_waiting(0, &|_| false);
        let (_, id) = waiting(&batches).unwrap();
        batches.get_mut(id).unwrap().schedule.advance(0, 0);
        batches.divide(&names, id);
        assert_eq!((batches.len(), waiting(&batches)), (1, None));
    }

    /// Batches of two names each, and their ids.
    fn pairs(names: &[&str]) -> (Batches, Vec<u64>) {
        let mut batches = Batches::new(Matching::Names, Duration::from_secs(1));
        for first in (0..names.len()).step_by(2) {
            batches.add(names, Vec::from([first, first + 1]));
        }
        let ids = batches.of.iter().map(|of| of.id).collect();
        (batches, ids)
    }

    fn members(batches: &Batches) -> Vec<Vec<usize>> {
        let groups = batches.of.iter().map(|of| of.group.members.clone());
        groups.collect()
    }

    const NAMES: [&str; 4] = ["a", "b", "c", "d"];

    #[test]
    fn a_batch_with_a_large_response_is_divided_and_polled_at_once() {
        let (mut batches, ids) = pairs(&NAMES);
        for id in &ids {
            batches.get_mut(*id).unwrap().schedule.advance(0, 0);
        }
        batches.resize(&NAMES, ids[1], LARGE, &|_| false);
        assert_eq!(members(&batches), [[0, 1], [2, 3]]);
        batches.resize(&NAMES, ids[1], LARGE + 1, &|_| false);
        assert_eq!(
            members(&batches),
            [Vec::from([0, 1]), Vec::from([2]), Vec::from([3])]
        );
        // In their order, with ids of their own.
        let new: Vec<u64> = batches.of.iter().map(|of| of.id).collect();
        assert!(new[1] > ids[1] && new[2] > new[1], "{new:?}");
        assert_eq!(batches.longest_waiting(0, &|_| false), Some((0, new[1])));
    }

    #[test]
    fn a_batch_with_a_small_response_is_joined_with_the_next_small_one() {
        let resized = |sizes: [usize; 2], open: &dyn Fn(u64) -> bool| {
            let (mut batches, ids) = pairs(&NAMES);
            for (id, size) in ids.iter().zip(sizes).rev() {
                batches.resize(&NAMES, *id, size, open);
            }
            members(&batches)
        };
        let apart = [Vec::from([0, 1]), Vec::from([2, 3])];
        assert_eq!(resized([SMALL - 1, SMALL - 1], &|_| false), [[0, 1, 2, 3]]);
        assert_eq!(resized([SMALL, SMALL - 1], &|_| false), apart);
        assert_eq!(resized([SMALL - 1, SMALL], &|_| false), apart);
        // An open call refers to its batch.
        assert_eq!(resized([0, 0], &|id| id == 1), apart);
        assert_eq!(resized([0, 0], &|id| id == 2), apart);
    }

    #[test]
    fn a_batch_whose_response_is_not_known_yet_is_not_joined() {
        let (mut batches, ids) = pairs(&NAMES);
        batches.resize(&NAMES, ids[0], 0, &|_| false);
        assert_eq!(batches.len(), 2);
    }
}
