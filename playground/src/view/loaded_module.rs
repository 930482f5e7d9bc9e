//! The place of a component that a module of its own draws.

use std::rc::Rc;

use spillgate_codec::import::scenarios_to_bytes;
use spillgate_scenario::{EditedScenario, PageMessage};
use yew::prelude::*;

use super::parts::note;
use crate::{
    bridge::{self, ShownScreen},
    state::ScreenAction,
};

/// What a module draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModulePart {
    /// The import dialog.
    Import,
}

impl ModulePart {
    const fn module(self) -> &'static str {
        match self {
            Self::Import => "import",
        }
    }

    const fn loading(self) -> PageMessage<'static> {
        match self {
            Self::Import => PageMessage::LoadingImport,
        }
    }

    const fn failed(self, reason: &str) -> PageMessage<'_> {
        match self {
            Self::Import => PageMessage::ImportFailed(reason),
        }
    }
}

/// What a module draws, and with what.
#[derive(PartialEq, Properties)]
pub struct ModuleProps {
    /// What the module draws.
    pub part: ModulePart,
    /// The scenarios that the module gets.
    pub scenarios: Vec<Rc<EditedScenario>>,
    /// The texts that it gets.
    pub input: Vec<String>,
    /// Called with what the user does.
    #[prop_or_default]
    pub on_action: Callback<ScreenAction>,
}

/// What the browser has of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ModuleState {
    Loading,
    Loaded,
    Failed(String),
}

/// The part, after its module is loaded; until then, and after a failure, a message.
#[component]
pub fn LoadedModule(props: &ModuleProps) -> Html {
    let part = props.part;
    let place = use_node_ref();
    let state = use_state(|| ModuleState::Loading);
    let shown = use_mut_ref(|| None::<ShownScreen>);
    {
        let state = state.setter();
        use_effect_with((), move |()| {
            bridge::load_screens(part.module(), move |result| {
                state.set(match result {
                    Ok(()) => ModuleState::Loaded,
                    Err(reason) => ModuleState::Failed(reason),
                });
            });
        });
    }
    {
        let (place, failed) = (place.clone(), state.setter());
        let on_action = props.on_action.clone();
        let loaded = *state == ModuleState::Loaded;
        let drawn = (props.scenarios.clone(), props.input.clone(), loaded);
        use_effect_with(drawn, move |(scenarios, input, loaded)| {
            if !loaded {
                return;
            }
            let mut shown = shown.borrow_mut();
            if shown.is_none() {
                let act = move |action| on_action.emit(action);
                *shown = ShownScreen::new(part.module(), &place, act);
            }
            // A link would drop settings such as subsets.
            let scenarios: Vec<_> = scenarios.iter().map(|scenario| &**scenario).collect();
            let bytes = scenarios_to_bytes(&scenarios);
            let updated = shown
                .as_ref()
                .map(|shown| shown.update(&bytes, input.clone()));
            if let Some(Err(reason)) = updated {
                failed.set(ModuleState::Failed(reason));
            }
        });
    }
    let message = match &*state {
        ModuleState::Loaded => None,
        ModuleState::Loading => Some(part.loading().to_string()),
        ModuleState::Failed(reason) => Some(part.failed(reason).to_string()),
    };
    let message = message.map(|message| {
        html! { <div data-said="yes" data-test="module-message">{ note(message) }</div> }
    });
    html! {
        <>
            { message }
            <div ref={place} />
        </>
    }
}
