//! How the import dialog opens, and how the playground takes its scenario.

use std::rc::Rc;

use spillgate_scenario::{EditedScenario, ImportField, ImportTexts, TextPosition};
use yew::prelude::*;

use super::view::{Dialog, DialogStart};
use crate::{
    bridge::{self, File},
    state::PageView,
    view::{Act, Action, Shared},
};

/// The initial state of the dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Opening {
    /// With the imported texts.
    Start,
    /// With the caret at a position.
    At(ImportField, TextPosition),
    /// With the text of the current scenario.
    Text(Rc<str>),
    /// With files that were dropped in the playground.
    Files(Vec<File>),
}

impl Opening {
    /// At a finding; `None` if it has no position.
    pub(crate) fn at_fault(store: &Shared, number: usize) -> Option<Self> {
        let origin = store.scenario().origin.as_deref()?;
        let fault = origin.faults.get(number)?;
        Some(Self::At(fault.field, fault.position?))
    }

    /// What the dialog gets. The texts are those of the current scenario.
    fn start(&self, store: &Shared) -> DialogStart {
        let origin = store.scenario().origin.as_deref();
        let imported = || origin.map(|origin| origin.texts.clone());
        let mut files = Vec::new();
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
            Self::Files(dropped) => {
                files.clone_from(dropped);
                (imported(), None)
            }
        };
        DialogStart {
            texts: texts.unwrap_or_default(),
            caret,
            files,
        }
    }
}

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct ImportProps {
    pub(crate) store: Shared,
    pub(crate) act: Act,
    pub(crate) opening: Opening,
    pub(crate) on_close: Callback<()>,
}

/// The dialog.
#[component]
pub(crate) fn Import(props: &ImportProps) -> Html {
    let on_import = {
        let act = props.act.clone();
        Callback::from(move |scenario: Rc<EditedScenario>| {
            let view = scenario.origin.as_ref().map(|origin| origin.view.clone());
            act.run(Action::Import(scenario, bridge::now()));
            if let Some(view) = view.filter(|view| !view.is_empty()) {
                act.show(PageView::from_link(view).0.screen);
            }
        })
    };
    let start = use_memo(props.opening.clone(), |opening| opening.start(&props.store));
    html! { <Dialog {start} {on_import} on_close={props.on_close.clone()} /> }
}
