//! Where the requests of a level go before a host is chosen: ranges of residues, and lists of hosts.

use alloc::vec::Vec;

use super::{LevelSet, Settings, Source};
use crate::load::{HostClass, choose_priority};

/// A range of the residues modulo 100 that leads to one class of one level.
pub(super) struct Window {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) priority: usize,
    pub(super) class: HostClass,
}

impl Window {
    /// Every residue.
    pub(super) const fn all(priority: usize, class: HostClass) -> Self {
        Self {
            from: 0,
            to: 100,
            priority,
            class,
        }
    }

    /// Percent of all choices.
    pub(super) fn percent(&self) -> f64 {
        (self.to - self.from) as f64
    }
}

/// The ranges of [`choose_priority`].
pub(super) fn windows(healthy: &[u32], degraded: &[u32]) -> Vec<Window> {
    let mut windows: Vec<Window> = Vec::new();
    for residue in 0..100 {
        let (priority, class) = choose_priority(residue, healthy, degraded);
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

/// The lists of a level that serve, with their parts of its requests.
pub(super) fn sources(
    settings: &Settings,
    level: &LevelSet,
    class: HostClass,
    panic: bool,
) -> Vec<(Source, f64)> {
    let refuses = settings.fails_traffic_on_panic();
    if panic {
        return match refuses {
            true => Vec::new(),
            false => [(Source::All, 1.0)].into(),
        };
    }
    let everybody = |part| (Source::Class(class), part);
    let Some(localities) = &level.localities else {
        return [everybody(1.0)].into();
    };
    let place = |(place, part)| {
        let near = Source::Locality(class, place);
        match settings.last_resort && level.list(near).is_empty() {
            true => everybody(part),
            false => (near, part),
        }
    };
    if let Some(weights) = localities.weights(class) {
        let sum: f64 = weights.iter().sum();
        let parts = weights.iter().map(|weight| weight / sum);
        let with_part = parts.enumerate().filter(|(_, part)| *part > 0.0);
        return with_part.map(place).collect();
    }
    let Some(zones) = localities
        .zones
        .as_ref()
        .filter(|zones| zones.routing.chooses())
    else {
        return [everybody(1.0)].into();
    };
    let enabled = f64::from(zones.enabled.min(100)) / 100.0;
    let mut sources = Vec::new();
    if enabled < 1.0 {
        sources.push(everybody(1.0 - enabled));
    }
    if zones.local_panic {
        if !refuses {
            sources.push(everybody(enabled));
        }
        return sources;
    }
    let parts = zones.routing.parts(localities.count());
    let parts = parts.into_iter().map(|part| part * enabled);
    sources.extend(parts.enumerate().filter(|(_, part)| *part > 0.0).map(place));
    sources
}
