//! The loads that decide a request's priority, and the ranges of hashes that lead to each.

use alloc::vec::Vec;

use crate::{
    load::{HostClass, choose_priority},
    snapshot::{ClusterId, Source},
};

/// What decides the priority of a request. A hash modulo 100 falls into one of the loads, of the
/// healthy hosts of each priority first, then of the degraded ones.
#[derive(Clone, Copy)]
pub(crate) struct Loads<'a> {
    /// Percent of the requests for the healthy hosts of each priority.
    pub(crate) healthy: &'a [u32],
    /// Percent of the requests for the degraded hosts.
    pub(crate) degraded: &'a [u32],
    /// The priority that an aggregate chose. The loads then have no say, and the hash for them is
    /// free to choose any host.
    pub(crate) forced: Option<(usize, HostClass)>,
    /// Whether the loads are those of a retry that avoids priorities.
    pub(crate) of_retry: bool,
}

/// A priority that serves a request, and which of its hosts do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenPriority {
    /// The cluster that owns it; under an aggregate one of its members.
    pub owner: ClusterId,
    /// Its number in that cluster, 0 first.
    pub number: usize,
    /// Which hosts the load was meant for.
    pub class: HostClass,
    /// Whether it serves from all its hosts.
    pub panic: bool,
    /// Which list of hosts serves; `None` where a priority in panic mode refuses its
    /// requests.
    pub source: Option<Source>,
}

/// A range of the residues modulo 100 that leads to one class of one priority.
pub(crate) struct Window {
    /// The first residue.
    pub(crate) from: u64,
    /// The one behind the last.
    pub(crate) to: u64,
    pub(crate) priority: usize,
    pub(crate) class: HostClass,
}

impl Loads<'_> {
    /// The priority that a hash leads to, and which of its hosts the load is meant for.
    #[inline(always)]
    pub(crate) fn choose(&self, key: u64) -> (usize, HostClass) {
        let chosen = || choose_priority(key, self.healthy, self.degraded);
        self.forced.unwrap_or_else(chosen)
    }

    /// What [`Loads::choose`] answers to all hashes, or to this one.
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
    /// Percent of all choices.
    pub(crate) fn percent(&self) -> f64 {
        (self.to - self.from) as f64
    }
}
