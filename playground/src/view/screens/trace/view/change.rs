//! Callbacks that change the input.

use yew::prelude::*;

use crate::view::screens::trace::TraceInput;

/// Changes the input.
#[derive(Clone)]
pub(super) struct Change {
    pub(super) input: TraceInput,
    pub(super) set: Callback<TraceInput>,
}

impl Change {
    /// A callback that changes one value of the input.
    pub(super) fn by<T: 'static>(&self, change: fn(&mut TraceInput, T)) -> Callback<T> {
        let Self { input, set } = self.clone();
        Callback::from(move |value| {
            let mut next = input.clone();
            change(&mut next, value);
            set.emit(next);
        })
    }
}
