//! A part of the playground whose code is loaded on first use.

use spillgate_scenario::PageMessage;
use yew::prelude::*;

use super::parts::{Button, note};
use crate::lazy::{Loading, NotLoaded};

/// What a part is, for its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// A screen.
    Screen,
    /// What follows a running Envoy on the first screen.
    Following,
    /// A dialog of the playground.
    Dialog,
}

impl PartKind {
    const fn loading(self) -> PageMessage<'static> {
        match self {
            Self::Screen | Self::Following => PageMessage::LoadingScreen,
            Self::Dialog => PageMessage::LoadingDialog,
        }
    }

    const fn failed(self) -> PageMessage<'static> {
        match self {
            Self::Screen | Self::Following => PageMessage::ScreenFailed,
            Self::Dialog => PageMessage::DialogFailed,
        }
    }
}

/// What a part needs. The function that draws it belongs to the code that is loaded.
pub(crate) trait LazyPart: Clone + PartialEq + 'static {
    /// What it is.
    fn kind(&self) -> PartKind;

    /// The function that draws it.
    fn load(&self) -> Loading<fn(&Self) -> Html>;

    /// Closes it, if the user can.
    fn on_close(&self) -> Option<&Callback<()>> {
        None
    }
}

#[derive(PartialEq, Properties)]
pub(crate) struct LazyProps<P: LazyPart> {
    pub(crate) part: P,
}

/// What the playground has of a part.
enum PartState<P> {
    Loading,
    Loaded(fn(&P) -> Html),
    Failed,
}

/// The part, after its code is loaded; until then, and after a failure, a message.
#[component]
pub(crate) fn Lazy<P: LazyPart>(props: &LazyProps<P>) -> Html {
    let state = use_state(|| PartState::Loading);
    let load = {
        let (state, part) = (state.setter(), props.part.clone());
        move || {
            let (state, loading) = (state.clone(), part.load());
            yew::platform::spawn_local(async move {
                state.set(match loading.await {
                    Ok(draw) => PartState::Loaded(draw),
                    Err(NotLoaded) => PartState::Failed,
                });
            });
        }
    };
    {
        let load = load.clone();
        use_effect_with((), move |()| load());
    }
    let kind = props.part.kind();
    let message = |message: PageMessage<'_>, buttons: Html| {
        // In the place of the dialog.
        let class = (kind == PartKind::Dialog).then_some("notice floating");
        let status = html! {
            <div {class} data-said="yes" data-test="module-message">{ note(message.to_string()) }{ buttons }</div>
        };
        match kind {
            PartKind::Screen => html! { <main>{ status }</main> },
            // The first screen works without it.
            PartKind::Following => html! {},
            PartKind::Dialog => status,
        }
    };
    match &*state {
        PartState::Loaded(draw) => draw(&props.part),
        PartState::Loading => message(kind.loading(), html! {}),
        PartState::Failed => {
            let state = state.setter();
            let again = Button {
                class: "",
                test: Some("module-again".into()),
                name: None,
                text: "Try again".into(),
                disabled: false,
                onclick: Callback::from(move |_| {
                    state.set(PartState::Loading);
                    load();
                }),
            };
            let close = props.part.on_close().map(|close| {
                let close = Button {
                    class: "",
                    test: Some("module-close".into()),
                    name: None,
                    text: "Close".into(),
                    disabled: false,
                    onclick: close.reform(|_| ()),
                };
                close.view()
            });
            message(kind.failed(), html! { <>{ again.view() }{ close }</> })
        }
    }
}
