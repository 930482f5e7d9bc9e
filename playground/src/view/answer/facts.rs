//! Facts about further losses, and the commands for the running demo.

use yew::prelude::*;

use crate::{
    state::{demo_commands, facts},
    view::{Shared, parts::strip},
};

/// The facts of the scenario.
pub(crate) fn fact_strip(store: &Shared) -> Html {
    strip("facts", facts(store.scenario(), &store.outcome))
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
