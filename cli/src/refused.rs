//! Arguments that the command does not accept.

use std::{env, io, process::ExitCode};

use clap::{Error, Parser as _};
use spillgate_core::visible::{is_hidden, visible};

use crate::{args::Args, printed::print};

/// Prints the error of the arguments, or the requested help, and returns the exit status of the process.
///
/// An error repeats arguments, which can be copied from elsewhere. If one has control characters, all is printed in
/// visible form and without colors, which are control characters themselves.
#[must_use]
pub fn refuse(error: &Error) -> ExitCode {
    let arguments = env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    let arguments: Vec<String> = arguments.collect();
    let is_plain = !arguments.iter().any(|text| text.contains(is_hidden));
    let written = if is_plain {
        error.print()
    } else {
        let shown = arguments.iter().map(|text| visible(text).into_owned());
        let shown = Args::try_parse_from(shown).err();
        let text = shown.as_ref().unwrap_or(error).render().to_string();
        if error.use_stderr() {
            print(io::stderr().lock(), &text)
        } else {
            print(io::stdout().lock(), &text)
        }
    };
    // A closed stream cannot be reported anywhere.
    let _ = written;
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
