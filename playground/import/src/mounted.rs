//! The dialog on the page.

use std::cell::RefCell;

use js_sys::Function;
use spillgate_playground::bridge::{MountedApp, action_callback};
use spillgate_scenario::ImportInput;
use web_sys::Element;

use crate::view::{Import, ImportProps};

thread_local! {
    static MOUNTED: RefCell<Option<MountedApp<Import>>> = const { RefCell::new(None) };
}

pub(super) fn show(element: Element, input: Vec<String>, on_action: Function) {
    let props = ImportProps {
        input: ImportInput::from_texts(input),
        on_action: action_callback(on_action),
    };
    MOUNTED.with_borrow_mut(|mounted| MountedApp::show(mounted, element, props));
}

pub(super) fn close(element: &Element) {
    MOUNTED.with_borrow_mut(|mounted| MountedApp::close(mounted, element));
}
