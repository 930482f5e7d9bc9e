//! The part of Envoy's admin interface that the server of the playground may offer below `/live/`.

use js_sys::Array;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};
use web_sys::window;

use super::{EventListener, reason};

#[wasm_bindgen]
extern "C" {
    /// Whether the server of the playground announces `/live/`.
    #[wasm_bindgen(js_namespace = spillgateServer, js_name = isLive)]
    pub fn is_live() -> bool;

    /// The address of the service that the same server announces; empty without one.
    #[wasm_bindgen(js_namespace = spillgateServer, js_name = liveService)]
    pub fn live_service() -> String;

    /// The status and the text of a response of the same server.
    #[wasm_bindgen(js_namespace = spillgateServer, js_name = read, catch)]
    async fn read(path: &str) -> Result<JsValue, JsValue>;
}

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveReply {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub text: String,
}

/// Requests a path of the server of the playground, and reports the response or the reason of a failure.
pub fn read_live(path: &'static str, done: impl FnOnce(Result<LiveReply, String>) + 'static) {
    yew::platform::spawn_local(async move {
        done(match read(path).await {
            Ok(reply) => {
                let reply = Array::from(&reply);
                Ok(LiveReply {
                    status: reply.get(0).as_f64().unwrap_or_default() as u16,
                    text: reply.get(1).as_string().unwrap_or_default(),
                })
            }
            Err(error) => Err(reason(&error)),
        });
    });
}

/// Whether the playground is from a server, not from a file.
#[must_use]
pub fn is_on_server() -> bool {
    let protocol = window().and_then(|window| window.location().protocol().ok());
    protocol.is_some_and(|protocol| protocol.starts_with("http"))
}

/// Whether the playground is in a hidden tab or window.
#[must_use]
pub fn is_hidden() -> bool {
    let document = window().and_then(|window| window.document());
    document.is_some_and(|document| document.hidden())
}

/// Calls `react` when the tab is hidden or shown.
#[must_use]
pub fn on_visibility_change(react: impl Fn() + 'static) -> Option<EventListener> {
    let document = window()?.document()?;
    Some(EventListener::new(
        &document,
        "visibilitychange",
        move |_| {
            react();
        },
    ))
}
