//! `spillgate split --watch`: prints the split of a running Envoy, then each change.

mod changes;

use std::{io, thread};

use serde_json::json;
use spillgate_config::Diagnostic;
use spillgate_core::visible::visible;

use self::changes::changes;
use crate::{
    args::{Format, SplitArgs},
    client_args::Client,
    clock::present,
    color::output_style,
    command::{Done, Finished},
    printed,
    report::print_warning,
    running::positive_time,
    split::to_tables,
};
use spillgate_answers::{input::Faults, split::Split};

/// Prints the split, and then its changes until Ctrl-C or `--count`. Each read begins an interval after the
/// end of the read before, so that a slow Envoy is not read all the time.
///
/// `read` reads the Envoy. If a later read fails, its errors appear on standard error, once for the same
/// errors, and watching continues.
///
/// # Errors
/// Those of the options and of the first read.
pub(crate) fn watch(
    args: &SplitArgs,
    interval: &str,
    read: impl Fn(&mut Done) -> Result<Split, Faults>,
) -> Finished {
    if matches!(args.format, Format::Markdown | Format::Csv) {
        let fault = Diagnostic::error("split/watch", "--watch prints tables or JSON")
            .expected("--format table or json");
        return Err(Faults::one("--format", &fault));
    }
    if args.client == Client::Both {
        let fault = Diagnostic::error("split/watch", "--watch shows the rules of one client")
            .expected("--client envoy or grpc");
        return Err(Faults::one("--client", &fault));
    }
    let interval = positive_time("--watch", interval)?;
    let mut first = Done::default();
    let mut last = read(&mut first)?;
    let mut shown = first.warnings.iter().try_for_each(print_warning);
    let closing = || first.closing.iter().try_for_each(|line| print_error(line));
    shown = shown.and_then(|()| closing());
    shown = shown.and_then(|()| {
        print(&match args.format {
            Format::Json => state(&last),
            _ => to_tables(&last, output_style()),
        })
    });
    let mut failure = Faults::default();
    let mut reads = 1;
    while shown.is_ok() && args.count.is_none_or(|count| reads < count) {
        thread::sleep(interval);
        reads += 1;
        // Warnings repeat those of the first read.
        match read(&mut Done::default()) {
            Err(faults) if faults == failure => {}
            Err(faults) => {
                shown = faults
                    .lines()
                    .iter()
                    .try_for_each(|line| print_error(&timed(line)));
                failure = faults;
            }
            Ok(split) => {
                failure = Faults::default();
                let changes = changes(&last, &split);
                if changes.is_empty() {
                    continue;
                }
                shown = print(&match args.format {
                    Format::Json => state(&split),
                    _ => changes
                        .iter()
                        .map(|line| timed(&visible(line)) + "\n")
                        .collect(),
                });
                last = split;
            }
        }
    }
    // An error means that the reader of the output has left.
    Ok(Done::default())
}

/// A split as one line of JSON with its time, in seconds since 1970.
fn state(split: &Split) -> String {
    let value = json!({"time": present(), "split": split});
    format!("{value}\n")
}

/// A line with the time of the day in UTC.
fn timed(line: &str) -> String {
    let seconds = present();
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}Z {line}", seconds % 60)
}

fn print(text: &str) -> io::Result<()> {
    printed::print(io::stdout().lock(), text)
}

fn print_error(line: &str) -> io::Result<()> {
    printed::print_line(io::stderr().lock(), line)
}
