//! What the screen needs, if the server of the playground has no `/live/`.

use crate::{bridge, view::parts::text_button};
use yew::prelude::*;

use super::poll::read_now;
use crate::view::screens::live::SNIPPET;

#[derive(PartialEq, Properties)]
pub(super) struct NeedsProps {
    /// Why the read failed.
    pub(super) reason: String,
    /// Whether another attempt can succeed.
    pub(super) can_retry: bool,
}

/// The way to the demo, and the configuration for another Envoy.
#[component]
pub(super) fn Needs(props: &NeedsProps) -> Html {
    let message = use_state(String::new);
    let copy = {
        let message = message.setter();
        Callback::from(move |_: MouseEvent| {
            let message = message.clone();
            bridge::copy(SNIPPET, move |result| message.set(result.to_string()));
        })
    };
    html! {
        <main class="what-if live">
            <section class="result" id="answer" tabindex="-1" aria-label="Result">
                <h2 class="eyebrow">{ "Does a running Envoy do what is predicted?" }</h2>
                <p class="headline" data-test="live-headline">{ "Live needs an Envoy that serves this page." }</p>
                <p class="sub" data-said="yes" data-test="live-message">{ props.reason.clone() }</p>
                <p class="rule">{ "With " }<code>{ "cargo xtask demo" }</code>{ ", an Envoy with the filter serves this page, fifteen hosts, and a read-only part of its admin interface. Another Envoy needs three routes and a cluster. The page sends only GET requests to its own server." }</p>
                <p class="rule">{ "Without these routes, import the output of " }<code>{ "/clusters" }</code>{ " with a configuration." }</p>
                if props.can_retry {
                    <p class="copies">{ text_button("Try again", "live-retry", Callback::from(|_| read_now())) }</p>
                }
            </section>
            <div class="further">
                <div class="lesson-config">
                    <div class="text-head">
                        <h3>{ "Routes and cluster for Envoy" }</h3>
                        <span data-said="yes" data-test="live-copied">{ (*message).clone() }</span>
                        { text_button("Copy", "live-copy", copy) }
                    </div>
                    <pre class="excerpt" data-test="live-snippet" tabindex="0" role="region" aria-label="Routes and cluster for Envoy"><code><span class="line">{ SNIPPET }</span></code></pre>
                </div>
            </div>
        </main>
    }
}
