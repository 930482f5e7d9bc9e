//! The URL of a playground in arguments.

use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, node::quote};
use spillgate_core::visible::is_hidden;

/// The URL of the playground without its fragment, which the link replaces.
///
/// # Errors
/// Any other text.
pub(crate) fn page_of(text: &str) -> Result<&str, Faults> {
    let page = text.split('#').next().unwrap_or_default();
    let is_url = page.split_once("://").is_some_and(|(scheme, rest)| {
        let host = rest.split(['/', '?']).next().unwrap_or_default();
        match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => !host.is_empty() && !host.starts_with(':'),
            "file" => rest.len() > host.len(),
            _ => false,
        }
    });
    if is_url && !page.contains(|c: char| c.is_whitespace() || is_hidden(c)) {
        return Ok(page);
    }
    let fault = Diagnostic::error("link/page", "invalid URL")
        .found(quote(text))
        .expected("http://HOST/PATH, https://HOST/PATH or file:///PATH");
    Err(Faults::one("--page", &fault))
}
