//! The navigation between screens, and the screens that a module of its own draws.

use std::rc::Rc;

use spillgate_codec::import::scenarios_to_bytes;
use yew::prelude::*;

use super::{Act, Action, Everything, Shared, parts::note};
use crate::{
    bridge::{self, ShownScreen},
    state::{CommandInput, PageMessage, ScenarioEdit, Screen, ScreenAction, ScreenInput},
};

/// The buttons that choose the screen.
pub(super) fn navigation(store: &Shared, act: &Act) -> Html {
    let tabs = Screen::ALL
        .into_iter()
        .filter(|&screen| screen.tab() == screen);
    let open = store.view.screen;
    let button = |screen: Screen| {
        let mark = (open.tab() == screen).then_some("page");
        choice(store, act, screen, "screen", (screen.title(), mark))
    };
    html! {
        <nav class="screens" aria-label="Screens">{ for tabs.map(button) }</nav>
    }
}

/// The buttons that choose the part of the open screen; empty if it has only one.
fn parts(store: &Shared, act: &Act) -> Html {
    let open = store.view.screen;
    if open.parts().count() < 2 {
        return html! {};
    }
    let button = |screen: Screen| {
        let mark = (open == screen).then_some("page");
        choice(store, act, screen, "part", (screen.part_title(), mark))
    };
    html! {
        <nav class="screens parts" aria-label={open.tab().title()}>{ for open.parts().map(button) }</nav>
    }
}

/// A button that opens a screen: its title, and its mark if it is open.
#[inline(never)]
fn choice(
    store: &Shared,
    act: &Act,
    screen: Screen,
    test: &str,
    (title, mark): (&'static str, Option<&'static str>),
) -> Html {
    let act = act.clone();
    let current = store.view.screen == screen;
    let choose = Callback::from(move |_: MouseEvent| {
        if !current {
            act.show(screen);
        }
    });
    // The module is on its way before the click.
    let prepare = Callback::from(move |_: PointerEvent| {
        if let Some(module) = screen.module() {
            bridge::load_screens(module, |_| ());
        }
    });
    html! {
        <button type="button" data-test={format!("{test}-{}", screen.name())} aria-current={mark}
            onclick={choose} onpointerenter={prepare}>{ title }</button>
    }
}

/// What the module is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Module {
    Loading,
    Loaded,
    Failed(String),
}

/// The open screen, or the part of the first one that follows a running Envoy.
#[component]
pub(super) fn LoadedScreen(props: &Everything) -> Html {
    let Everything { store, act } = props;
    let place = use_node_ref();
    let module = use_state(|| Module::Loading);
    let shown = use_mut_ref(|| None::<ShownScreen>);
    let screen = store.view.screen;
    // On the first screen, that module follows a running Envoy.
    let name = screen.module().unwrap_or("monitor");
    {
        let module = module.setter();
        use_effect_with((), move |()| {
            bridge::load_screens(name, move |result| {
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
            store.before().cloned(),
            store.view.clone(),
            store.disclosure,
            loaded,
        );
        use_effect_with(
            drawn,
            move |(scenario, before, view, disclosure, loaded)| {
                if !loaded {
                    return;
                }
                let mut shown = shown.borrow_mut();
                if shown.is_none() {
                    let on_action = move |action| match action {
                        ScreenAction::Input(input) => act.run(Action::SetInput(screen, input)),
                        ScreenAction::Cluster(cluster) => {
                            act.edit(ScenarioEdit::Show(cluster));
                            act.show(Screen::Build);
                        }
                        ScreenAction::Open(scenario) => {
                            act.run(Action::Open(Rc::new(*scenario), bridge::now()));
                            act.show(Screen::Build);
                        }
                        ScreenAction::Follow(scenario) => {
                            act.run(Action::Follow(Rc::new(*scenario)));
                        }
                    };
                    *shown = ShownScreen::new(name, &place, on_action);
                }
                // A link would drop settings such as subsets.
                let scenarios: Vec<_> =
                    [&**scenario].into_iter().chain(before.as_deref()).collect();
                let input = ScreenInput {
                    screen,
                    input: view.input(screen).into(),
                    command: CommandInput::of(scenario, *disclosure),
                    disclosure: *disclosure,
                };
                if let Some(Err(reason)) = shown
                    .as_ref()
                    .map(|shown| shown.update(&scenarios_to_bytes(&scenarios), input.into_texts()))
                {
                    module_setter.set(Module::Failed(reason));
                }
            },
        );
    }
    let message = match &*module {
        Module::Loaded => None,
        Module::Loading => Some(PageMessage::LoadingScreen.to_string()),
        Module::Failed(reason) => Some(PageMessage::ScreenFailed(reason).to_string()),
    };
    html! {
        <>
            { parts(store, act) }
            if let Some(message) = message.filter(|_| screen != Screen::Build) {
                <main><div role="status" data-test="screen-message">{ note(message) }</div></main>
            }
            <div ref={place} />
        </>
    }
}
