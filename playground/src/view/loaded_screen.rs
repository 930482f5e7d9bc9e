//! The navigation between screens, and the screens whose code is loaded on first use.

use std::rc::Rc;

use spillgate_scenario::{ScenarioEdit, TextPosition};
use yew::prelude::*;

use super::{
    Act, Action, Shared,
    answer::limits,
    lazy_part::Lazy,
    screens::{ScreenPart, prepare},
};
use crate::{
    bridge,
    state::{CommandInput, Screen, ScreenAction, ScreenInput},
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
    // The code is on its way before the click.
    let prepare = Callback::from(move |_: PointerEvent| prepare(screen));
    html! {
        <button type="button" data-test={format!("{test}-{}", screen.name())} aria-current={mark}
            onclick={choose} onpointerenter={prepare}>{ title }</button>
    }
}

#[derive(PartialEq, Properties)]
pub(super) struct LoadedScreenProps {
    pub(super) store: Shared,
    pub(super) act: Act,
    /// Called with the position of a line of the imported configuration.
    pub(super) on_source: Callback<TextPosition>,
    /// Called to open the import dialog.
    pub(super) on_import: Callback<()>,
}

/// The open screen, or the part of the first one that follows a running Envoy.
#[component]
pub(super) fn LoadedScreen(props: &LoadedScreenProps) -> Html {
    let LoadedScreenProps {
        store,
        act,
        on_source,
        on_import,
    } = props;
    let screen = store.view.screen;
    let on_action = {
        let (act, on_source) = (act.clone(), on_source.clone());
        let on_import = on_import.clone();
        Callback::from(move |action| match action {
            ScreenAction::Source(position) => on_source.emit(position),
            ScreenAction::Input(input) => act.run(Action::SetInput(screen, input, bridge::now())),
            ScreenAction::Cluster(cluster) => act.edit(ScenarioEdit::Show(cluster)),
            ScreenAction::Open(scenario) => {
                act.run(Action::Open(Rc::new(*scenario), bridge::now()));
                act.show(Screen::Build);
            }
            ScreenAction::Follow(scenario) => act.run(Action::Follow(Rc::new(*scenario))),
            ScreenAction::Compare(change) => act.run(Action::Compare(change, bridge::now())),
            ScreenAction::Import => on_import.emit(()),
        })
    };
    let input = ScreenInput {
        screen,
        input: store.view.input(screen).into(),
        command: CommandInput::of(store.scenario(), store.disclosure),
        disclosure: store.disclosure,
    };
    let part = ScreenPart {
        scenario: store.scenario().clone(),
        before: store.before().cloned(),
        compared: store.compared(),
        input,
        on_action,
    };
    html! {
        <>
            { parts(store, act) }
            if screen.has_figures_of_import() {
                { limits(store.scenario()) }
            }
            <Lazy<ScreenPart> {part} />
        </>
    }
}
