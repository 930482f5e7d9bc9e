//! The whole page.

use std::rc::Rc;

use spillgate_scenario::{ImportField, PageLayout};
use yew::prelude::*;

use super::{
    Act, Action, Shared,
    address::use_address,
    answer::{
        DemoCommands, HostTable, WhyPanel, answer, cluster_table, fact_strip, priority_table,
    },
    dialogs::{OpenDialog, prepare_dialogs},
    findings::Findings,
    frame::{PaletteProps, ShareProps, footer, header, notice_bar},
    import::{ImportProps, Opening},
    lazy_part::Lazy,
    loaded_screen::{LoadedScreen, navigation},
    parts::{Button, DrawnOutcome, Status, patterns, spillway_figure, split_bar},
    stages::{Stage, use_stage},
    text_panel::TextPanelProps,
    topology::topology,
};
use crate::{
    bridge::{self, AddressChange},
    state::{PageCommand, Screen, Store},
};

/// The state in Yew.
struct Page(Shared);

impl Reducible for Page {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(Self(Shared::new(self.0.after(action))))
    }
}

/// The initial state, with the import that a reload keeps.
fn opened() -> Store {
    let fragment = bridge::fragment();
    let kept = Store::reopen(&fragment, &bridge::kept_state(), bridge::kept_import);
    kept.unwrap_or_else(|| Store::open(&fragment))
}

/// Opens the playground in the element with the id `app`. The module starts, its state is computed and the
/// elements are made in tasks of their own, so that the browser can answer between them.
pub fn open() {
    let store = Shared::new(opened());
    bridge::after(0, || bridge::mount::<App>("app", AppProps { store })).forget();
}

/// The initial state.
#[derive(Properties, PartialEq)]
struct AppProps {
    store: Shared,
}

/// The playground.
#[component]
fn App(props: &AppProps) -> Html {
    let page = use_reducer(|| Page(props.store.clone()));
    let store = page.0.clone();
    let act = {
        let dispatcher = page.dispatcher();
        let run = use_callback((), move |action, ()| dispatcher.dispatch(action));
        Act(run)
    };
    let size = use_state(bridge::layout);
    let importing = use_state(|| None::<Opening>);
    let sharing = use_state(|| false);
    let finding = use_state(|| false);
    let editing = use_state(|| false);
    let is_live = use_state(bridge::is_live);
    let screen = store.view.screen;

    use_effect_with((), move |()| bridge::name_screen(screen));
    let stage = use_stage();
    let on_command = {
        let act = act.clone();
        let (importing, sharing) = (importing.setter(), sharing.setter());
        let finding = finding.setter();
        use_callback((), move |command: PageCommand, ()| match command {
            PageCommand::Show(screen) => act.show(screen),
            PageCommand::Import => importing.set(Some(Opening::Start)),
            PageCommand::Share => sharing.set(true),
            PageCommand::Palette => finding.set(true),
            PageCommand::Explanation => bridge::focus_id("why"),
            PageCommand::Undo => act.run(Action::Undo),
            PageCommand::Redo => act.run(Action::Redo),
            PageCommand::Preset(id) => act.run(Action::Preset(id.into(), bridge::now())),
            PageCommand::Explain(figure) => {
                act.show(Screen::Build);
                act.run(Action::Select(figure));
                bridge::after(0, || bridge::focus_id("why")).forget();
            }
            PageCommand::Edit(edit) => act.edit(edit),
        })
    };
    {
        let (act, size, on_command) = (act.clone(), size.setter(), on_command.clone());
        let opening = importing.setter();
        use_effect_with((), move |()| {
            let keys = {
                let on_command = on_command.clone();
                bridge::on_shortcut(move |command| on_command.emit(command))
            };
            let links = bridge::on_open(move |opened| {
                act.run(match opened {
                    AddressChange::Screen(screen) => Action::Show(screen),
                    AddressChange::Fragment(fragment) => Action::OpenLink(fragment, bridge::now()),
                });
            });
            let layout = bridge::on_layout_change(move |layout| size.set(layout));
            let pasted = {
                let opening = opening.clone();
                bridge::on_paste(move |text| opening.set(Some(Opening::Text(text.into()))))
            };
            let dropped =
                bridge::on_files_dropped(move |files| opening.set(Some(Opening::Files(files))));
            move || drop((keys, links, layout, pasted, dropped))
        });
    }
    use_address(&store, &act);

    let on_import = {
        let importing = importing.setter();
        Callback::from(move |_: MouseEvent| importing.set(Some(Opening::Start)))
    };
    let on_import_side = {
        let importing = importing.setter();
        Callback::from(move |()| importing.set(Some(Opening::Start)))
    };
    let on_imported = {
        let importing = importing.setter();
        Callback::from(move |()| importing.set(None))
    };
    let on_finding = {
        let (importing, store) = (importing.setter(), store.clone());
        Callback::from(move |number: usize| importing.set(Opening::at_fault(&store, number)))
    };
    let on_source = {
        let importing = importing.setter();
        Callback::from(move |position| {
            importing.set(Some(Opening::At(ImportField::Config, position)));
        })
    };
    let on_text = {
        let importing = importing.setter();
        Callback::from(move |text: String| importing.set(Some(Opening::Text(text.into()))))
    };
    let on_share = {
        let sharing = sharing.setter();
        Callback::from(move |_: MouseEvent| sharing.set(true))
    };
    let on_shared = {
        let sharing = sharing.setter();
        Callback::from(move |()| sharing.set(false))
    };
    let on_keys = {
        let finding = finding.setter();
        Callback::from(move |_: MouseEvent| finding.set(true))
    };
    let on_found = {
        let finding = finding.setter();
        Callback::from(move |()| finding.set(false))
    };
    let on_edited = {
        let editing = editing.setter();
        Callback::from(move |()| editing.set(false))
    };
    let toggle = Button {
        class: "quiet text-toggle",
        test: Some("text-toggle".into()),
        name: None,
        text: if *editing {
            "Hide YAML"
        } else {
            "Edit as YAML"
        }
        .into(),
        disabled: false,
        onclick: {
            let (open, editing) = (*editing, editing.setter());
            Callback::from(move |_: MouseEvent| editing.set(!open))
        },
    };
    let on_near = use_callback((), |_: PointerEvent, ()| prepare_dialogs());
    // The fragment belongs to the link, so the focus moves without it.
    let skip = Callback::from(|event: MouseEvent| {
        event.prevent_default();
        bridge::focus_id("answer");
    });
    let choose = act.choose();
    let drawn = DrawnOutcome {
        scenario: store.scenario(),
        outcome: &store.outcome,
        names: &store.names,
        selected: store.selected,
        choose: &choose,
    };
    let findings = html! {
        <Findings store={store.clone()} on_go={on_finding} on_text={on_text.clone()} />
    };
    let edited = editing.then(|| {
        OpenDialog::Text(TextPanelProps {
            store: store.clone(),
            act: act.clone(),
            on_text,
            on_close: on_edited,
        })
    });
    let imported = (*importing).clone().map(|opening| {
        OpenDialog::Import(ImportProps {
            store: store.clone(),
            act: act.clone(),
            opening,
            on_close: on_imported,
        })
    });
    let shared = sharing.then(|| {
        OpenDialog::Share(ShareProps {
            store: store.clone(),
            act: act.clone(),
            on_close: on_shared,
        })
    });
    let found = finding.then(|| {
        OpenDialog::Palette(PaletteProps {
            store: store.clone(),
            on_command,
            on_close: on_found,
        })
    });
    html! {
        <>
            <a class="skip" href="#answer" onclick={skip}>{ "Skip to the result" }</a>
            { patterns() }
            { header(&store, &act, navigation(&store, &act), &on_import, &on_share, &on_keys, &on_near) }
            if let Some(part) = imported {
                <Lazy<OpenDialog> {part} />
            }
            if let Some(part) = shared {
                <Lazy<OpenDialog> {part} />
            }
            if let Some(part) = found {
                <Lazy<OpenDialog> {part} />
            }
            if *size == PageLayout::Narrow && screen == Screen::Build {
                <div class="sticky" aria-hidden="true">{ split_bar(&drawn) }</div>
            }
            if screen != Screen::Build {
                { notice_bar(&store, &act) }
                <LoadedScreen key={screen.name()} store={store.clone()} act={act.clone()} {on_source} on_import={on_import_side} />
            } else {
                <main>
                    <section class="result" id="answer" tabindex="-1" aria-label="Result">
                        { notice_bar(&store, &act) }
                        if *is_live {
                            <LoadedScreen store={store.clone()} act={act.clone()} {on_source} on_import={on_import_side} />
                        }
                        { toggle.view() }
                        { answer(&store) }
                        { spillway_figure(&drawn, *size) }
                        { split_bar(&drawn) }
                        { priority_table(&store, &act) }
                        { cluster_table(&store, &act) }
                        { fact_strip(&store) }
                        <DemoCommands store={store.clone()} />
                    </section>
                    if let Some(part) = edited {
                        <Lazy<OpenDialog> {part} />
                    }
                    if stage >= Stage::Topology {
                        { topology(&store, &act) }
                    }
                    if stage == Stage::Whole {
                        <div class="side">
                            if store.scenario().origin.is_some() {
                                { findings.clone() }
                            }
                            <WhyPanel store={store.clone()} size={*size} />
                            if store.scenario().origin.is_none() {
                                { findings }
                            }
                        </div>
                        <HostTable store={store.clone()} act={act.clone()} size={*size} />
                    }
                </main>
            }
            if stage == Stage::Whole {
                { footer() }
            }
            <Status test="status" text={store.announcement.clone()} />
        </>
    }
}
