//! Runs the command for a gRPC client, or for both.

use spillgate_answers::{input::Faults, split::json_text, unknown::UnknownClusters};
use spillgate_config::Diagnostic;

use super::both::BothAnswers;
use crate::{
    client_args::Client,
    color::output_style,
    command::{Done, Finished},
    config::Config,
    mesh::add_istio_version,
    what_if::{
        WhatIfArgs,
        args::Format,
        json,
        loss_report::Answer,
        other_clusters,
        question::Question,
        sarif::{self, SarifPlace},
        text,
    },
};

/// Answers for the chosen client.
pub(in crate::what_if) fn run(args: &WhatIfArgs, config: &Config, mut done: Done) -> Finished {
    if !args.failed.is_empty() {
        let what = "--failed: the odds of success are not modeled for gRPC";
        let fault = Diagnostic::error("what-if/client", what).expected("--client envoy");
        return Err(Faults::one(config.files(), &fault));
    }
    let model = &config.envoy.model;
    let unknown = UnknownClusters::of(&config.envoy);
    let question = Question::new(config.files(), model, &unknown, args)?;
    let reading = config.grpc_reading()?;
    let grpc = Answer::of_grpc(config, &question, &reading)?;
    done.warn(config.files(), &other_clusters(&question));
    if args.client != Client::Both {
        return Ok(one(args, config, &question, &grpc, done));
    }
    let both = BothAnswers::new(config, &question, grpc, &unknown)?;
    done.negative = both.expectations().any(|expected| !expected.ok);
    done.output = match args.format {
        Format::Json => {
            let mut value = both.value(&question);
            add_istio_version(&mut value, config.istio_version);
            json_text(&value)
        }
        Format::Text => both.text(&question, output_style()),
        Format::Sarif => {
            done.warn_limits(&both.envoy.limits);
            let place = SarifPlace::of(config, &question);
            sarif::write(place, &args.lose, both.expectations())
        }
    };
    Ok(done)
}

/// The answer for a gRPC client alone.
fn one(
    args: &WhatIfArgs,
    config: &Config,
    question: &Question,
    answer: &Answer,
    mut done: Done,
) -> Done {
    done.negative = answer.expectations.iter().any(|expected| !expected.ok);
    done.output = match args.format {
        Format::Json => {
            let mut value = json::value(question, answer);
            add_istio_version(&mut value, config.istio_version);
            json_text(&value)
        }
        Format::Text => text::write(question, answer, output_style()),
        Format::Sarif => {
            done.warn_limits(&answer.limits);
            let place = SarifPlace::of(config, question);
            sarif::write(place, &args.lose, &answer.expectations)
        }
    };
    done
}
