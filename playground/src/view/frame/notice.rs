//! The message above the result.

use yew::prelude::*;

use crate::bridge;
use crate::view::{Act, Action, Shared, parts::Button};

/// The message, if there is one.
pub(crate) fn notice_bar(store: &Shared, act: &Act) -> Html {
    let Some(notice) = &store.notice else {
        return html! {};
    };
    let compute = {
        let act = act.clone();
        Callback::from(move |_: MouseEvent| act.run(Action::OpenWaiting(bridge::now())))
    };
    let act = act.clone();
    let dismiss = Callback::from(move |_: MouseEvent| act.run(Action::Dismiss));
    html! {
        <div class="notice" role="alert" data-test="notice">
            <p>{ notice }</p>
            if store.waiting.is_some() {
                { Button {
                    class: "",
                    test: Some("compute-anyway".into()),
                    name: None,
                    text: "Compute anyway".into(),
                    disabled: false,
                    onclick: compute,
                }.view() }
            }
            { Button {
                class: "",
                test: None,
                name: None,
                text: "Dismiss".into(),
                disabled: false,
                onclick: dismiss,
            }.view() }
        </div>
    }
}
