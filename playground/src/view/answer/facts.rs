//! Facts about further losses, and the commands for the running demo.

use yew::prelude::*;

use crate::{
    state::{Tone, demo_commands, facts},
    view::Shared,
};

/// The facts of the scenario.
pub(crate) fn fact_strip(store: &Shared) -> Html {
    strip("facts", facts(store.scenario(), &store.outcome))
}

/// Short facts in a row.
pub(crate) fn strip(test: &'static str, facts: Vec<(Tone, String)>) -> Html {
    if facts.is_empty() {
        return html! {};
    }
    html! {
        <ul class="facts" data-test={test}>
            { for facts.into_iter().map(|(tone, text)| {
                let (class, mark) = match tone {
                    Tone::Good => ("good", "\u{2713}\u{a0}"),
                    Tone::Warning => ("warning", "!\u{a0}"),
                    Tone::Plain => ("plain", ""),
                };
                html! { <li class={class}><span aria-hidden="true">{ mark }</span>{ text }</li> }
            }) }
        </ul>
    }
}

/// The commands for the running demo, if the page shows its topology.
pub(crate) fn demo_hint(store: &Shared) -> Html {
    let Some(commands) = demo_commands(store.scenario()) else {
        return html! {};
    };
    html! {
        <div class="demo">
            <p>{ "The same state in the running demo:" }</p>
            <pre data-test="demo-commands"><code>{ commands }</code></pre>
        </div>
    }
}
