//! The input of a screen: kept by the playground and its links, changed by the screen.

use yew::prelude::*;

/// The input, and how to change it.
pub(crate) struct Input {
    pub(crate) text: String,
    pub(crate) set: Callback<String>,
}

/// The current input. A change is shown at once, before the playground returns it; a text that the playground opens,
/// for example from a link, replaces it.
#[hook]
pub(crate) fn use_input(given: &str, on_input: &Callback<String>) -> Input {
    let own = use_state(|| given.to_owned());
    {
        let own = own.setter();
        use_effect_with(given.to_owned(), move |given| own.set(given.clone()));
    }
    let set = {
        let (own, on_input) = (own.setter(), on_input.clone());
        Callback::from(move |text: String| {
            own.set(text.clone());
            on_input.emit(text);
        })
    };
    Input {
        text: (*own).clone(),
        set,
    }
}
