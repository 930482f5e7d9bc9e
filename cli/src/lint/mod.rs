//! `spillgate lint`: reports valid settings with unintended effects.
//!
//! The rules are in `spillgate-lint`. This module writes their findings as text, JSON or SARIF.

mod args;
mod json;
mod sarif;
mod text;

pub use args::LintArgs;
pub(crate) use args::{EXAMPLES, LintFormat};
pub use json::{FixPlan, to_json};
pub use sarif::to_sarif;
pub use text::to_text;

use spillgate_lint::{Severity, lint};

use crate::{
    color::output_style,
    command::{Done, Finished},
};

/// Lints a configuration.
///
/// # Errors
/// Every error that makes the configuration unreadable for lint.
pub fn run(args: &LintArgs) -> Finished {
    let config = args.config.read_for_lint()?;
    let text = &config.text;
    let findings = lint(&config.envoy);
    let mut done = Done {
        negative: findings.iter().any(|f| f.severity == Severity::Error),
        ..Done::default()
    };
    config.warn(&mut done);
    let name = config.name.as_str();
    let plan = match args.fix_plan {
        true => FixPlan::Included,
        false => FixPlan::Omitted,
    };
    done.output = match args.format {
        LintFormat::Text => to_text(&findings, name, text, plan, output_style()),
        LintFormat::Json => to_json(&findings, plan),
        LintFormat::Sarif => to_sarif(&findings, name),
    };
    Ok(done)
}
