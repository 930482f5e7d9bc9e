//! The whole page.

use std::rc::Rc;

use yew::prelude::*;

use super::{
    Act, Action, Shared,
    address::use_address,
    answer::{
        WhyPanel, answer, cluster_table, demo_hint, fact_strip, host_table, priority_table,
        spillway_figure, split_bar,
    },
    frame::{Share, footer, header, notice_bar},
    import::{Import, Opening, findings},
    parts::{Status, patterns},
    screens::{LoadedScreen, navigation},
    topology::topology,
};
use crate::{
    bridge::{self, Opened, Shortcut},
    state::{Screen, Size, Store},
};

/// The state in Yew.
struct Page(Shared);

impl Reducible for Page {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(Self(Shared::new(self.0.after(action))))
    }
}

/// The page.
#[component]
pub fn App() -> Html {
    let page = use_reducer(|| Page(Shared::new(Store::open(&bridge::fragment()))));
    let store = page.0.clone();
    let act = {
        let dispatcher = page.dispatcher();
        let run = use_callback((), move |action, ()| dispatcher.dispatch(action));
        Act(run)
    };
    let size = use_state(bridge::layout);
    let importing = use_state(|| None::<Opening>);
    let sharing = use_state(|| false);
    let screen = store.view.screen;

    use_effect_with((), move |()| {
        bridge::name_screen(screen);
        bridge::mark_interactive();
    });
    {
        let (act, size) = (act.clone(), size.setter());
        use_effect_with((), move |()| {
            let keys = {
                let act = act.clone();
                bridge::on_shortcut(move |shortcut| {
                    act.run(match shortcut {
                        Shortcut::Undo => Action::Undo,
                        Shortcut::Redo => Action::Redo,
                    });
                })
            };
            let links = bridge::on_open(move |opened| {
                act.run(match opened {
                    Opened::Screen(screen) => Action::Show(screen),
                    Opened::Fragment(fragment) => Action::OpenLink(fragment, bridge::now()),
                });
            });
            let layout = bridge::on_layout_change(move |layout| size.set(layout));
            move || drop((keys, links, layout))
        });
    }
    use_address(&store);

    let on_import = {
        let importing = importing.setter();
        Callback::from(move |_: MouseEvent| importing.set(Some(Opening::Start)))
    };
    let on_imported = {
        let importing = importing.setter();
        Callback::from(move |()| importing.set(None))
    };
    let on_finding = {
        let (importing, store) = (importing.setter(), store.clone());
        Callback::from(move |number: usize| importing.set(Opening::at_fault(&store, number)))
    };
    let on_share = {
        let sharing = sharing.setter();
        Callback::from(move |_: MouseEvent| sharing.set(true))
    };
    let on_shared = {
        let sharing = sharing.setter();
        Callback::from(move |()| sharing.set(false))
    };
    // The fragment belongs to the link, so the focus moves without it.
    let skip = Callback::from(|event: MouseEvent| {
        event.prevent_default();
        bridge::focus_id("answer");
    });
    html! {
        <>
            <a class="skip" href="#answer" onclick={skip}>{ "Skip to the result" }</a>
            { patterns() }
            { header(&store, &act, &on_import, &on_share) }
            if *size == Size::Narrow && screen == Screen::Build {
                <div class="sticky" aria-hidden="true">{ split_bar(&store, &act, *size) }</div>
            }
            { navigation(&store, &act) }
            if screen != Screen::Build {
                { notice_bar(&store, &act) }
                <LoadedScreen key={screen.name()} store={store.clone()} act={act.clone()} />
            } else {
                <main>
                    <section class="result" id="answer" tabindex="-1" aria-label="Result">
                        { notice_bar(&store, &act) }
                        { answer(&store) }
                        { spillway_figure(&store, &act, *size) }
                        { split_bar(&store, &act, *size) }
                        { priority_table(&store, &act) }
                        { cluster_table(&store, &act) }
                        { fact_strip(&store) }
                        { demo_hint(&store) }
                    </section>
                    { topology(&store, &act) }
                    <div class="side">
                        { findings(&store, &on_finding) }
                        <WhyPanel store={store.clone()} act={act.clone()} />
                    </div>
                    { host_table(&store, &act, *size) }
                </main>
            }
            { footer() }
            <Status test="status" text={store.announcement.clone()} />
            if let Some(opening) = *importing {
                <Import store={store.clone()} act={act.clone()} {opening} on_close={on_imported} />
            }
            if *sharing {
                <Share store={store.clone()} act={act.clone()} on_close={on_shared} />
            }
        </>
    }
}
