//! The screen on the page.

use std::cell::RefCell;

use js_sys::Function;
use spillgate_playground::{
    bridge::{MountedApp, action_callback},
    state::ScreenInput,
};
use web_sys::Element;

use crate::app::{ScreenApp, ScreenProps};

thread_local! {
    static MOUNTED: RefCell<Option<MountedApp<ScreenApp>>> = const { RefCell::new(None) };
}

pub(super) fn show(element: Element, scenarios: &[u8], input: Vec<String>, on_action: Function) {
    let props = ScreenProps {
        scenarios: scenarios.into(),
        input: ScreenInput::from_texts(input),
        on_action: action_callback(on_action),
    };
    MOUNTED.with_borrow_mut(|mounted| MountedApp::show(mounted, element, props));
}

pub(super) fn close(element: &Element) {
    MOUNTED.with_borrow_mut(|mounted| MountedApp::close(mounted, element));
}
