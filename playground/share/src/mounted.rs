//! The parts on the page.

use std::cell::RefCell;

use spillgate_playground::{bridge::MountedApp, state::ShareInput};
use web_sys::Element;

use crate::view::{ShareApp, ShareAppProps};

thread_local! {
    static MOUNTED: RefCell<Option<MountedApp<ShareApp>>> = const { RefCell::new(None) };
}

pub(super) fn show(element: Element, scenarios: &[u8], input: Vec<String>) {
    let props = ShareAppProps {
        scenarios: scenarios.into(),
        input: ShareInput::from_texts(input),
    };
    MOUNTED.with_borrow_mut(|mounted| MountedApp::show(mounted, element, props));
}

pub(super) fn close(element: &Element) {
    MOUNTED.with_borrow_mut(|mounted| MountedApp::close(mounted, element));
}
