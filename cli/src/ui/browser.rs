//! Starts a browser.

use std::{
    env,
    process::{Command, Stdio},
};

/// Opens a URL: with the first program of `BROWSER` that starts, or with that of the system. `false` if none
/// starts.
pub(super) fn open(url: &str) -> bool {
    let stated = env::var("BROWSER").ok().filter(|stated| !stated.is_empty());
    let of_system = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let programs = stated.unwrap_or_else(|| of_system.to_owned());
    programs.split(':').any(|program| start(program, url))
}

/// Starts a program with the URL in place of `%s`, or as its last argument.
fn start(program: &str, url: &str) -> bool {
    let mut words = program.split_whitespace();
    let Some(name) = words.next() else {
        return false;
    };
    let mut arguments: Vec<String> = words.map(|word| word.replace("%s", url)).collect();
    if !program.contains("%s") {
        arguments.push(url.to_owned());
    }
    let mut command = Command::new(name);
    command.args(arguments);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().is_ok()
}
