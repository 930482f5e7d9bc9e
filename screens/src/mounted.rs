//! The screen on the page.

use std::cell::RefCell;

use js_sys::Function;
use spillgate_playground::state::{CommandInput, Screen, ScreenAction};
use wasm_bindgen::JsValue;
use web_sys::Element;
use yew::{AppHandle, Callback, Renderer};

use crate::app::{ScreenApp, ScreenProps};

/// A screen, and the element in which it is.
struct Mounted {
    element: Element,
    app: AppHandle<ScreenApp>,
}

thread_local! {
    static MOUNTED: RefCell<Option<Mounted>> = const { RefCell::new(None) };
}

pub(super) fn show(
    element: Element,
    screen: &str,
    scenario: &[u8],
    input: String,
    command: Vec<String>,
    on_action: Function,
) {
    let mut fields = command.into_iter();
    let mut field = || fields.next().unwrap_or_default();
    let props = ScreenProps {
        screen: Screen::named(screen).unwrap_or_default(),
        scenario: scenario.into(),
        input,
        command: CommandInput {
            before: field(),
            arguments: field(),
            about: field(),
        },
        on_action: Callback::from(move |action: ScreenAction| {
            let (name, value) = action.to_text();
            // The page's own callback does not throw.
            let _ = on_action.call2(&JsValue::NULL, &name.into(), &value.into());
        }),
    };
    MOUNTED.with_borrow_mut(|mounted| {
        match mounted
            .as_mut()
            .filter(|mounted| mounted.element == element)
        {
            Some(mounted) => mounted.app.update(props),
            None => {
                let root = element.clone();
                let app = Renderer::<ScreenApp>::with_root_and_props(root, props).render();
                *mounted = Some(Mounted { element, app });
            }
        }
    });
}

pub(super) fn close(element: &Element) {
    let mounted =
        MOUNTED.with_borrow_mut(|mounted| mounted.take_if(|here| here.element == *element));
    if let Some(mounted) = mounted {
        mounted.app.destroy();
    }
}
