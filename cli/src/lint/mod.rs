//! `spillgate lint`: reports valid settings with unintended effects.
//!
//! The rules are in `spillgate-lint`. This module writes their findings as text, JSON or SARIF.

mod args;
mod json;
mod mesh;
mod sarif;
mod text;

pub use args::LintArgs;
pub(crate) use args::{EXAMPLES, LintFormat};
pub use json::{FileFindings, FixPlan, to_json};
pub use sarif::to_sarif;
pub use text::to_text;

use spillgate_lint::{Severity, lint};

use crate::{
    color::output_style,
    command::{Done, Finished},
    input::read_text,
};

/// Lints a configuration, or the documents of a mesh.
///
/// # Errors
/// Every error that makes the input unreadable for lint.
pub fn run(args: &LintArgs) -> Finished {
    let text = args.config.config.as_deref().map(read_text);
    let mesh = text.as_ref().map(|text| mesh::texts(args, text));
    let mut done = Done::default();
    let files = match mesh.transpose()?.flatten() {
        Some(texts) => mesh::findings(texts, &mut done)?,
        None => {
            let config = args.config.read_for_lint(text)?;
            config.warn(&mut done);
            let findings = lint(&config.envoy);
            Vec::from([FileFindings {
                name: config.name,
                text: config.text,
                findings,
            }])
        }
    };
    let mut findings = files.iter().flat_map(|file| &file.findings);
    done.negative = findings.any(|finding| finding.severity == Severity::Error);
    let plan = match args.fix_plan {
        true => FixPlan::Included,
        false => FixPlan::Omitted,
    };
    done.output = match args.format {
        LintFormat::Text => {
            let style = output_style();
            files
                .iter()
                .map(|file| to_text(file, plan, style))
                .collect()
        }
        LintFormat::Json => to_json(&files, plan),
        LintFormat::Sarif => to_sarif(&files),
    };
    Ok(done)
}
