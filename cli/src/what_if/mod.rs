//! `spillgate what-if`: what the loss of hosts does to a cluster.
//!
//! The figures are those of `spillgate-sim`: exact, and found by trying every loss.

mod answer;
mod args;
mod json;
mod question;
mod text;

pub use args::{EXAMPLES, WhatIfArgs};

use spillgate_config::Diagnostic;

use self::{answer::Answer, args::Format, question::Question};
use crate::{
    command::{Done, Finished},
    progress::Progress,
    split::{self, Style},
};

/// Answers; with colours if they are wanted.
///
/// # Errors
/// Everything that is wrong with the configuration or with what is asked about it.
pub fn run(args: &WhatIfArgs, coloured: bool) -> Finished {
    let config = args.config.read()?;
    let mut done = Done::default();
    done.warn(&config.name, &config.envoy.warnings);
    let model = &*config.served_model(&mut done);
    let question = Question::new(&config.name, model, args)?;
    let progress = Progress::busy("trying losses");
    let answer = Answer::new(model, &question)?;
    drop(progress);
    done.warn(&config.name, &other_clusters(&question));
    done.negative = answer.expectations.iter().any(|expected| !expected.ok);
    done.output = match args.format {
        Format::Json => split::json_text(&json::value(&question, &answer)),
        Format::Text if coloured => text::write(&question, &answer, Style::Coloured),
        Format::Text => text::write(&question, &answer, Style::Plain),
    };
    Ok(done)
}

/// One cluster is answered for; where others would have been meant as well, that is said.
fn other_clusters(question: &Question) -> Vec<Diagnostic> {
    let others = &question.others;
    let warning = || {
        let code = "what-if/several-clusters";
        Diagnostic::warning(code, "several clusters have these hosts")
            .found(format!("{}, {}", question.name, others.join(", ")))
            .expected(format!("--cluster; this is about {}", question.name))
    };
    (!others.is_empty()).then(warning).into_iter().collect()
}
