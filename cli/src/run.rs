//! Runs the command that the arguments name, prints its output and sets the exit status.

use std::{
    io::{self, IsTerminal as _, Write as _},
    process::ExitCode,
};

use clap::CommandFactory as _;
use spillgate_answers::{
    input::Faults,
    split::{self},
};
use spillgate_mesh::istio::IstioVersion;

use crate::{
    adopt,
    args::{Args, Command, Format, SplitArgs},
    capture,
    client::{compared, compared_tables, grpc_split},
    client_args::Client,
    color::{self, output_style},
    command::{Done, Finished},
    completions,
    config::Config,
    conformance, convert, diff, explain, explain_code, export, exporter, fleet, incident, link,
    lint, man,
    mesh::{add_istio_version, name_istio_version},
    observe, pick,
    printed::{print, print_line},
    report::{print_fault, print_warning, warn_unknown_form},
    simulate,
    spec::criteria,
    split::{Style, to_tables},
    token, ui,
    watch::watch,
    what_if,
};

impl Args {
    /// Runs the command.
    ///
    /// # Errors
    /// Every error in the input.
    pub fn run(self) -> Finished {
        color::choose(self.color);
        match self.command {
            Command::Split(args) => run_split(&args),
            Command::Pick(args) => pick::run(&args),
            Command::Explain(args) => explain::run(&args),
            Command::WhatIf(args) => what_if::run(&args),
            Command::Diff(args) => diff::run(&args),
            Command::Fleet(args) => fleet::run(&args),
            Command::Incident(args) => incident::run(&args),
            Command::Simulate(args) => simulate::run(&args),
            Command::Lint(args) => lint::run(&args),
            Command::Conformance(args) => conformance::run(&args),
            Command::Capture(args) => capture::run(&args),
            Command::Observe(args) => observe::run(&args),
            Command::Exporter(args) => exporter::run(&args),
            Command::Convert(args) => convert::run(&args),
            Command::Export(args) => export::run(&args),
            Command::Adopt(args) => adopt::run(&args),
            Command::ExplainCode(args) => explain_code::run(&args),
            Command::Ui(args) => ui::run(&args),
            Command::Link(args) => link::run(&args),
            Command::Token(args) => token::run(&args),
            Command::Completions(args) => completions::run(&args, Self::command()),
            Command::Man(args) => man::run(&args, Self::command()),
        }
    }
}

/// Runs `spillgate split`.
fn run_split(args: &SplitArgs) -> Finished {
    let read_config = |done: &mut Done| {
        let mut config = args.config.read_for(&args.mesh, args.client)?;
        args.reported.apply(&mut config)?;
        args.since.apply(&mut config, done)?;
        config.warn(done);
        if args.format != Format::Json {
            name_istio_version(done, config.istio_version);
        }
        Ok::<Config, Faults>(config)
    };
    let read = |done: &mut Done| {
        let config = read_config(done)?;
        if args.client == Client::Grpc {
            criteria(&config.envoy.model, args.criteria.as_deref())?;
            let reading = config.grpc_reading()?;
            let shown = grpc_split(&config, &config.envoy.model, &reading, &args.clusters)?;
            return Ok(shown.of_istio(config.istio_version.map(IstioVersion::name)));
        }
        let model = config.effective_model(done);
        config.warn_criteria(&model, &args.clusters, args.criteria.as_deref(), done);
        let criteria = criteria(&model, args.criteria.as_deref())?;
        let shown = split::split(&model, &args.clusters, &criteria)
            .map_err(|faults| Faults::all(&config, &faults))?;
        let unknown = config.unknown_clusters(&model);
        let shown = shown.limited_by(&config.limits()).without_hosts_of(unknown);
        Ok(shown.of_istio(config.istio_version.map(IstioVersion::name)))
    };
    if let Some(interval) = &args.watch {
        return watch(args, interval, read);
    }
    let mut done = Done::default();
    if args.client == Client::Both {
        let config = read_config(&mut done)?;
        let criteria = criteria(&config.envoy.model, args.criteria.as_deref())?;
        let both = compared(&config, &config.envoy.model, &args.clusters, &criteria)?;
        done.output = match args.format {
            Format::Json => {
                let mut value = both.value();
                add_istio_version(&mut value, config.istio_version);
                split::json_text(&value)
            }
            Format::Csv => {
                done.warn_limits(&both.limits);
                both.to_csv()
            }
            Format::Markdown => compared_tables(&both, Style::Markdown),
            Format::Table => compared_tables(&both, output_style()),
        };
        return Ok(done);
    }
    let shown = read(&mut done)?;
    done.output = match args.format {
        Format::Json => split::to_json(&shown),
        Format::Csv => {
            done.warn_limits(&shown.limits);
            split::to_csv(&shown)
        }
        Format::Markdown => to_tables(&shown, Style::Markdown),
        Format::Table => to_tables(&shown, output_style()),
    };
    Ok(done)
}

/// Prints the output, warnings or errors of a command and returns the exit status of the process.
#[must_use]
pub fn finish(finished: Finished) -> ExitCode {
    // If standard error is closed, nothing can be reported anywhere.
    let _ = warn_unknown_form();
    match finished {
        Ok(done) => {
            for warning in &done.warnings {
                let _ = print_warning(warning);
            }
            let written = if done.exact && !io::stdout().is_terminal() {
                io::stdout().lock().write_all(done.output.as_bytes())
            } else {
                print(io::stdout().lock(), &done.output)
            };
            for line in &done.closing {
                let _ = print_line(io::stderr(), line);
            }
            match written {
                Ok(()) => ExitCode::from(u8::from(done.negative)),
                // The reader closed the pipe early, as `head` does.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                    ExitCode::from(u8::from(done.negative))
                }
                Err(error) => {
                    let line = format!("cannot write to standard output: {error}");
                    let _ = print_line(io::stderr(), &line);
                    ExitCode::from(2)
                }
            }
        }
        Err(faults) => {
            for fault in faults.located() {
                let _ = print_fault(fault);
            }
            ExitCode::from(2)
        }
    }
}
