//! `spillgate exporter`: margins of running Envoys as Prometheus metrics.
//!
//! `spillgate-exporter` has the times of the readings and the published text. This module reads the Envoys, each in a
//! thread of its own for the time of the reading, and evaluates what they report with the engine. One thread owns the
//! times and starts the readings; it sleeps until the next time, or until something ends.
//!
//! Log lines name a target by the place where it is written, and an error by its code: neither an address nor a part
//! of a response reaches the log.

mod args;
mod differences;
mod discovery;
mod evaluate;
mod event;
mod found;
mod log;
mod published;
mod reader;
mod run;
mod zone_loss;

pub(crate) use args::{EXAMPLES, ExporterArgs};

use std::{io, sync::mpsc};

use spillgate_answers::input::Faults;
use spillgate_config::Diagnostic;
use spillgate_exporter::{Poller, TargetTable};
use spillgate_serve::MetricsServer;

use self::{
    discovery::{Discovery, TargetSource},
    evaluate::ChosenClusters,
    event::Event,
    published::Published,
    run::Exporter,
};
use crate::{
    clock,
    command::{Done, Finished},
    printed::print_line,
    running::positive_time,
};

/// Serves until Ctrl-C or SIGTERM.
///
/// # Errors
/// Every error of the arguments and of the file of targets.
pub(crate) fn run(args: &ExporterArgs) -> Finished {
    let interval = positive_time("--interval", &args.interval)?;
    if !(args::SHORTEST..=args::LONGEST).contains(&interval) {
        let fault = Diagnostic::error("exporter/interval", "interval is too short or too long")
            .found(&*args.interval)
            .expected("1s to 45s");
        return Err(Faults::one("--interval", &fault));
    }
    let timeout = positive_time("--admin-timeout", &args.timeout)?;
    let source = TargetSource::of(args)?;
    let (sender, events) = mpsc::channel();
    let stop = sender.clone();
    // If another handler exists already, it decides.
    let _ = ctrlc::set_handler(move || {
        // A receiver that is gone has stopped.
        let _ = stop.send(Event::Stop);
    });
    let clock = clock::steady();
    let published = Published::new(TargetTable::default(), clock);
    let server = MetricsServer::start(args.listen, published.clone()).map_err(|error| {
        let fault = Diagnostic::error("exporter/listen", format!("cannot listen: {error}"))
            .found(args.listen.to_string())
            .expected("a free port of an address of this machine");
        Faults::one("--listen", &fault)
    })?;
    // The exporter works without a reader of this output.
    let _ = print_line(io::stdout(), &server.url());
    let _ = print_line(io::stderr(), "Press Ctrl-C to stop.");
    let discovery = Discovery::start(source, interval, sender.clone()).map_err(|error| {
        let fault = Diagnostic::error("exporter/thread", format!("cannot start a thread: {error}"));
        Faults::one("exporter", &fault.expected("a system with a free thread"))
    })?;
    let exporter = Exporter {
        clock,
        poller: Poller::new(interval),
        published,
        sender,
        timeout,
        chosen: ChosenClusters::new(&args.clusters, args.most_clusters),
    };
    exporter.run(&events);
    drop(discovery);
    server.stop();
    Ok(Done::default())
}
