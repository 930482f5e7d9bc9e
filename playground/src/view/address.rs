//! The link in the address bar.

use std::rc::Rc;

use yew::prelude::*;

use super::Shared;
use crate::bridge;

/// Browsers limit the changes of the address per second.
const EVERY_MS: u32 = 250;

/// Writes the fragment after a change, at most four times a second.
#[hook]
pub(super) fn use_address(store: &Shared) {
    let latest = use_mut_ref(|| None::<Shared>);
    use_effect_with(store.clone(), move |store| {
        if !store.link_is_live {
            // A bad link stays in the address bar; cancel the pending write.
            latest.borrow_mut().take();
            return;
        }
        let waiting = latest.borrow_mut().replace(store.clone());
        if waiting.is_none() {
            let latest = Rc::clone(&latest);
            let write = move || {
                if let Some(store) = latest.borrow_mut().take() {
                    let fragment = store.fragment(store.addresses);
                    bridge::replace_fragment(&fragment, store.view.screen);
                }
            };
            // The page exists as long as its window, so the timer needs no cancellation.
            bridge::after(EVERY_MS, write).forget();
        }
    });
}
