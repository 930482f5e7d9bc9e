//! `spillgate lint` for the documents of a mesh.

use std::{collections::BTreeSet, path::PathBuf};

use spillgate_config::{
    Diagnostic,
    envoy::Format,
    mesh::{MeshDocuments, is_mesh, read},
};
use spillgate_lint::lint_mesh;

use super::{args::LintArgs, json::FileFindings};
use crate::{
    command::Done,
    input::{Faults, Text, read_text},
};

/// Reading warns about it, and so does a rule.
const REPORTED: &str = "mesh/no-outlier-detection";

/// The texts of all files, if they are documents of a mesh.
///
/// # Errors
/// If a file is unreadable, or there are several files or `--health` for an Envoy configuration.
pub(super) fn texts(
    args: &LintArgs,
    first: &Result<Text, Faults>,
) -> Result<Option<Vec<Text>>, Faults> {
    let Ok(first) = first else {
        return Ok(None);
    };
    let stdin = |path: &&PathBuf| path.as_os_str() == "-";
    let named = args.further.iter().chain([&args.config.config]);
    if named.filter(stdin).count() > 1 {
        let fault = Diagnostic::error("input/twice", "standard input cannot be read twice")
            .expected("`-` for one file");
        return Err(Faults::one("-", &fault));
    }
    let mut texts = Vec::from([first.clone()]);
    let mut faults = Faults::default();
    for path in &args.further {
        match read_text(path) {
            Ok(text) => texts.push(text),
            Err(fault) => faults.extend(fault),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mesh = texts.iter().any(describes_mesh);
    match (mesh, args.further.first(), &args.config.health) {
        (true, _, None) => Ok(Some(texts)),
        (true, _, Some(_)) => {
            let fault = Diagnostic::error("input/health", "--health needs an Envoy configuration");
            Err(Faults::one(&first.name, &fault))
        }
        (false, None, _) => Ok(None),
        (false, Some(_), _) => {
            let fault = Diagnostic::error("input/several", "several files need mesh documents")
                .expected("one Envoy configuration, or documents of Kuma or Istio");
            Err(Faults::one(&first.name, &fault))
        }
    }
}

/// Whether a text contains documents of a mesh.
fn describes_mesh(text: &Text) -> bool {
    let parsed = Format::guess(&text.name, &text.text).parse(&text.text);
    parsed.is_ok_and(|document| is_mesh(&document))
}

/// The findings in each file.
///
/// # Errors
/// Every error of all files.
pub(super) fn findings(texts: Vec<Text>, done: &mut Done) -> Result<Vec<FileFindings>, Faults> {
    let mut documents = MeshDocuments::default();
    let mut faults = Faults::default();
    for (number, text) in texts.iter().enumerate() {
        let format = Format::guess(&text.name, &text.text);
        match read(&text.text, format, number) {
            Ok(mut own) => {
                own.warnings.retain(|warning| warning.code != REPORTED);
                done.warn(&text.name, &own.warnings);
                name_skipped(&text.name, &own, done);
                documents.append(own);
            }
            Err(found) => faults.extend(Faults::all(&text.name, &found)),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut files: Vec<FileFindings> = texts
        .into_iter()
        .map(|text| FileFindings {
            name: text.name,
            text: text.text,
            findings: Vec::new(),
        })
        .collect();
    for found in lint_mesh(&documents) {
        if let Some(file) = files.get_mut(found.file) {
            file.findings.push(found.finding);
        }
    }
    Ok(files)
}

/// Names the kinds of the documents that are not read.
fn name_skipped(file: &str, documents: &MeshDocuments, done: &mut Done) {
    let kinds = documents
        .skipped
        .iter()
        .map(|document| document.kind.as_str());
    let kinds: BTreeSet<&str> = kinds.collect();
    if !kinds.is_empty() {
        let kinds: Vec<&str> = kinds.into_iter().collect();
        let kinds = kinds.join(", ");
        done.warnings.push(format!(
            "warning: {file}: documents of other kinds are ignored: {kinds}"
        ));
    }
}
