//! The page as a whole.

use std::rc::Rc;

use yew::prelude::*;

use super::{
    Act, Action, Shared,
    address::use_address,
    cluster_table::cluster_table,
    facts::{demo_hint, fact_strip},
    footer::footer,
    header::header,
    headline::answer,
    host_table::host_table,
    import::Import,
    level_table::level_table,
    notice::notice_bar,
    patterns::patterns,
    share::Share,
    spillway::spillway_figure,
    split_bar::split_bar,
    status::Status,
    topology::topology,
    why::WhyPanel,
};
use crate::{
    bridge::{self, Shortcut},
    state::Store,
};

/// The state, where Yew keeps it.
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
    let narrow = use_state(bridge::is_narrow);
    let importing = use_state(|| false);
    let sharing = use_state(|| false);

    use_effect_with((), |()| bridge::mark_interactive());
    {
        let (act, narrow) = (act.clone(), narrow.setter());
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
            let links = bridge::on_fragment_change(move |fragment| {
                act.run(Action::OpenLink(fragment, bridge::now()));
            });
            let width = bridge::on_narrow_change(move |is| narrow.set(is));
            move || drop((keys, links, width))
        });
    }
    use_address(&store);

    let open = |which: &UseStateHandle<bool>| {
        let which = which.setter();
        Callback::from(move |_: MouseEvent| which.set(true))
    };
    let close = |which: &UseStateHandle<bool>| {
        let which = which.setter();
        Callback::from(move |()| which.set(false))
    };
    html! {
        <>
            <a class="skip" href="#answer">{ "Skip to the answer" }</a>
            { patterns() }
            { header(&store, &act, &open(&importing), &open(&sharing)) }
            if *narrow {
                <div class="sticky" aria-hidden="true">{ split_bar(&store, &act, *narrow) }</div>
            }
            <main>
                <section class="result" id="answer" tabindex="-1" aria-label="Result">
                    { notice_bar(&store, &act) }
                    { answer(&store) }
                    { spillway_figure(&store, &act, *narrow) }
                    { split_bar(&store, &act, *narrow) }
                    { level_table(&store, &act) }
                    { cluster_table(&store, &act) }
                    { fact_strip(&store) }
                    { demo_hint(&store) }
                </section>
                { topology(&store, &act) }
                <WhyPanel store={store.clone()} act={act.clone()} />
                { host_table(&store, &act, *narrow) }
            </main>
            { footer() }
            <Status text={store.announcement.clone()} />
            if *importing {
                <Import act={act.clone()} on_close={close(&importing)} />
            }
            if *sharing {
                <Share store={store.clone()} act={act.clone()} on_close={close(&sharing)} />
            }
        </>
    }
}
