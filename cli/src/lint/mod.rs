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
pub(crate) use sarif::sarif_of;
pub use sarif::to_sarif;
pub use text::to_text;

use spillgate_config::{Diagnostic, envoy::EnvoyConfig};
use spillgate_lint::{Finding, Severity, lint, not_modeled, rejected_filters, rejected_updates};

use crate::{
    color::output_style,
    command::{Done, Finished},
    config::{Config, named, read_for_lint, with_hosts},
    inputs::{ChosenTexts, InputKind, Inputs},
    mesh::only_for_meshes,
};
use spillgate_answers::input::Faults;

/// Lints a configuration, or the documents of a mesh.
///
/// # Errors
/// Every error that makes the input unreadable for lint.
pub fn run(args: &LintArgs) -> Finished {
    let mut done = Done::default();
    let files = files(args, &mut done)?;
    let mut findings = files.iter().flat_map(|file| &file.findings);
    done.negative = findings.any(|finding| finding.severity == Severity::Error);
    let plan = if args.fix_plan {
        FixPlan::Included
    } else {
        FixPlan::Omitted
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

/// The findings in each file of the input.
fn files(args: &LintArgs, done: &mut Done) -> Result<Vec<FileFindings>, Faults> {
    let source = args.config.source()?;
    let texts = match source.inputs.and_then(Inputs::kind) {
        Ok(InputKind::Mesh(chosen)) => return mesh_files(args, chosen, done),
        Ok(InputKind::Envoy(chosen)) if args.istio.version().is_some() => {
            return Err(only_for_meshes(&chosen.texts, "--istio-version"));
        }
        Ok(InputKind::Envoy(chosen)) => Ok(chosen),
        Err(faults) => Err(faults),
    };
    let config = with_hosts(
        named(texts.and_then(read_for_lint), source.missing),
        &source.hosts,
    )?;
    config.warn(done);
    for (name, found) in &config.others {
        let limits = found.iter().filter(|found| found.is_limit());
        done.warn_file(&config.texts, name, limits);
    }
    Ok(findings(config))
}

/// The findings in each file with documents of a mesh.
fn mesh_files(
    args: &LintArgs,
    chosen: ChosenTexts,
    done: &mut Done,
) -> Result<Vec<FileFindings>, Faults> {
    if args.config.health.is_some() {
        let fault = Diagnostic::error("input/health", "--health needs an Envoy configuration");
        let first = chosen.texts.first();
        return Err(Faults::one(
            first.map_or("-", |text| text.name.as_str()),
            &fault,
        ));
    }
    for (folder, warnings) in &chosen.skipped {
        done.warn_file(&chosen.texts, folder, warnings);
    }
    mesh::findings(chosen.texts, args.istio, done)
}

/// The findings in a configuration.
pub(crate) fn findings_in(envoy: &EnvoyConfig) -> Vec<Finding> {
    let mut found = lint(envoy);
    found.extend(not_modeled(envoy));
    found.extend(rejected_filters(envoy));
    found.extend(rejected_updates(envoy));
    found.sort_by_key(|finding| finding.position);
    found
}

/// The findings in a configuration, in the files of their positions.
fn findings(config: Config) -> Vec<FileFindings> {
    let found = findings_in(&config.envoy);
    let Config { texts, envoy, .. } = config;
    let mut files: Vec<FileFindings> = texts
        .into_iter()
        .map(|file| FileFindings {
            file,
            findings: Vec::new(),
        })
        .collect();
    for mut finding in found {
        let place = envoy.sources.place(finding.position);
        if let Some(file) = files.get_mut(place.file) {
            finding.position = place.position;
            file.findings.push(finding);
        }
    }
    files
}
