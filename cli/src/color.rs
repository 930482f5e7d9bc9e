//! Whether the output has colors: `--color`, `NO_COLOR` and the terminal decide.

use std::io;

use crate::split::Style;

/// Sets the choice of `--color` for the whole process.
pub(crate) fn choose(choice: clap::ColorChoice) {
    let choice = match choice {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// The style of text output: colored if the user chose so, else on a terminal unless `NO_COLOR` is
/// set (<https://no-color.org>).
pub(crate) fn output_style() -> Style {
    style_of(&io::stdout())
}

/// As [`output_style`], for one of the streams.
pub(crate) fn style_of(stream: &impl anstream::stream::RawStream) -> Style {
    match anstream::AutoStream::choice(stream) {
        anstream::ColorChoice::Never => Style::Plain,
        _ => Style::Colored,
    }
}

/// A bold text on a terminal.
pub(crate) fn bold(text: &str) -> String {
    format!("\u{1b}[1m{text}\u{1b}[0m")
}
