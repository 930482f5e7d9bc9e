//! The header.

use yew::prelude::*;

use super::footer::documentation;
use crate::view::{Act, Action, Shared};

/// Brand, navigation, undo and redo, keys, import and share. `on_near` is called when the pointer reaches the
/// buttons of the dialogs.
pub(crate) fn header(
    store: &Shared,
    act: &Act,
    navigation: Html,
    on_import: &Callback<MouseEvent>,
    on_share: &Callback<MouseEvent>,
    on_keys: &Callback<MouseEvent>,
    on_near: &Callback<PointerEvent>,
) -> Html {
    let (past, future) = store.depth();
    let run = |action: Action| {
        let act = act.clone();
        Callback::from(move |_: MouseEvent| act.run(action.clone()))
    };
    html! {
        <header class="top">
            { picture(BRAND) }
            { navigation }
            if let Some(docs) = documentation("") {
                <a class="docs" href={docs}>{ "Docs" }</a>
            }
            <div class="acts" onpointerenter={on_near}>
                <button type="button" class="icon" data-test="undo" aria-label="Undo" title="Undo (Ctrl+Z)"
                    disabled={past == 0} onclick={run(Action::Undo)}>
                    { picture(UNDO) }
                </button>
                <button type="button" class="icon" data-test="redo" aria-label="Redo" title="Redo (Ctrl+Shift+Z)"
                    disabled={future == 0} onclick={run(Action::Redo)}>
                    { picture(REDO) }
                </button>
                <button type="button" class="icon" data-test="keys-open" aria-label="Keys of this page" title="Keys of this page (?)"
                    onclick={on_keys}>{ "?" }</button>
                <button type="button" class="primary" data-test="import" onclick={on_import}>{ "Import" }</button>
                <button type="button" data-test="share" onclick={on_share}>{ "Share" }</button>
            </div>
        </header>
    }
}

const BRAND: &str = "<h1 class=\"brand\"><svg viewBox=\"0 0 32 24\" width=\"32\" height=\"24\" aria-hidden=\"true\">\
    <path class=\"emblem-water\" d=\"M2.5,7h7.5v5h-7.5zM12.5,13h7v3h-7zM22,18.5h7v2h-7z\"/>\
    <path class=\"emblem-wall\" d=\"M2.5,2v10h9V7M11.5,12v4.5h9V11M20.5,16.5V21h9v-5\"/>\
    </svg>Spillgate</h1><p class=\"tagline\">Who gets Envoy's traffic when hosts fail</p>";

const UNDO: &str = "<svg viewBox=\"0 0 20 20\" width=\"18\" height=\"18\" aria-hidden=\"true\">\
    <path class=\"stroke\" d=\"M8,5L4,9l4,4M4,9h8a4,4 0 0 1 0,8h-2\"/></svg>";

const REDO: &str = "<svg viewBox=\"0 0 20 20\" width=\"18\" height=\"18\" aria-hidden=\"true\">\
    <path class=\"stroke\" d=\"M12,5l4,4l-4,4M16,9H8a4,4 0 0 0 0,8h2\"/></svg>";

/// Static markup.
fn picture(markup: &'static str) -> Html {
    Html::from_html_unchecked(AttrValue::Static(markup))
}
