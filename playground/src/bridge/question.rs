//! The modules that answer questions about a text, which `www/reader.js` loads and runs in workers of their own.

use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::reader::report;

#[wasm_bindgen]
extern "C" {
    /// The answer of a module as bytes, or a word. The module is fetched once.
    #[wasm_bindgen(js_name = spillgateAsk, catch)]
    async fn ask(of: &str, text: &[u8], question: &[u8]) -> Result<JsValue, JsValue>;

    /// Stops what a module does.
    #[wasm_bindgen(js_name = spillgateCancel)]
    fn cancel(of: &str);
}

/// A module that answers questions about a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedModule {
    /// Routes a request by a configuration.
    Routes,
    /// Runs a scenario file.
    Simulation,
    /// Simulates an incident of a configuration.
    Incident,
    /// Compares a configuration with a new one, which is the question.
    Comparison,
}

impl AskedModule {
    /// Its name in `www/reader.js`.
    const fn name(self) -> &'static str {
        match self {
            Self::Routes => "routes",
            Self::Simulation => "simulation",
            Self::Incident => "incident",
            Self::Comparison => "comparison",
        }
    }

    /// Asks, and reports the bytes of the answer, or the reason of a failure. Nothing is reported if a later question
    /// replaces this one. An older one is stopped.
    pub fn ask(
        self,
        text: String,
        question: Vec<u8>,
        done: impl FnOnce(Result<Vec<u8>, String>) + 'static,
    ) {
        self.ask_boxed(text, question, Box::new(done));
    }

    /// The same with one type for all that wait, because a first visit loads this code.
    fn ask_boxed(
        self,
        text: String,
        question: Vec<u8>,
        done: Box<dyn FnOnce(Result<Vec<u8>, String>)>,
    ) {
        yew::platform::spawn_local(async move {
            report(ask(self.name(), text.as_bytes(), &question), done).await;
        });
    }

    /// Stops what it does.
    pub fn cancel(self) {
        cancel(self.name());
    }
}
