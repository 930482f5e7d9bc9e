//! `spillgate what-if`: predicts the effect of losing hosts.
//!
//! The figures come from `spillgate-sim`. They are exact: a sweep evaluates each number of lost hosts.

mod args;
mod client;
mod ejection;
mod json;
mod loss_report;
mod question;
mod sarif;
mod success;
mod text;
mod view;
mod zones;

pub use args::{EXAMPLES, WhatIfArgs};

use std::borrow::Cow;

use spillgate_config::Diagnostic;
use spillgate_export::ScenarioQuestion;

use self::{args::Format, loss_report::Answer, question::Question, sarif::SarifPlace};
use crate::{
    client_args::Client,
    color::output_style,
    command::{Done, Finished},
    config::Config,
    mesh::{add_istio_version, name_istio_version},
    progress::Progress,
};
use spillgate_answers::input::{Faults, FileNames};
use spillgate_answers::split::json_text;

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
    if args.client != Client::Envoy {
        return client::run(args, &config, done);
    }
    let served = config.served_model(&mut done);
    let unknown = config.unknown_clusters(&served);
    let model = &*served;
    let question = Question::new(config.files(), model, &unknown, args)?;
    let progress = Progress::busy("evaluating losses");
    let limits = config.limits();
    let read = config.facts();
    let facts = read.as_ref().unwrap_or(&config.envoy.facts);
    let signals = facts.cluster(&question.name).map(|facts| &facts.signals);
    let mut answer = Answer::new(model, &question, &limits, &unknown, signals)?;
    let success = success::by_route(&config, model, &question, &unknown, args)?;
    let of_success = success.iter().filter_map(|route| route.limit.as_deref());
    answer.limits = answer.limits.with(config.files(), of_success);
    drop(progress);
    done.warn(config.files(), &other_clusters(&question));
    done.negative = answer.expectations.iter().any(|expected| !expected.ok);
    done.output = match args.format {
        Format::Json => {
            let mut value = json::value(&question, &answer);
            if let Some(value) = value.as_object_mut().filter(|_| !args.failed.is_empty()) {
                value.insert("success".into(), success::json(&success));
            }
            add_istio_version(&mut value, config.istio_version);
            json_text(&value)
        }
        Format::Text => {
            let text = text::write(&question, &answer, output_style());
            match success::text(&success, args) {
                Some(success) => text + "\n" + &success,
                None => text,
            }
        }
        Format::Sarif => {
            done.warn_limits(&answer.limits);
            let place = SarifPlace::of(&config, &question);
            sarif::write(place, &args.lose, &answer.expectations)
        }
    };
    Ok(done)
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
        cluster: args.cluster.clone().or(question.cluster),
        lose: question.lose,
        expect: question.expect,
        ..args.clone()
    }))
}

fn no_question(files: &impl FileNames) -> Faults {
    let fault = Diagnostic::error("what-if/no-question", "nothing to evaluate")
        .expected("--lose, --sweep, --n-minus, --expect, or a scenario with a question");
    Faults::one(files, &fault)
}

/// The answer is about one cluster; warns if other clusters match too.
fn other_clusters(question: &Question) -> Vec<Diagnostic> {
    let others = &question.others;
    let warning = || {
        let code = "what-if/several-clusters";
        Diagnostic::warning(
            code,
            format!("several clusters match; using {}", question.name),
        )
        .found(format!("{}, {}", question.name, others.join(", ")))
        .expected("--cluster NAME")
    };
    (!others.is_empty()).then(warning).into_iter().collect()
}
