//! The loads that determine the priority of a request, and the hash ranges of the priorities.

use alloc::vec::Vec;

use crate::{
    load::{HostClass, RetryLoad, choose_priority},
    snapshot::{ClusterId, HostsSource},
};

/// The loads that determine a priority. A hash modulo 100 selects one: first the healthy loads of
/// all priorities, then the degraded loads.
#[derive(Clone, Copy)]
pub(crate) struct Loads<'a> {
    /// The load of the healthy hosts of each priority, in percent.
    pub(crate) healthy: &'a [u32],
    /// The load of the degraded hosts of each priority, in percent.
    pub(crate) degraded: &'a [u32],
    /// The priority that an aggregate chose. The loads then have no effect, and the hash only
    /// chooses the host.
    pub(crate) forced: Option<(usize, HostClass)>,
    /// The loads of a retry that avoids tried priorities; `None` for the original loads.
    pub(crate) retry: Option<&'a RetryLoad>,
}

/// The priority of a decision with the hosts that serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenPriority {
    /// The cluster of the priority; for an aggregate, one of its members.
    pub owner: ClusterId,
    /// The priority in that cluster, from 0.
    pub number: usize,
    /// The class of hosts that the load is for.
    pub class: HostClass,
    /// Whether the priority is in panic mode, so that it uses all of its hosts.
    pub panic: bool,
    /// The host list that serves; `None` if the priority fails its requests in panic mode, or if a
    /// hash table or a single-host subset chose the host directly.
    pub source: Option<HostsSource>,
}

/// A range of residues modulo 100 that selects one class of one priority.
pub(crate) struct Window {
    /// The first residue.
    pub(crate) from: u64,
    /// The end of the range, exclusive.
    pub(crate) to: u64,
    pub(crate) priority: usize,
    pub(crate) class: HostClass,
}

impl Loads<'_> {
    /// The priority that a hash selects, and the class of hosts that the load is for.
    #[inline(always)]
    pub(crate) fn choose(&self, key: u64) -> (usize, HostClass) {
        let chosen = || choose_priority(key, self.healthy, self.degraded);
        self.forced.unwrap_or_else(chosen)
    }

    /// The results of [`Loads::choose`] for all hashes, or for this one.
    pub(crate) fn windows(&self, key: Option<u64>) -> Vec<Window> {
        let settled = self.forced.or_else(|| Some(self.choose(key?)));
        if let Some((priority, class)) = settled {
            return [Window {
                from: 0,
                to: 100,
                priority,
                class,
            }]
            .into();
        }
        let mut windows: Vec<Window> = Vec::new();
        // Only the hash modulo 100 matters (`choosePriority`), so a hundred residues represent all hashes.
        for residue in 0..100 {
            let (priority, class) = self.choose(residue);
            match windows.last_mut() {
                Some(last) if last.priority == priority && last.class == class => last.to += 1,
                _ => windows.push(Window {
                    from: residue,
                    to: residue + 1,
                    priority,
                    class,
                }),
            }
        }
        windows
    }
}

impl Window {
    /// The size of the range in percent of all residues.
    pub(crate) fn percent(&self) -> f64 {
        (self.to - self.from) as f64
    }
}
