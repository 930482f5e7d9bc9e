//! The share dialog: the link, and the parts that a module draws.

use spillgate_codec::import::scenarios_to_bytes;
use yew::prelude::*;

use crate::{
    bridge::{self, ShownScreen},
    state::{
        PageMessage, Screen, ShareInput,
        link::{self, Disclosure},
    },
    view::{Act, Action, Shared, parts::note},
};

/// The module with snippets and files.
const MODULE: &str = "share";

#[derive(PartialEq, Properties)]
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
                <p class="note" role="status">{ (*message).clone() }</p>
            </section>
            <LoadedParts store={store.clone()} />
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

#[derive(PartialEq, Properties)]
struct PartsProps {
    store: Shared,
}

/// Snippets and files.
#[component]
fn LoadedParts(props: &PartsProps) -> Html {
    let store = &props.store;
    let place = use_node_ref();
    let shown = use_mut_ref(|| None::<ShownScreen>);
    let loaded = use_state(|| None::<Result<(), String>>);
    {
        let loaded = loaded.setter();
        use_effect_with((), move |()| {
            bridge::load_screens(MODULE, move |result| loaded.set(Some(result)));
        });
    }
    {
        let (place, failed) = (place.clone(), loaded.setter());
        let drawn = (
            store.scenario().clone(),
            store.disclosure,
            store.view.input(Screen::WhatIf).to_owned(),
            matches!(*loaded, Some(Ok(()))),
        );
        use_effect_with(drawn, move |(scenario, disclosure, question, loaded)| {
            if !loaded {
                return;
            }
            let mut shown = shown.borrow_mut();
            if shown.is_none() {
                *shown = ShownScreen::new(MODULE, &place, |_| ());
            }
            let input = ShareInput {
                disclosure: *disclosure,
                question: question.clone(),
            };
            let bytes = scenarios_to_bytes(&[scenario]);
            let updated = shown
                .as_ref()
                .map(|shown| shown.update(&bytes, input.into_texts()));
            if let Some(Err(reason)) = updated {
                failed.set(Some(Err(reason)));
            }
        });
    }
    let message = match &*loaded {
        Some(Ok(())) => None,
        None => Some(PageMessage::LoadingFiles.to_string()),
        Some(Err(reason)) => Some(PageMessage::FilesFailed(reason).to_string()),
    };
    html! {
        <>
            if let Some(message) = message {
                <div role="status">{ note(message) }</div>
            }
            <div ref={place} />
        </>
    }
}
