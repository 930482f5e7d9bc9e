//! The link in the address bar, and the import that a reload keeps.

use std::rc::Rc;

use spillgate_scenario::{ImportOrigin, KeptImport};
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
}

impl Written {
    fn write(&mut self, store: &Shared, act: &Act) {
        let screen = store.view.screen;
        self.screen = screen;
        let (Some(kept), Some(origin)) = (store.state_to_keep(), &store.scenario().origin) else {
            bridge::replace_fragment(&store.fragment(store.disclosure), screen);
            if self.import.take().is_some() {
                bridge::forget_import();
            }
            return;
        };
        bridge::replace_fragment(&kept.shown, screen);
        let is_kept = matches!(&self.import, Some(kept) if Rc::ptr_eq(kept, origin));
        if !is_kept {
            self.import = Some(Rc::clone(origin));
            if !bridge::keep_import(&KeptImport::of(origin)) {
                act.run(Action::NotKept);
            }
        }
        bridge::keep_state(&kept);
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
            // The page exists as long as its window, so the timer needs no cancellation.
            bridge::after(EVERY_MS, write).forget();
        }
    });
}
