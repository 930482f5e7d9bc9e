//! The import dialog, which a module of its own draws.

use std::rc::Rc;

use spillgate_scenario::{ImportField, ImportInput, ImportTexts, TextPosition, select};
use yew::prelude::*;

use super::{
    Act, Action, Shared,
    loaded_module::{LoadedModule, ModulePart},
};
use crate::{
    bridge,
    state::{PageView, ScreenAction},
};

/// The initial state of the dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Opening {
    /// With the imported texts.
    Start,
    /// With the caret at a position.
    At(ImportField, TextPosition),
    /// With the text of the current scenario.
    Text(Rc<str>),
}

impl Opening {
    /// At a finding; `None` if it has no position.
    pub(super) fn at_fault(store: &Shared, number: usize) -> Option<Self> {
        let origin = store.scenario().origin.as_deref()?;
        let fault = origin.faults.get(number)?;
        Some(Self::At(fault.field, fault.position?))
    }

    /// What the dialog gets. The texts are those of the current scenario.
    fn input(&self, store: &Shared) -> ImportInput {
        let origin = store.scenario().origin.as_deref();
        let imported = || origin.map(|origin| origin.texts.clone());
        let (texts, caret) = match self {
            Self::Start => (imported(), None),
            &Self::At(field, position) => (imported(), Some((field, position))),
            Self::Text(text) => {
                let texts = ImportTexts {
                    config: text.to_string(),
                    clusters: String::new(),
                };
                (Some(texts), None)
            }
        };
        ImportInput {
            texts: texts.unwrap_or_default(),
            caret,
        }
    }
}

#[derive(PartialEq, Properties)]
pub(super) struct ImportProps {
    pub(super) store: Shared,
    pub(super) act: Act,
    pub(super) opening: Opening,
    pub(super) on_close: Callback<()>,
}

/// The dialog.
#[component]
pub(super) fn Import(props: &ImportProps) -> Html {
    let act = props.act.clone();
    let on_close = props.on_close.clone();
    let on_action = Callback::from(move |action| match action {
        ScreenAction::Import(reply) => {
            let imported = reply.import.import();
            let scenario = imported.and_then(|imported| select(&imported, reply.root).ok());
            // The dialog imports only what the page can show.
            if let Some(scenario) = scenario {
                let view = scenario.origin.as_ref().map(|origin| origin.view.clone());
                act.run(Action::Import(Rc::new(scenario), bridge::now()));
                if let Some(view) = view.filter(|view| !view.is_empty()) {
                    act.show(PageView::from_link(view).0.screen);
                }
            }
        }
        ScreenAction::Close => on_close.emit(()),
        // The dialog does not do these.
        ScreenAction::Input(_)
        | ScreenAction::Cluster(_)
        | ScreenAction::Source(_)
        | ScreenAction::Open(_)
        | ScreenAction::Follow(_) => {}
    });
    let input = use_memo(props.opening.clone(), |opening| opening.input(&props.store));
    html! {
        <LoadedModule part={ModulePart::Import} scenarios={Vec::new()} input={(*input).clone().into_texts()} {on_action} />
    }
}
