//! The share dialog.

use yew::prelude::*;

use crate::{
    bridge,
    state::{
        PageMessage,
        link::{self, Addresses},
    },
    view::{Act, Action, Shared},
};

#[derive(PartialEq, Properties)]
pub(crate) struct ShareProps {
    pub(crate) store: Shared,
    pub(crate) act: Act,
    pub(crate) on_close: Callback<()>,
}

/// The link, its length, and a button that copies it.
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
    let fragment = store.fragment(store.addresses);
    let address = bridge::link_to(&fragment);
    let left_out = link::left_out(store.scenario());
    let copy = {
        let (address, field, message) = (address.clone(), field.clone(), message.setter());
        Callback::from(move |_: MouseEvent| {
            let (field, message) = (field.clone(), message.clone());
            bridge::copy(&address, move |result| {
                bridge::select_all(&field);
                message.set(result.to_string());
            });
        })
    };
    let set_addresses = {
        let act = props.act.clone();
        Callback::from(move |event: Event| {
            act.run(Action::SetAddresses(if bridge::checked(&event) {
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
                <h2 id="share-title">{ "Share this scenario" }</h2>
                <button type="button" class="icon" aria-label="Close" onclick={close}>{ "\u{d7}" }</button>
            </div>
            <p class="note">{ "The link contains the scenario after the #, which browsers do not send to servers." }</p>
            <div class="link">
                <input ref={field} type="text" readonly=true data-test="share-link" aria-label="Link" value={address} />
                <button type="button" class="primary" data-test="share-copy" onclick={copy}>{ "Copy" }</button>
            </div>
            <label class="tick">
                <input type="checkbox" data-test="share-addresses" checked={store.addresses == Addresses::Included} onchange={set_addresses} />
                <span>{ "Include imported host addresses and hash keys" }</span>
            </label>
            if !left_out.is_empty() {
                <p class="note">{ PageMessage::LinkOmits(&left_out).to_string() }</p>
            }
            <p class="note" role="status">{ format!("{} characters. {}", fragment.len() + 1, *message) }</p>
        </dialog>
    }
}
