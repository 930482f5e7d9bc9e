//! The check of a command line.

use std::{fs, path::Path};

use serde_json::Value;
use spillgate_adopt::{AdoptForm, AdoptOptions, EditText};
use spillgate_answers::input::Faults;
use spillgate_config::Diagnostic;

use super::{
    both::{CheckInput, CheckReport, FilterFile, check},
    joined::joined,
};
use crate::{adopt::AdoptArgs, token};

/// What Envoy before 1.40 does not know.
const SPECIFIER: &str = "DynamicModuleClusterSpecifier";
const WITHOUT_SPECIFIER: &str = "Envoy 1.40; Envoy 1.38 and 1.39 need cluster_header in place of \
    inline_cluster_specifier_plugin (spillgate explain-code adopt/check)";

/// The file of the Wasm form.
pub(crate) const WASM_FILE: &str = "spillgate.wasm";

/// Runs both configurations, each the texts of its files, in the Envoy of `--check`. `name`: the files in
/// errors.
///
/// # Errors
/// If the file of the filter cannot be read, or the check cannot run.
pub(crate) fn checked(
    args: &AdoptArgs,
    program: &Path,
    (name, old, new): (&str, &[String], &[String]),
    options: &AdoptOptions,
) -> Result<CheckReport, Faults> {
    // The lines of Envoy's log are lines of their own.
    let failed = |why: String| {
        let lines = why.lines().map(|line| line.trim_start_matches([' ', '|']));
        let faults = lines.map(|line| {
            let fault = Diagnostic::error("adopt/check", line.to_owned());
            if line.contains(SPECIFIER) {
                fault.expected(WITHOUT_SPECIFIER)
            } else {
                fault
            }
        });
        Faults::all(name, &faults.collect::<Vec<_>>())
    };
    let value = |texts: &[String]| -> Result<Value, Faults> {
        let read = |text: &String| {
            let read = EditText::new(text.clone()).map(|text| text.value().clone());
            read.map_err(|fault| Faults::one(name, &fault))
        };
        let documents = texts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Ok(joined(&documents))
    };
    let file = args.file.as_deref().unwrap_or(Path::new(WASM_FILE));
    let local = fs::canonicalize(file).map_err(|error| {
        let file = file.display();
        failed(format!(
            "--check needs the filter; name it with --file: {file}: {error}"
        ))
    })?;
    let differs = !(options.criteria.is_empty() && options.chain.is_empty());
    let input = CheckInput {
        program,
        old: &value(old)?,
        new: &value(new)?,
        file: match &options.form {
            AdoptForm::Wasm(name) => FilterFile::Wasm(name.clone(), local),
            AdoptForm::Module(name) => FilterFile::Module(name.clone(), local),
        },
        keys: token::fresh_keys()?,
        differs: differs.then_some("--criteria and --chain change the choice"),
    };
    check(&input).map_err(failed)
}
