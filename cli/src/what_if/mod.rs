//! `spillgate what-if`: predicts the effect of losing hosts.
//!
//! The figures come from `spillgate-sim`. They are exact: a sweep evaluates each number of lost hosts.

mod args;
mod asked;
mod changed;
mod client;
mod cluster_answer;
mod ejection;
mod inquiry;
mod json;
mod loss_report;
mod parts;
mod question;
mod rows;
mod sarif;
mod success;
mod text;
mod users;
mod view;
mod zones;

pub use args::{EXAMPLES, WhatIfArgs};
pub(crate) use inquiry::hosts_unknown;
pub(crate) use parts::ModelParts;
pub(crate) use users::clusters_in_question;

use std::borrow::Cow;

use spillgate_answers::{input::Faults, located::FileNames, split::json_text};
use spillgate_config::Diagnostic;
use spillgate_export::ScenarioQuestion;

use self::{
    args::Format,
    asked::Asked,
    cluster_answer::ClusterAnswer,
    inquiry::{Figures, Inquiry, NO_HOSTS, no_hosts},
    sarif::SarifPlace,
};
use crate::{
    client_args::Client,
    color::output_style,
    command::{Done, Finished},
    config::Config,
    mesh::{add_istio_version, name_istio_version},
    progress::Progress,
};

/// Runs the command.
///
/// # Errors
/// Every error in the configuration and in the options.
pub fn run(args: &WhatIfArgs) -> Finished {
    if let Some(input) = args.config.read_zones(&args.mesh)? {
        if args.is_empty() {
            return Err(no_question(&input.name));
        }
        return zones::run(args, &input);
    }
    let mut config = args.config.read_for(&args.mesh, args.client)?;
    let mut done = Done::default();
    args.since.apply(&mut config, &mut done)?;
    config.warn(&mut done);
    let args = &*with_question(args, &config)?;
    let args = &view::with_shares(args)?;
    if args.format != Format::Json {
        name_istio_version(&mut done, config.istio_version);
    }
    check_client(args, &config)?;
    let served = match args.client {
        Client::Envoy => config.effective_model(&mut done),
        Client::Grpc | Client::Both => Cow::Borrowed(&config.envoy.model),
    };
    let model = &*served;
    let asked = Asked::read(model, args);
    let names = clusters_in_question("what-if/unknown-cluster", &args.cluster, &config, model);
    let (asked, names) = match (asked, names) {
        (Ok(asked), Ok(names)) => (asked, names),
        (asked, names) => {
            let mut wrong = asked.err().unwrap_or_default();
            wrong.extend(names.err().unwrap_or_default());
            return Err(wrong);
        }
    };
    config.warn_criteria(model, &names, args.criteria.as_deref(), &mut done);
    let inquiry = Inquiry::new(&config, model, args, asked, names)?;
    match inquiry.names.as_slice() {
        [] => Err(Faults::one(config.files(), &no_hosts(NO_HOSTS))),
        [only] => run_only(&inquiry, only, done),
        _ => rows::run(&inquiry, done),
    }
}

/// The detailed answer about the only cluster in question.
fn run_only(inquiry: &Inquiry<'_>, name: &str, mut done: Done) -> Finished {
    let (args, config) = (inquiry.args, inquiry.config);
    let question = inquiry.only_question(name, !args.cluster.is_empty())?;
    let progress = Progress::busy("evaluating losses");
    let answer = ClusterAnswer::new(inquiry, &question, Figures::All)?;
    drop(progress);
    let expectations = answer.expectations();
    done.negative = expectations.iter().any(|expected| !expected.ok);
    done.output = match args.format {
        Format::Json => {
            let mut value = answer.value(&question, args);
            add_istio_version(&mut value, config.istio_version);
            json_text(&value)
        }
        Format::Text => answer.text(&question, args, output_style()),
        Format::Sarif => {
            done.warn_limits(answer.limits());
            sarif::write(SarifPlace::of(config, name), args, expectations)
        }
    };
    Ok(done)
}

/// Rejects options that the rules of gRPC do not have here.
fn check_client(args: &WhatIfArgs, config: &Config) -> Result<(), Faults> {
    let what = match args.client {
        Client::Envoy => return Ok(()),
        _ if !args.failed.is_empty() => "--failed: the odds of success are not modeled for gRPC",
        _ if !args.add.is_empty() || !args.set.is_empty() => {
            "--add and --set are not modeled for gRPC"
        }
        Client::Grpc | Client::Both => return Ok(()),
    };
    let fault = Diagnostic::error("what-if/client", what).expected("--client envoy");
    Err(Faults::one(config, &fault))
}

/// The arguments, or the question of a scenario if they ask nothing.
fn with_question<'a>(args: &'a WhatIfArgs, config: &Config) -> Result<Cow<'a, WhatIfArgs>, Faults> {
    if !args.is_empty() {
        return Ok(Cow::Borrowed(args));
    }
    let mut questions = config.texts.iter().filter_map(|text| {
        let question = ScenarioQuestion::in_file(&text.text);
        question.filter(|question| !question.is_empty())
    });
    let question = questions
        .next()
        .ok_or_else(|| no_question(config.files()))?;
    Ok(Cow::Owned(WhatIfArgs {
        cluster: if args.cluster.is_empty() {
            question.cluster.into_iter().collect()
        } else {
            args.cluster.clone()
        },
        lose: question.lose,
        expect: question.expect,
        ..args.clone()
    }))
}

fn no_question(files: &impl FileNames) -> Faults {
    let fault = Diagnostic::error("what-if/no-question", "nothing to evaluate").expected(
        "--lose, --add, --set, --sweep, --n-minus, --expect, or a scenario with a question",
    );
    Faults::one(files, &fault)
}
