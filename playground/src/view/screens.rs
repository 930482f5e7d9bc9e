//! The navigation between screens, and the screens that a module of its own draws.

use spillgate_codec::import::scenarios_to_bytes;
use yew::prelude::*;

use super::{Act, Action, Everything, Shared, parts::note};
use crate::{
    bridge::{self, ShownScreen},
    state::{CommandInput, PageMessage, ScenarioEdit, Screen, ScreenAction},
};

/// The buttons that choose the screen.
pub(super) fn navigation(store: &Shared, act: &Act) -> Html {
    let button = |screen: Screen| {
        let act = act.clone();
        let current = store.view.screen == screen;
        let choose = Callback::from(move |_: MouseEvent| {
            if !current {
                bridge::push_screen(screen);
                act.run(Action::Show(screen));
            }
        });
        // The module is on its way before the click.
        let prepare = Callback::from(move |_: PointerEvent| {
            if screen != Screen::Build {
                bridge::load_screens(|_| ());
            }
        });
        html! {
            <button type="button" data-test={format!("screen-{}", screen.name())} aria-current={current.then_some("page")}
                onclick={choose} onpointerenter={prepare}>{ screen.title() }</button>
        }
    };
    html! {
        <nav class="screens" aria-label="Screens">{ for Screen::ALL.into_iter().map(button) }</nav>
    }
}

/// What the module is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Module {
    Loading,
    Loaded,
    Failed(String),
}

/// The open screen, unless it is the first one.
#[component]
pub(super) fn LoadedScreen(props: &Everything) -> Html {
    let Everything { store, act } = props;
    let place = use_node_ref();
    let module = use_state(|| Module::Loading);
    let shown = use_mut_ref(|| None::<ShownScreen>);
    let screen = store.view.screen;
    {
        let module = module.setter();
        use_effect_with((), move |()| {
            bridge::load_screens(move |result| {
                module.set(match result {
                    Ok(()) => Module::Loaded,
                    Err(reason) => Module::Failed(reason),
                });
            });
        });
    }
    {
        let (place, shown, act) = (place.clone(), shown.clone(), act.clone());
        let module_setter = module.setter();
        let loaded = *module == Module::Loaded;
        let drawn = (
            store.scenario().clone(),
            store.view.clone(),
            store.addresses,
            loaded,
        );
        use_effect_with(drawn, move |(scenario, view, addresses, loaded)| {
            if !loaded {
                return;
            }
            let mut shown = shown.borrow_mut();
            if shown.is_none() {
                let on_action = move |action| match action {
                    ScreenAction::Input(input) => act.run(Action::SetInput(screen, input)),
                    ScreenAction::Cluster(cluster) => {
                        act.edit(ScenarioEdit::Show(cluster));
                        bridge::push_screen(Screen::Build);
                        act.run(Action::Show(Screen::Build));
                    }
                };
                *shown = ShownScreen::new(&place, on_action);
            }
            // A link would drop settings such as subsets.
            let bytes = scenarios_to_bytes(&[&**scenario]);
            let command = CommandInput::of(scenario, *addresses);
            let input = view.input(screen);
            if let Some(Err(reason)) = shown
                .as_ref()
                .map(|shown| shown.update(screen, &bytes, input, command))
            {
                module_setter.set(Module::Failed(reason));
            }
        });
    }
    let message = match &*module {
        Module::Loaded => None,
        Module::Loading => Some(PageMessage::LoadingScreen.to_string()),
        Module::Failed(reason) => Some(PageMessage::ScreenFailed(reason).to_string()),
    };
    html! {
        <>
            if let Some(message) = message {
                <main><div role="status" data-test="screen-message">{ note(message) }</div></main>
            }
            <div ref={place} />
        </>
    }
}
