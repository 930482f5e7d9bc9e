//! The link in the address bar, and the import that a reload keeps.

use std::rc::Rc;

use spillgate_scenario::{ImportOrigin, KeptImport, ReloadLoss};
use yew::prelude::*;

use super::{Act, Action, Shared};
use crate::{bridge, state::Screen};

/// Browsers limit the changes of the address per second.
const EVERY_MS: u32 = 250;

struct Written {
    /// The screen of the address.
    screen: Screen,
    /// The state to write.
    waiting: Option<Shared>,
    /// The import that the browser keeps.
    import: Option<Rc<ImportOrigin>>,
    /// Whether the browser keeps the state.
    keeps_state: bool,
}

impl Written {
    fn write(&mut self, store: &Shared, act: &Act) {
        let screen = store.view.screen;
        self.screen = screen;
        let origin = &store.scenario().origin;
        if self.import.as_ref().map(Rc::as_ptr) != origin.as_ref().map(Rc::as_ptr) {
            self.import.clone_from(origin);
            self.keeps_state = true;
            match origin {
                None => bridge::forget_import(),
                Some(origin) if bridge::keep_import(&KeptImport::of(origin)) => {}
                Some(_) => act.run(Action::NotKept(ReloadLoss::Text)),
            }
        }
        let Some(kept) = store.state_to_keep() else {
            bridge::replace_fragment(&store.fragment(store.disclosure), screen);
            return;
        };
        bridge::replace_fragment(&kept.shown, screen);
        let keeps_state = bridge::keep_state(&kept);
        if self.keeps_state && !keeps_state {
            act.run(Action::NotKept(ReloadLoss::Names));
        }
        self.keeps_state = keeps_state;
    }
}

/// Writes the fragment after a change, at most four times a second, and at once after a change of the
/// screen: a browser that is on its way to another history entry forgets it when a page writes its
/// address, so a write that waits would lose the user's next Back.
#[hook]
pub(super) fn use_address(store: &Shared, act: &Act) {
    let written = use_mut_ref(|| Written {
        screen: store.view.screen,
        waiting: None,
        import: store.scenario().origin.clone(),
        keeps_state: true,
    });
    let act = act.clone();
    use_effect_with(store.clone(), move |store| {
        if !store.link_is_live {
            // A bad link stays in the address bar; cancel the pending write.
            written.borrow_mut().waiting.take();
            return;
        }
        let is_other_screen = written.borrow().screen != store.view.screen;
        if is_other_screen {
            // The timer of an earlier change finds nothing to write.
            let mut written = written.borrow_mut();
            written.waiting.take();
            written.write(store, &act);
            return;
        }
        let waiting = written.borrow_mut().waiting.replace(store.clone());
        if waiting.is_none() {
            let written = Rc::clone(&written);
            let write = move || {
                let mut written = written.borrow_mut();
                if let Some(store) = written.waiting.take() {
                    written.write(&store, &act);
                }
            };
            // The playground exists as long as its window, so the timer needs no cancellation.
            bridge::after(EVERY_MS, write).forget();
        }
    });
}
