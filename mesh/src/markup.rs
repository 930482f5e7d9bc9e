//! Text inside of HTML and XML.

use alloc::string::String;

use spillgate_core::visible::visible;

/// The text with the characters escaped that would end an element, an attribute in double quotes, or
/// start an entity. XML permits no control characters: they are [visible](visible).
///
/// # Examples
/// ```
/// use spillgate_mesh::markup::escaped;
///
/// assert_eq!(escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let text = visible(text).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
