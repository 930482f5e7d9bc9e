//! `spillgate adopt`: patches a bootstrap so that the filter steers it, and checks the result.
//!
//! `spillgate-adopt` makes the changes. This module reads files, and compares old and new.

use spillgate_core::visible::quoted;
mod args;
mod check;
mod kubernetes;
mod mesh;
mod proof;

use args::Form;
pub(crate) use args::{AdoptArgs, EXAMPLES};
pub(crate) use check::filter_configuration;
use check::{WASM_FILE, checked};

use std::{fs, path::Path};

use sha2::{Digest as _, Sha256};
use spillgate_adopt::{AdoptForm, AdoptOptions, Adopted, EditText, adopt, undo, unified_diff};
use spillgate_config::{Diagnostic, NamedText, SourceMap, isolation::ListFallback, re2};

use crate::{
    command::{Done, Finished},
    inputs::{Inputs, check_stdin},
    written::{NewFile, replace_file},
};
use spillgate_answers::{
    input::{Faults, name_of},
    located::{FileNames, LocatedDiagnostic, in_texts},
};

/// Runs the command.
///
/// # Errors
/// Everything that cannot be carried over, a result with new errors of `lint`, and a check that cannot run.
pub(crate) fn run(args: &AdoptArgs) -> Finished {
    check_stdin(&args.config, "CONFIG")?;
    let inputs = Inputs::read(&args.config)?;
    if let Some(plane) = mesh::plane(&inputs) {
        return plane.run(args, inputs);
    }
    let chosen = inputs.envoy()?;
    let mut done = Done {
        exact: true,
        ..Done::default()
    };
    for (name, warnings) in &chosen.skipped {
        done.warn_file(&chosen.texts, name, warnings);
    }
    let old = chosen.texts;
    kubernetes::check(&old)?;
    if let Some(argument) = args.first_of_objects() {
        let fault = Diagnostic::error(
            "adopt/option",
            format!("{argument} is for documents of Istio or Envoy Gateway"),
        );
        return Err(Faults::one(argument, &fault));
    }
    if let (Some(file), [_, _, ..]) = (&args.write, old.as_slice()) {
        let fault = Diagnostic::error("adopt/option", "--write: CONFIG is several files")
            .expected("the diff, for `git apply`");
        return Err(Faults::one(&name_of(file), &fault));
    }
    let files = Files::new(&old)?;
    if let (true, Some(before)) = (args.undo, files.undone(args.listener.as_deref())?) {
        done.output = diff(&old, &named(&before, &old));
        return Ok(done);
    }
    let options = options(args)?;
    let adopted = files.adopted(&options)?;
    let new = named(&adopted.texts, &old);
    if new == old {
        let line = "the filter steers this listener already: nothing to change";
        done.closing.push(line.into());
    } else {
        done.closing = proof::compare(&old, &new, &adopted)?;
        done.closing.extend(notes(&adopted, &args.form_of_plan()?));
    }
    if let Some(program) = &args.check {
        let texts = |all: &[NamedText]| all.iter().map(|one| one.text.clone()).collect::<Vec<_>>();
        let name = old.first().map_or("CONFIG", |text| text.name.as_str());
        let report = checked(args, program, (name, &texts(&old), &texts(&new)), &options)?;
        done.closing.extend(report.lines);
        done.negative = !report.passed;
    }
    match (&args.write, new.as_slice(), args.config.as_slice()) {
        (Some(_), ..) if done.negative => {
            done.closing
                .push("the check failed: nothing is written".into());
        }
        (Some(file), [new], [config]) => write(file, &new.text, config)?,
        _ if args.undo => done.output = diff(&new, &old),
        _ => done.output = diff(&old, &new),
    }
    Ok(done)
}

/// The files as the plan reads them.
struct Files {
    texts: Vec<EditText>,
    map: SourceMap,
    /// The texts before changes.
    named: Vec<NamedText>,
}

impl FileNames for Files {
    fn locate(&self, diagnostics: &[&Diagnostic]) -> Vec<LocatedDiagnostic> {
        in_texts(&self.map, &self.named, diagnostics)
    }
}

impl Files {
    fn new(texts: &[NamedText]) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let mut files = Self {
            texts: Vec::new(),
            map: SourceMap::default(),
            named: texts.to_vec(),
        };
        for text in texts {
            let lines = u32::try_from(text.text.lines().count());
            files.map.add(&text.name, lines.unwrap_or(u32::MAX));
            match EditText::new(text.text.clone()) {
                Ok(text) => files.texts.push(text),
                Err(fault) => faults.push(text, &fault),
            }
        }
        if faults.is_empty() {
            Ok(files)
        } else {
            Err(faults)
        }
    }

    fn adopted(&self, options: &AdoptOptions) -> Result<Adopted, Faults> {
        adopt(&self.texts, options).map_err(|faults| Faults::all(self, &faults))
    }

    /// The texts before `adopt`; `None` if they have no filter.
    fn undone(&self, listener: Option<&str>) -> Result<Option<Vec<String>>, Faults> {
        undo(&self.texts, listener).map_err(|faults| Faults::all(self, &faults))
    }
}

/// Texts with the names of these.
fn named(texts: &[String], like: &[NamedText]) -> Vec<NamedText> {
    let pairs = texts.iter().zip(like);
    let texts = pairs.map(|(text, like)| NamedText {
        name: like.name.clone(),
        text: text.clone(),
    });
    texts.collect()
}

/// The diff of all files.
fn diff(from: &[NamedText], to: &[NamedText]) -> String {
    let pairs = from.iter().zip(to);
    let diffs = pairs.map(|(from, to)| unified_diff(shown(&from.name), &from.text, &to.text));
    diffs.collect()
}

/// The name of a file in a diff, whose paths are relative.
fn shown(name: &str) -> &str {
    let mut shown = name;
    while let Some(rest) = ["/", "./", "../"]
        .iter()
        .find_map(|start| shown.strip_prefix(start))
    {
        shown = rest;
    }
    shown
}

fn write(file: &Path, text: &str, config: &Path) -> Result<(), Faults> {
    let written = replace_file(file, text, NewFile::Like(config));
    written.map(|_| ()).map_err(|error| {
        let fault = Diagnostic::error("adopt/write", format!("cannot write file: {error}"));
        Faults::one(&name_of(file), &fault)
    })
}

fn options(args: &AdoptArgs) -> Result<AdoptOptions, Faults> {
    let mut criteria = Vec::new();
    for text in &args.criteria {
        let Some((key, header)) = text.split_once('=') else {
            let fault = Diagnostic::error("adopt/option", "--criteria: not KEY=HEADER");
            return Err(Faults::one("--criteria", &fault.found(quoted(text))));
        };
        criteria.push((key.to_owned(), header.to_owned()));
    }
    let steps = args
        .chain
        .iter()
        .map(|step| step.split('+').map(str::to_owned).collect());
    Ok(AdoptOptions {
        form: args.form_of_plan()?,
        listener: args.listener.clone(),
        clusters: args.clusters.clone(),
        sessions: args.sessions.map(args::Carrier::of_plan),
        criteria,
        chain: steps.collect(),
        fallback: args.fallback.map(crate::fallback::Fallback::of_list),
        regex: Some(re2::compile),
    })
}

impl AdoptArgs {
    /// The form with the name of its file.
    fn form_of_plan(&self) -> Result<AdoptForm, Faults> {
        Ok(match (self.form, &self.file) {
            (Form::Wasm, None) => AdoptForm::Wasm(WASM_FILE.into()),
            (Form::Wasm, Some(file)) => AdoptForm::Wasm(name_of(file)),
            (Form::Module, file) => {
                AdoptForm::Module(module_name(file.as_deref().unwrap_or(Path::new("")))?)
            }
        })
    }
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
    notes.extend(adopted.admin.iter().map(|address| {
        format!(
            "admin: the bootstrap had none; {address} answers only what the filter reads. Another program \
             on this host must not use the port"
        )
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
