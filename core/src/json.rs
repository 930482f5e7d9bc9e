//! A compact JSON writer: keys in the order given, whole numbers only, pure ASCII so that the
//! text may travel in a header.
//!
//! It has no floats on purpose. What it writes is compared byte by byte between native code, wasm
//! and browser, and float formatting is large in a filter.

use alloc::string::String;
use core::fmt::Write as _;

/// Builds one JSON text.
///
/// The caller keeps the order of calls legal (a key before each value of an object, every begin
/// with its end); the writer sets commas, quotes and escapes.
///
/// # Examples
/// ```
/// use spillgate_core::json::Writer;
///
/// let mut json = Writer::new();
/// json.begin_object();
/// json.key("hosts");
/// json.begin_list();
/// json.string("10.0.0.1:80");
/// json.int(3);
/// json.end_list();
/// json.end_object();
/// assert_eq!(json.finish(), r#"{"hosts":["10.0.0.1:80",3]}"#);
/// ```
#[derive(Debug, Default)]
pub struct Writer {
    text: String,
    /// Whether the next element needs a comma before it.
    comma: bool,
}

impl Writer {
    /// An empty text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The text so far.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }

    /// `{`
    pub fn begin_object(&mut self) {
        self.open('{');
    }

    /// `}`
    pub fn end_object(&mut self) {
        self.close('}');
    }

    /// `[`
    pub fn begin_list(&mut self) {
        self.open('[');
    }

    /// `]`
    pub fn end_list(&mut self) {
        self.close(']');
    }

    /// A key; its value comes next.
    pub fn key(&mut self, name: &str) {
        self.separate();
        self.quoted(name);
        self.text.push(':');
        self.comma = false;
    }

    /// A text.
    pub fn string(&mut self, text: &str) {
        self.separate();
        self.quoted(text);
    }

    /// A whole number.
    pub fn int(&mut self, value: i64) {
        self.separate();
        // Writing to a String cannot fail.
        let _ = write!(self.text, "{value}");
    }

    /// A whole number that is not negative.
    pub fn uint(&mut self, value: u64) {
        self.separate();
        let _ = write!(self.text, "{value}");
    }

    /// A number that is text already, such as `1.5`.
    pub fn decimal(&mut self, text: &str) {
        self.separate();
        self.text.push_str(text);
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) {
        self.separate();
        self.text.push_str(if value { "true" } else { "false" });
    }

    /// `null`
    pub fn null(&mut self) {
        self.separate();
        self.text.push_str("null");
    }

    fn separate(&mut self) {
        if self.comma {
            self.text.push(',');
        }
        self.comma = true;
    }

    fn open(&mut self, bracket: char) {
        self.separate();
        self.text.push(bracket);
        self.comma = false;
    }

    fn close(&mut self, bracket: char) {
        self.text.push(bracket);
        self.comma = true;
    }

    fn quoted(&mut self, text: &str) {
        self.text.push('"');
        let mut rest = text;
        loop {
            // Most texts need no escape at all: what needs none is copied at once.
            let plain = rest.bytes().take_while(|&byte| is_plain(byte)).count();
            let Some((copied, other)) = rest.split_at_checked(plain) else {
                break;
            };
            self.text.push_str(copied);
            let mut chars = other.chars();
            let Some(c) = chars.next() else { break };
            self.escaped(c);
            rest = chars.as_str();
        }
        self.text.push('"');
    }

    fn escaped(&mut self, c: char) {
        let short = match c {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(self.text, "\\u{unit:04x}");
                }
                return;
            }
        };
        self.text.push_str(short);
    }
}

/// Whether the byte is a character of its own that goes into a string as it is.
const fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'
}
