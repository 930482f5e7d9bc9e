//! Whether output has colors.

use std::io;

/// Sets the color choice of the user for the whole process.
pub(crate) fn choose(choice: clap::ColorChoice) {
    let choice = match choice {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// Whether to print colors: as the user chose, else on a terminal unless NO_COLOR is set
/// (<https://no-color.org>).
pub(crate) fn colors() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}
