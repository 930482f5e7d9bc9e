//! A compact JSON writer: keys in call order, integers only, ASCII output for use in a header.
//!
//! The writer has no floats: its output is compared byte by byte between native code, Wasm and the
//! browser, and float formatting would add much code to the filter.

use alloc::string::String;
use core::fmt::Write as _;

/// Builds one JSON text.
///
/// The caller is responsible for a valid order of calls: a key before each value of an object, an
/// end for each begin. The writer adds commas, quotes and escapes.
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
    /// A writer without text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the text.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }

    /// Writes `{`.
    pub fn begin_object(&mut self) {
        self.open('{');
    }

    /// Writes `}`.
    pub fn end_object(&mut self) {
        self.close('}');
    }

    /// Writes `[`.
    pub fn begin_list(&mut self) {
        self.open('[');
    }

    /// Writes `]`.
    pub fn end_list(&mut self) {
        self.close(']');
    }

    /// Writes a key. Its value must follow.
    pub fn key(&mut self, name: &str) {
        self.separate();
        self.quoted(name);
        self.text.push(':');
        self.comma = false;
    }

    /// Writes a string with quotes and escapes.
    pub fn string(&mut self, text: &str) {
        self.separate();
        self.quoted(text);
    }

    /// Writes an integer.
    pub fn int(&mut self, value: i64) {
        self.separate();
        // Writing to a String cannot fail.
        let _ = write!(self.text, "{value}");
    }

    /// Writes an unsigned integer.
    pub fn uint(&mut self, value: u64) {
        self.separate();
        let _ = write!(self.text, "{value}");
    }

    /// Writes a number that is already text, such as `1.5`.
    pub fn decimal(&mut self, text: &str) {
        self.separate();
        self.text.push_str(text);
    }

    /// Writes `true` or `false`.
    pub fn bool(&mut self, value: bool) {
        self.separate();
        self.text.push_str(if value { "true" } else { "false" });
    }

    /// Writes `null`.
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
            // Most texts need no escapes: copy the part without escapes at once.
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

/// Whether the byte is an ASCII character that needs no escape.
const fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'
}
