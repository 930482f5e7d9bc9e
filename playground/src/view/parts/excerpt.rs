//! An excerpt of the imported configuration.

use spillgate_scenario::{ImportOrigin, TextPlace, excerpt};
use yew::prelude::*;

/// The number of lines before and after.
const AROUND: u32 = 4;

/// The lines around a position, with its line marked.
pub fn config_excerpt(origin: &ImportOrigin, place: TextPlace) -> Html {
    let lines = excerpt(&origin.texts.config, place.position, AROUND);
    html! {
        <>
            <h2>{ "Config" }</h2>
            <pre class="excerpt" data-test="excerpt" tabindex="0" aria-label="Excerpt of the configuration"><code>
                { for lines.into_iter().map(|line| {
                    let number = html! { <span class="line-number">{ line.number }</span> };
                    if line.marked {
                        html! { <mark>{ number }{ line.text }{ "\n" }</mark> }
                    } else {
                        html! { <span class="line">{ number }{ line.text }{ "\n" }</span> }
                    }
                }) }
            </code></pre>
        </>
    }
}
