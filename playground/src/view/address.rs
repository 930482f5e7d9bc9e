//! The link in the address bar.

use std::rc::Rc;

use yew::prelude::*;

use super::Shared;
use crate::{
    bridge,
    state::{PageScenario, link},
};

/// Browsers limit the changes of the address per second.
const EVERY_MS: u32 = 250;

/// Writes the fragment after a change, at most four times a second.
#[hook]
pub(super) fn use_address(store: &Shared) {
    let latest = use_mut_ref(|| None::<(Rc<PageScenario>, link::Addresses)>);
    use_effect_with(store.clone(), move |store| {
        if !store.link_is_live {
            // A bad link stays in the address bar; cancel the pending write.
            latest.borrow_mut().take();
            return;
        }
        let scenario = Rc::clone(store.scenario());
        let waiting = latest.borrow_mut().replace((scenario, store.addresses));
        if waiting.is_none() {
            let latest = Rc::clone(&latest);
            let write = move || {
                if let Some((scenario, addresses)) = latest.borrow_mut().take() {
                    bridge::replace_fragment(&link::write(&scenario, addresses));
                }
            };
            // The page exists as long as its window, so the timer needs no cancellation.
            bridge::after(EVERY_MS, write).forget();
        }
    });
}
