//! Arguments that the command does not accept.

use std::{env, io, process::ExitCode};

use clap::{Error, Parser as _, error::ErrorKind};
use spillgate_core::visible::{is_hidden, visible};

use crate::{
    args::Args,
    printed::{print, print_line},
    report::{is_short, warn_unknown_form},
};

/// The error of a command without arguments, whose text is the help.
const NO_ARGUMENTS: ErrorKind = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

/// Prints the error of the arguments, or the requested help, and returns the exit status of the process.
///
/// An error repeats arguments, which can be copied from elsewhere. If one has control characters, all is printed in
/// visible form and without colors, which are control characters themselves. In the short form, an error is one line
/// without the usage.
#[must_use]
pub fn refuse(error: &Error) -> ExitCode {
    let arguments = env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    let arguments: Vec<String> = arguments.collect();
    let is_line = error.use_stderr() && error.kind() != NO_ARGUMENTS && is_short();
    if error.use_stderr() {
        // A closed stream cannot be reported anywhere.
        let _ = warn_unknown_form();
    }
    let is_plain = !is_line && !arguments.iter().any(|text| text.contains(is_hidden));
    let written = if is_plain {
        error.print()
    } else {
        let shown = arguments.iter().map(|text| visible(text).into_owned());
        let shown = Args::try_parse_from(shown).err();
        let text = shown.as_ref().unwrap_or(error).render().to_string();
        if is_line {
            print_line(io::stderr().lock(), &line_of(&text))
        } else if error.use_stderr() {
            print(io::stderr().lock(), &text)
        } else {
            print(io::stdout().lock(), &text)
        }
    };
    // A closed stream cannot be reported anywhere.
    let _ = written;
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// The text of an error in one line, without the usage.
fn line_of(text: &str) -> String {
    let problem = text.split("\n\nUsage:").next().unwrap_or_default();
    let problem = problem.split("\n\nFor more information").next();
    let paragraphs = problem.unwrap_or_default().trim().split("\n\n");
    let words = paragraphs.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    words.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_problem_and_its_remedy_are_one_line() {
        let line = |arguments: &[&str]| {
            let error = Args::try_parse_from(arguments).unwrap_err();
            line_of(&error.render().to_string())
        };
        assert_eq!(
            line(&["spillgate", "split", "a", "--formt", "csv"]),
            "error: unexpected argument '--formt' found; tip: a similar argument exists: '--format'"
        );
        assert_eq!(
            line(&["spillgate", "explain-code"]),
            "error: the following required arguments were not provided: <CODE>"
        );
        let value = line(&["spillgate", "split", "a", "--format", "cvs"]);
        assert!(value.starts_with("error: invalid value 'cvs' for '--format <FORMAT>'"));
    }
}
