//! The link to what is shown.

use yew::prelude::*;

use crate::{
    bridge,
    state::link::{self, Addresses},
    view::{Act, Action, Shared},
};

#[derive(PartialEq, Properties)]
pub(crate) struct ShareProps {
    pub(crate) store: Shared,
    pub(crate) act: Act,
    pub(crate) on_close: Callback<()>,
}

/// The dialog: the link, its length, a button that copies it.
#[component]
pub(crate) fn Share(props: &ShareProps) -> Html {
    let dialog = use_node_ref();
    let field = use_node_ref();
    let message = use_state(String::new);
    {
        let (dialog, field) = (dialog.clone(), field.clone());
        use_effect_with((), move |()| {
            bridge::open_dialog(&dialog);
            bridge::select_all(&field);
        });
    }
    let store = &props.store;
    let fragment = link::write(store.scenario(), store.addresses);
    let address = bridge::link_to(&fragment);
    let left_out = link::left_out(store.scenario());
    let copy = {
        let (address, field, message) = (address.clone(), field.clone(), message.setter());
        Callback::from(move |_: MouseEvent| {
            let (field, message) = (field.clone(), message.clone());
            bridge::copy(&address, move |copied| {
                if copied {
                    message.set("Copied.".into());
                } else {
                    bridge::select_all(&field);
                    message.set("This browser does not let pages copy here: press Ctrl+C.".into());
                }
            });
        })
    };
    let tell = {
        let act = props.act.clone();
        Callback::from(move |event: Event| {
            act.run(Action::Tell(if bridge::checked(&event) {
                Addresses::Included
            } else {
                Addresses::Replaced
            }));
        })
    };
    let close = {
        let dialog = dialog.clone();
        Callback::from(move |_: MouseEvent| bridge::close_dialog(&dialog))
    };
    let on_close = props.on_close.clone();
    html! {
        <dialog ref={dialog} class="sheet" aria-labelledby="share-title" onclose={Callback::from(move |_: Event| on_close.emit(()))}>
            <div class="sheet-head">
                <h2 id="share-title">{ "Share what you see" }</h2>
                <button type="button" class="icon" aria-label="Close" onclick={close}>{ "\u{d7}" }</button>
            </div>
            <p class="note">{ "The whole state is in the link, behind the #: it reaches whoever opens it, and no server." }</p>
            <div class="link">
                <input ref={field} type="text" readonly=true data-test="share-link" aria-label="Link" value={address} />
                <button type="button" class="primary" data-test="share-copy" onclick={copy}>{ "Copy" }</button>
            </div>
            <label class="tick">
                <input type="checkbox" data-test="share-addresses" checked={store.addresses == Addresses::Included} onchange={tell} />
                <span>{ "include imported host addresses and hash keys" }</span>
            </label>
            if !left_out.is_empty() {
                <p class="note">{ format!("The link does not carry: {}.", left_out.join(", ")) }</p>
            }
            <p class="note" role="status">{ format!("{} characters. {}", fragment.len() + 1, *message) }</p>
        </dialog>
    }
}
