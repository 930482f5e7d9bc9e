//! The objects as a file or a diff, after the comparison and the check.

use std::path::Path;

use serde_json::Value;
use spillgate_adopt::{GeneratedChanges, file_diff, objects_yaml};
use spillgate_answers::input::{Faults, name_of};
use spillgate_config::{Diagnostic, NamedText};

use super::objects::{ObjectsFile, keep_added};
use crate::{
    adopt::{AdoptArgs, check, options, proof, shown, write},
    command::{Done, Finished},
};

/// What the command has found.
pub(super) struct Outcome<'a> {
    /// The documents of the user.
    pub(super) texts: &'a [NamedText],
    /// The file of the objects.
    pub(super) file: &'a ObjectsFile,
    /// The generated configuration.
    pub(super) before: &'a Value,
    pub(super) changes: &'a GeneratedChanges,
    pub(super) objects: Vec<Value>,
    /// What remains to be done.
    pub(super) notes: Vec<String>,
}

/// Compares, checks and prints or writes.
///
/// # Errors
/// Sessions that would end, a result with new errors of `lint`, and a check that cannot run.
pub(super) fn finish(args: &AdoptArgs, outcome: Outcome<'_>, mut done: Done) -> Finished {
    let Outcome {
        texts,
        file,
        before,
        changes,
        mut objects,
        notes,
    } = outcome;
    if let (true, Some(text)) = (args.undo, &file.text) {
        done.output = removal(&file.name, text);
        return Ok(done);
    }
    check_sessions(changes, file)?;
    keep_added(&mut objects, file);
    let name = texts.first().map_or("-", |text| text.name.as_str());
    let after = changes.steered(before);
    let [old, new] = [before, &after].map(|value| NamedText {
        name: name.to_owned(),
        text: value.to_string(),
    });
    let is_new = objects != file.objects;
    let text = match (&file.text, is_new) {
        (Some(text), false) => text.clone(),
        _ => objects_yaml(&objects),
    };
    if is_new {
        let (old, new) = (core::slice::from_ref(&old), core::slice::from_ref(&new));
        done.closing = proof::compare(old, new, &changes.adopted)?;
        done.closing.extend(notes);
    } else {
        let line = "the objects of the filter are there already: nothing to change";
        done.closing.push(line.into());
    }
    if let Some(program) = &args.check {
        let texts = (name, &[old.text][..], &[new.text][..]);
        let report = check::checked(args, program, texts, &options(args)?)?;
        done.closing.extend(report.lines);
        done.negative = !report.passed;
    }
    match &args.write {
        Some(_) if done.negative => {
            let line = "the check failed: nothing is written";
            done.closing.push(line.into());
        }
        Some(path) => write_objects(path, &text, texts)?,
        None if args.undo => done.output = file_diff(shown(&file.name), Some(&text), None),
        None => done.output = file_diff(shown(&file.name), file.text.as_deref(), Some(&text)),
    }
    Ok(done)
}

/// The note about the image of the filter, unless an argument names it.
pub(super) fn image_note(args: &AdoptArgs, url: &str) -> Option<String> {
    let is_named = args.url.is_some();
    (!is_named).then(|| format!("the image of the filter is {url}: --url names yours"))
}

/// The diff that removes the file of the objects.
pub(super) fn removal(name: &str, text: &str) -> String {
    file_diff(shown(name), Some(text), None)
}

/// Sessions that are there must be asked for again.
fn check_sessions(changes: &GeneratedChanges, file: &ObjectsFile) -> Result<(), Faults> {
    if !file.keeps_sessions() || changes.adopted.sessions {
        return Ok(());
    }
    let what = "the filter that is there keeps sessions";
    let fault = Diagnostic::error("adopt/not-carried-over", what);
    let fault = fault.expected("--sessions as before, or --undo");
    Err(Faults::one(&file.name, &fault))
}

/// Writes the objects into a file that is not one of the user's.
fn write_objects(path: &Path, text: &str, others: &[NamedText]) -> Result<(), Faults> {
    if others.iter().any(|other| Path::new(&other.name) == path) {
        let what = "--write: the objects of the filter are a file of their own";
        let fault = Diagnostic::error("adopt/option", what);
        return Err(Faults::one(
            &name_of(path),
            &fault.found("a file of CONFIG"),
        ));
    }
    let like = others.first().map_or(path, |text| Path::new(&text.name));
    write(path, text, like)
}
