//! The reader modules, which `www/reader.js` loads and runs in a worker.

use js_sys::Uint8Array;
use spillgate_scenario::ImportTexts;
use wasm_bindgen::{JsCast as _, JsValue, prelude::wasm_bindgen};

use super::reason;

#[wasm_bindgen]
extern "C" {
    /// Fetches the modules that the last texts require, each once.
    #[wasm_bindgen(js_namespace = spillgateReader, js_name = load, catch)]
    async fn load() -> Result<JsValue, JsValue>;

    /// The answer to both texts as bytes, or a word.
    #[wasm_bindgen(js_namespace = spillgateReader, js_name = read, catch)]
    async fn read(config: &[u8], clusters: &[u8]) -> Result<JsValue, JsValue>;

    /// Stops the reading.
    #[wasm_bindgen(js_namespace = spillgateReader, js_name = cancel)]
    pub fn cancel_reading();
}

/// The reply of the readers to texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReaderReply {
    /// The bytes of an answer.
    Answer(Vec<u8>),
    /// The texts require a module that is not loaded.
    Missing,
    /// Later texts replaced these, or the reading was canceled.
    Replaced,
}

/// Fetches the reader modules that the last texts require, and reports the result or the reason of
/// the failure.
pub fn load_reader(done: impl FnOnce(Result<(), String>) + 'static) {
    yew::platform::spawn_local(async move {
        done(load().await.map(drop).map_err(|error| reason(&error)));
    });
}

/// Reads both texts with the loaded modules, and reports their reply or the reason why a module
/// stopped.
pub fn read_texts(texts: ImportTexts, done: impl FnOnce(Result<ReaderReply, String>) + 'static) {
    yew::platform::spawn_local(async move {
        let reply = read(texts.config.as_bytes(), texts.clusters.as_bytes()).await;
        drop(texts);
        done(reply.map_err(|error| reason(&error)).map(reply_of));
    });
}

/// Reports the bytes of an answer, or the reason of a failure; nothing if a later question replaces this one.
pub(super) async fn report(
    asked: impl Future<Output = Result<JsValue, JsValue>>,
    done: impl FnOnce(Result<Vec<u8>, String>),
) {
    match asked.await.map(reply_of) {
        Ok(ReaderReply::Answer(answer)) => done(Ok(answer)),
        Ok(ReaderReply::Missing | ReaderReply::Replaced) => {}
        Err(error) => done(Err(reason(&error))),
    }
}

fn reply_of(reply: JsValue) -> ReaderReply {
    match reply.dyn_into::<Uint8Array>() {
        Ok(answer) => ReaderReply::Answer(answer.to_vec()),
        Err(word) if word == "missing" => ReaderReply::Missing,
        Err(_) => ReaderReply::Replaced,
    }
}
