//! Two commands of chromedriver that WebDriver does not have.

use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;

use serde_json::{Value, json};
use url::{ParseError, Url};

/// A POST to a path below the session.
#[derive(Debug)]
pub(super) struct SessionCommand {
    path: &'static str,
    body: Value,
}

impl SessionCommand {
    /// The entries of a log since the last call.
    pub(super) fn log(kind: &str) -> Self {
        Self {
            path: "se/log",
            body: json!({"type": kind}),
        }
    }

    /// A command of the DevTools protocol.
    pub(super) fn devtools(command: &str, parameters: Value) -> Self {
        Self {
            path: "goog/cdp/execute",
            body: json!({"cmd": command, "params": parameters}),
        }
    }
}

impl WebDriverCompatibleCommand for SessionCommand {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!(
            "session/{}/{}",
            session.unwrap_or_default(),
            self.path
        ))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}
