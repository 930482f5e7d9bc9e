//! `spillgate lint`: what Envoy accepts and what does not do what it seems to.
//!
//! The rules are `spillgate-lint`'s; here findings become text, JSON or SARIF.

mod args;
mod json;
mod sarif;
mod text;

pub use args::LintArgs;
pub(crate) use args::{EXAMPLES, LintFormat};
pub use json::to_json;
pub use sarif::to_sarif;
pub use text::to_text;

use spillgate_lint::{Severity, lint};

use crate::{
    color::colors,
    command::{Done, Finished},
};

/// Lints a configuration.
///
/// # Errors
/// Every fault of the text that leaves nothing to lint.
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
    done.output = match args.format {
        LintFormat::Text => to_text(&findings, name, text, args.fix_plan, colors()),
        LintFormat::Json => to_json(&findings, args.fix_plan),
        LintFormat::Sarif => to_sarif(&findings, name),
    };
    Ok(done)
}
