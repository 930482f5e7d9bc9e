//! The worst effect of a loss, and the smallest loss with each effect.

use alloc::vec::Vec;

use spillgate_core::order;

use super::LoadState;

/// The effect of a loss on a cluster, from harmless to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The first priority serves all requests.
    None,
    /// Requests spill over to later priorities.
    Spill,
    /// A priority with load is in panic mode.
    Panic,
    /// Some requests find no host.
    NoHost,
}

impl Effect {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Spill => "spill",
            Self::Panic => "panic",
            Self::NoHost => "no_host",
        }
    }

    /// The worst effect in a state.
    #[must_use]
    pub fn of(state: &LoadState) -> Self {
        if state.no_host > 0.0 {
            Self::NoHost
        } else if state.panicking() > 0 {
            Self::Panic
        } else if (0..state.priorities.len()).any(|at| state.spills(at)) {
            Self::Spill
        } else {
            Self::None
        }
    }
}

/// The smallest loss with an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Onset {
    /// The number of lost hosts; 0 if the effect exists without a loss.
    pub lost: usize,
    /// The effect.
    pub what: Effect,
    /// The priority that spills over or is in panic mode, by its place; `None` for requests without a
    /// host.
    pub priority: Option<usize>,
}

/// The first spillover, panic mode and request without a host, from states by the number of lost
/// hosts, 0 first. Sorted by loss, then by effect, then by priority.
#[must_use]
pub fn onsets(sweep: &[LoadState]) -> Vec<Onset> {
    let priorities = sweep.first().map_or(0, |state| state.priorities.len());
    let mut onsets = Vec::new();
    let mut onset = |what, priority, is: &dyn Fn(&LoadState) -> bool| {
        if let Some(lost) = sweep.iter().position(is) {
            onsets.push(Onset {
                lost,
                what,
                priority,
            });
        }
    };
    for at in 0..priorities {
        onset(Effect::Spill, Some(at), &|state| state.spills(at));
    }
    for at in 0..priorities {
        onset(Effect::Panic, Some(at), &|state| state.panics(at));
    }
    onset(Effect::NoHost, None, &|state| state.no_host > 0.0);
    order::sorted(onsets, |a, b| a.lost.cmp(&b.lost))
}
