//! `spillgate what-if`: predicts the effect of losing hosts.
//!
//! The figures come from `spillgate-sim`. They are exact: a sweep evaluates each number of lost hosts.

mod answer;
mod args;
mod json;
mod question;
mod text;
mod view;
mod zones;

pub use args::{EXAMPLES, WhatIfArgs};

use spillgate_config::Diagnostic;

use self::{answer::Answer, args::Format, question::Question};
use crate::{
    color::output_style,
    command::{Done, Finished},
    progress::Progress,
    split,
};

/// Runs the command.
///
/// # Errors
/// Every error in the configuration and in the options.
pub fn run(args: &WhatIfArgs) -> Finished {
    if let Some(input) = args.config.read_zones(&args.mesh)? {
        return zones::run(args, &input);
    }
    let config = args.config.read_as_seen(&args.mesh)?;
    let mut done = Done::default();
    config.warn(&mut done);
    let model = &*config.served_model(&mut done);
    let args = &view::with_shares(args)?;
    let question = Question::new(&config.name, model, args)?;
    let progress = Progress::busy("evaluating losses");
    let answer = Answer::new(model, &question)?;
    drop(progress);
    done.warn(&config.name, &other_clusters(&question));
    done.negative = answer.expectations.iter().any(|expected| !expected.ok);
    done.output = match args.format {
        Format::Json => split::json_text(&json::value(&question, &answer)),
        Format::Text => text::write(&question, &answer, output_style()),
    };
    Ok(done)
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
