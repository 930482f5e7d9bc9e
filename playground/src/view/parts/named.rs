//! Texts with short names.

use spillgate_scenario::ShortNames;
use yew::prelude::*;

/// A text with short names. The whole text is its title, and screen readers read it.
#[inline(never)]
pub fn named(names: &ShortNames, text: &str) -> Html {
    let short = names.in_text(text);
    if short == text {
        return text.into();
    }
    html! {
        <span class="short" title={text.to_owned()}>
            <span aria-hidden="true">{ short }</span>
            <span class="hidden">{ text }</span>
        </span>
    }
}
