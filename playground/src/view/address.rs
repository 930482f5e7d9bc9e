//! Keeps the link in the address bar up to date.

use std::rc::Rc;

use yew::prelude::*;

use super::Shared;
use crate::{
    bridge,
    state::{PageScenario, link},
};

/// Browsers refuse more than a few changes of the address a second.
const EVERY_MS: u32 = 250;

/// Writes the fragment some time after a change; while a slider is dragged, four times a second.
#[hook]
pub(super) fn use_address(store: &Shared) {
    let latest = use_mut_ref(|| None::<(Rc<PageScenario>, link::Addresses)>);
    use_effect_with(store.clone(), move |store| {
        if !store.link_is_live {
            // A bad link stays in the bar: what was about to be written must not replace it.
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
            // The page lives as long as its window, so nobody has to call this off.
            bridge::after(EVERY_MS, write).forget();
        }
    });
}
