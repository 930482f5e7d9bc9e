//! The share dialog: the link, snippets and files.

use std::rc::Rc;

use spillgate_scenario::{PageMessage, link::Disclosure};
use yew::prelude::*;

use crate::{
    bridge,
    state::ShareInput,
    view::{
        Act, Action, Shared,
        parts::note,
        share::{Embed, Files},
    },
};

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct ShareProps {
    pub(crate) store: Shared,
    pub(crate) act: Act,
    pub(crate) on_close: Callback<()>,
}

/// The link, what it discloses, snippets and files.
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
    let fragment = store.fragment(store.disclosure);
    let address = bridge::link_to(&fragment);
    let left_out = store.left_out();
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
    let close = {
        let dialog = dialog.clone();
        Callback::from(move |_: MouseEvent| bridge::close_dialog(&dialog))
    };
    let on_close = props.on_close.clone();
    html! {
        <dialog ref={dialog} class="sheet share" aria-labelledby="share-title" onclose={Callback::from(move |_: Event| on_close.emit(()))}>
            <div class="sheet-head">
                <h2 id="share-title">{ "Share this scenario" }</h2>
                <button type="button" class="icon" aria-label="Close" onclick={close}>{ "\u{d7}" }</button>
            </div>
            { disclosure(store, &props.act) }
            <section aria-labelledby="share-link">
                <h3 id="share-link">{ "Link" }</h3>
                <div class="link">
                    <input ref={field} type="text" readonly=true data-test="share-link" aria-label="Link" value={address} />
                    <button type="button" class="primary" data-test="share-copy" onclick={copy}>{ "Copy" }</button>
                </div>
                { note(format!("{} characters after the page's address. Browsers do not send this part to servers.", fragment.len() + 1)) }
                if !left_out.is_empty() {
                    { note(PageMessage::LinkOmits(&left_out).to_string()) }
                }
                if store.link_omits_old_side() {
                    { note(PageMessage::LinkOmitsOldSide.to_string()) }
                }
                <p class="note" data-said="yes">{ (*message).clone() }</p>
            </section>
            { files(store) }
        </dialog>
    }
}

/// The switches for all parts of the dialog, and their effect.
fn disclosure(store: &Shared, act: &Act) -> Html {
    let now = store.disclosure;
    let switch = |test: &'static str, on: bool, to: [Disclosure; 2], text: &'static str| {
        let act = act.clone();
        let onchange = Callback::from(move |event: Event| {
            let [off, on] = to;
            act.run(Action::Disclose(if bridge::checked(&event) {
                on
            } else {
                off
            }));
        });
        // A reader with the addresses knows the clusters too.
        let disabled = test == "share-names" && now == Disclosure::Addresses;
        html! {
            <label class="tick">
                <input type="checkbox" data-test={test} checked={on} {disabled} {onchange} />
                <span>{ text }</span>
            </label>
        }
    };
    let effect = match now {
        Disclosure::Addresses => "Link, embedded figures and files have the scenario as it is.",
        Disclosure::Names => "Hosts get addresses such as 198.18.0.1:8080.",
        Disclosure::Shape => {
            "Hosts get addresses such as 198.18.0.1:8080, and clusters and zones names such as c1 and zone-1."
        }
    };
    html! {
        <fieldset class="disclosure">
            <legend class="hidden">{ "Disclosed" }</legend>
            { switch("share-addresses", now == Disclosure::Addresses, [Disclosure::Shape, Disclosure::Addresses],
                "Include host addresses and hash keys") }
            { switch("share-names", now != Disclosure::Shape, [Disclosure::Shape, Disclosure::Names],
                "Include names of clusters and zones") }
            <p class="note" data-test="share-disclosure">{ effect }</p>
        </fieldset>
    }
}

/// Snippets and files.
fn files(store: &Shared) -> Html {
    let scenario = store.scenario();
    let input = ShareInput {
        disclosure: store.disclosure,
        view: store.shared_view(),
    };
    html! {
        <>
            <Embed scenario={Rc::clone(scenario)} disclosure={store.disclosure} />
            <Files scenario={Rc::clone(scenario)} {input} />
        </>
    }
}
