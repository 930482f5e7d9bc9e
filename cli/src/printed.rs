//! The only way to the terminal: output without control characters, except for the colors of the program.
//!
//! Names and texts in the output come from configurations, which can contain terminal commands. They are
//! printed in [visible form](spillgate_core::visible). Colors pass under a random mark, which no input knows.

use std::{
    fmt,
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io::{self, Write},
    sync::LazyLock,
};

use anstyle::Style;
use spillgate_core::visible::{visible, visible_lines};

/// The start of a terminal command.
const ESCAPE: char = '\u{1b}';

/// What is printed as [`ESCAPE`].
static MARK: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{ESCAPE}{:016x}",
        RandomState::new().build_hasher().finish()
    )
});

/// A style for text of the program, or none: `{}` turns it on, and `{:#}` off.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Painted(pub(crate) Option<Style>);

impl fmt::Display for Painted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, f.alternate()) {
            (None, _) => Ok(()),
            (Some(style), false) => f.write_str(&painted(style.render().to_string())),
            (Some(style), true) => f.write_str(&painted(style.render_reset().to_string())),
        }
    }
}

/// Marks the colors in a text that has no other control characters.
pub(crate) fn painted(text: String) -> String {
    if text.contains(ESCAPE) {
        text.replace(ESCAPE, &MARK)
    } else {
        text
    }
}

/// Prints a text of several lines.
pub(crate) fn print(mut out: impl Write, text: &str) -> io::Result<()> {
    let mut parts = text.split(MARK.as_str());
    out.write_all(visible_lines(parts.next().unwrap_or_default()).as_bytes())?;
    for part in parts {
        write!(out, "{ESCAPE}{}", visible_lines(part))?;
    }
    out.flush()
}

/// Prints one line.
pub(crate) fn print_line(mut out: impl Write, line: &str) -> io::Result<()> {
    writeln!(out, "{}", visible(line))
}
