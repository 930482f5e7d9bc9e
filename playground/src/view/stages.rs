//! The first rendering in stages, so that the browser can paint and answer inputs between them.

use yew::prelude::*;

use crate::bridge;

/// How much of Build is there. Each stage is a task of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The header and the answer.
    Answer,
    /// The hosts and settings, too.
    Topology,
    /// All of it.
    Whole,
}

impl Stage {
    const fn next(self) -> Option<Self> {
        match self {
            Self::Answer => Some(Self::Topology),
            Self::Topology => Some(Self::Whole),
            Self::Whole => None,
        }
    }
}

/// The present stage; the next one follows by itself.
#[hook]
pub(super) fn use_stage() -> Stage {
    let stage = use_state(|| Stage::Answer);
    let setter = stage.setter();
    use_effect_with(*stage, move |stage| {
        if let Some(next) = stage.next() {
            bridge::after(0, move || setter.set(next)).forget();
        } else {
            bridge::mark_interactive();
        }
    });
    *stage
}
