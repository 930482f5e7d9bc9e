//! `spillgate adopt`: patches a bootstrap so that the filter steers it, and checks the result.
//!
//! `spillgate-adopt` makes the changes. This module reads files, and compares old and new.

mod args;
mod proof;

use args::Form;
pub(crate) use args::{AdoptArgs, EXAMPLES};

use std::{fs, path::Path};

use sha2::{Digest as _, Sha256};
use spillgate_adopt::{AdoptForm, AdoptOptions, Adopted, EditText, adopt, unified_diff};
use spillgate_config::{Diagnostic, isolation::ListFallback};

use crate::{
    command::{Done, Finished},
    input::{Faults, Text, name_of, read_text},
};

/// Runs the command.
///
/// # Errors
/// Everything that cannot be carried over, and a result with new errors of `lint`.
pub(crate) fn run(args: &AdoptArgs) -> Finished {
    let old = read_text(&args.config)?;
    let options = options(args)?;
    let text = EditText::new(old.text.clone()).map_err(|fault| Faults::one(&old.name, &fault))?;
    let adopted = adopt(&text, &options).map_err(|faults| Faults::all(&old.name, &faults))?;
    let new = Text {
        name: old.name.clone(),
        text: adopted.text.clone(),
    };
    let mut done = Done::default();
    if new.text == old.text {
        done.closing
            .push("the filter steers this listener already: nothing to change".into());
    } else {
        done.closing = proof::compare(&old, &new, &adopted.clusters)?;
        done.closing.extend(notes(&adopted, &options.form));
    }
    match &args.write {
        Some(file) => write(file, &new.text)?,
        None if args.undo => done.output = unified_diff(shown(&old.name), &new.text, &old.text),
        None => done.output = unified_diff(shown(&old.name), &old.text, &new.text),
    }
    Ok(done)
}

/// The name of a file in a diff, whose paths are relative.
fn shown(name: &str) -> &str {
    name.trim_start_matches(['/', '.'])
}

fn write(file: &Path, text: &str) -> Result<(), Faults> {
    fs::write(file, text).map_err(|error| {
        let fault = Diagnostic::error("adopt/write", format!("cannot write file: {error}"));
        Faults::one(&name_of(file), &fault)
    })
}

fn options(args: &AdoptArgs) -> Result<AdoptOptions, Faults> {
    let form = match (args.form, &args.file) {
        (Form::Wasm, None) => AdoptForm::Wasm("spillgate.wasm".into()),
        (Form::Wasm, Some(file)) => AdoptForm::Wasm(name_of(file)),
        (Form::Module, file) => {
            AdoptForm::Module(module_name(file.as_deref().unwrap_or(Path::new("")))?)
        }
    };
    let mut criteria = Vec::new();
    for text in &args.criteria {
        let Some((key, header)) = text.split_once('=') else {
            let fault = Diagnostic::error("adopt/option", "--criteria: not KEY=HEADER");
            return Err(Faults::one("--criteria", &fault.found(format!("{text:?}"))));
        };
        criteria.push((key.to_owned(), header.to_owned()));
    }
    let steps = args
        .chain
        .iter()
        .map(|step| step.split('+').map(str::to_owned).collect());
    Ok(AdoptOptions {
        form,
        listener: args.listener.clone(),
        clusters: args.clusters.clone(),
        sessions: args.sessions.map(args::Carrier::of_plan),
        criteria,
        chain: steps.collect(),
        fallback: args.fallback.map(crate::export::Fallback::of_list),
    })
}

/// The name of a module by the first 16 digits of its hash.
fn module_name(file: &Path) -> Result<String, Faults> {
    let bytes = fs::read(file).map_err(|error| {
        let fault = Diagnostic::error("input/unreadable", format!("cannot read file: {error}"));
        Faults::one(&name_of(file), &fault)
    })?;
    let hash = Sha256::digest(&bytes);
    let digits = hash.iter().take(8).map(|byte| format!("{byte:02x}"));
    Ok(format!("spillgate-{}", digits.collect::<String>()))
}

/// What remains to be done outside of the configuration, and what has been chosen.
fn notes(adopted: &Adopted, form: &AdoptForm) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(adopted.fallback.map(|fallback| {
        match fallback {
            ListFallback::Isolation => {
                "isolation: a request without a host of the filter's list gets 503".to_owned()
            }
            ListFallback::Availability => {
                "availability: a request without a host of the filter's list reaches any host"
                    .to_owned()
            }
        }
    }));
    if adopted.sessions {
        notes
            .push("sessions need keys in the environment of every Envoy, before it starts:".into());
        notes.push("  export SPILLGATE_KEYS=\"$(spillgate token keygen --format json)\"".into());
    }
    if let AdoptForm::Module(name) = form {
        notes.push(format!(
            "install the module as /usr/lib/spillgate/lib{name}.so, and start Envoy with"
        ));
        notes.push("  ENVOY_DYNAMIC_MODULES_SEARCH_PATH=/usr/lib/spillgate".into());
    }
    notes
}
