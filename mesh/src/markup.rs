//! Text inside of HTML and XML.

use alloc::string::String;

/// The text with the characters escaped that would end an element, an attribute in double quotes, or
/// start an entity.
///
/// # Examples
/// ```
/// use spillgate_mesh::markup::escaped;
///
/// assert_eq!(escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
