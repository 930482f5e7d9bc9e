//! Input of a user.

use anyhow::{Context as _, Result};
use fantoccini::key::Key;
use serde_json::json;

use super::Browser;

impl Browser {
    /// Chooses an option of a list, by its value.
    ///
    /// # Errors
    /// If there is no such list or option in time.
    pub fn choose(&self, css: &str, value: &str) -> Result<()> {
        let chosen = self.with_element(css, async |list| list.select_by_value(value).await);
        chosen.with_context(|| format!("{css} has no option {value}"))
    }

    /// Clicks an element.
    ///
    /// # Errors
    /// If there is no such element in time, or another one covers it.
    pub fn click(&self, css: &str) -> Result<()> {
        let clicked = self.with_element(css, async |element| element.click().await);
        clicked.with_context(|| format!("cannot click {css}"))
    }

    /// Presses keys on an element; special keys are `fantoccini::key::Key`s.
    ///
    /// # Errors
    /// If there is no such element in time, or it accepts no keys.
    pub fn press(&self, css: &str, keys: &str) -> Result<()> {
        let sent = self.with_element(css, async |element| element.send_keys(keys).await);
        sent.with_context(|| format!("{css} accepts no keys"))
    }

    /// Replaces the text of an input from the clipboard, with Ctrl+V.
    ///
    /// # Errors
    /// If there is no such input in time.
    pub fn paste(&self, css: &str, text: &str) -> Result<()> {
        self.find(css)?;
        let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
        self.devtools(
            "Browser.grantPermissions",
            json!({"permissions": permissions}),
        )?;
        let copy = "const input = document.querySelector(arguments[0]);
            input.focus();
            input.select();
            return navigator.clipboard.writeText(arguments[1]);";
        self.script(copy, vec![json!(css), json!(text)])?;
        self.press(css, &format!("{}v", char::from(Key::Control)))
    }
}
