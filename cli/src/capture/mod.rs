//! `spillgate capture`: writes a snapshot of a running Envoy to one file.
//!
//! `spillgate-admin` removes secrets and joins the responses. All commands and the playground read the file.

mod args;

pub(crate) use args::{CaptureArgs, EXAMPLES};

use std::path::Path;

use spillgate_admin::{AdminPath, CapturedNames, capture};
use spillgate_config::Diagnostic;

use crate::{
    command::{Done, Finished},
    running::{client_of, dump_of, get, reported_hosts, runtime_of},
    written::{NewFile, WrittenTo, replace_file},
};
use spillgate_answers::input::Faults;

/// Runs the command.
///
/// # Errors
/// Every error of the arguments and of the responses, and a file that cannot be written.
pub(crate) fn run(args: &CaptureArgs) -> Finished {
    let client = client_of("URL", &args.url, args.timeout.as_deref())?;
    let mut done = Done::default();
    let mut missing = Vec::new();
    let dump = dump_of(&client, &mut missing)?;
    done.warn(&*client.name_of(AdminPath::Discovery), &missing);
    let clusters = get(&client, AdminPath::Clusters)?;
    let reported = reported_hosts(&clusters)?;
    done.warn(reported.name, &reported.warnings);
    let names = if args.anonymize {
        CapturedNames::Generated
    } else {
        CapturedNames::Original
    };
    let runtime = match runtime_of(&client) {
        Ok(runtime) => Some(runtime.text),
        Err(limit) => {
            done.warn(&*client.name_of(AdminPath::Runtime), &[*limit]);
            None
        }
    };
    let captured = capture(&dump.text, &reported.clusters, runtime.as_deref(), names)
        .map_err(|fault| Faults::one(&dump.name, &fault))?;
    if args.output == Path::new("-") {
        done.output = captured;
        return Ok(done);
    }
    let file = args.output.display().to_string();
    let written = replace_file(&args.output, &captured, NewFile::Private).map_err(|error| {
        let what = format!("cannot write file: {error}");
        Faults::one(&file, &Diagnostic::error("capture/unwritable", what))
    })?;
    let clusters = reported.clusters;
    let hosts: usize = clusters.iter().map(|cluster| cluster.hosts.len()).sum();
    let summary = format!(
        "wrote {file}: {} clusters, {hosts} hosts, {} bytes",
        clusters.len(),
        captured.len()
    );
    match written {
        WrittenTo::File => done.output = summary + "\n",
        // The stream can be standard output.
        WrittenTo::Stream => done.closing.push(summary),
    }
    Ok(done)
}
