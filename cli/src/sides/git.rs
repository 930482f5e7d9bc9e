//! The files of a git revision, read by the git program.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, NamedText, node::quote};
use spillgate_explain::shell_word;

use crate::{folder::has_extension, inputs::Inputs};

/// Files of a revision.
#[derive(Default)]
pub(super) struct RevisionFiles {
    /// Their texts, named `REV:PATH`.
    pub(super) inputs: Inputs,
    /// The command that prints each file that was given as a path, and not in a folder.
    pub(super) commands: Vec<String>,
}

/// These files and folders in a revision. A file that was renamed since has its old name there, and one that is new is
/// on the new side only.
///
/// # Errors
/// If git cannot be started, the revision is unknown, or it has none of the files.
pub(super) fn read_files(revision: &str, paths: &[String]) -> Result<RevisionFiles, Faults> {
    if revision.starts_with('-') {
        let fault = Diagnostic::error("diff/git", "invalid revision").found(quote(revision));
        let fault = fault.expected("a branch, a tag or a commit");
        return Err(Faults::one("--git", &fault));
    }
    let mut faults = Faults::default();
    let mut files = RevisionFiles::default();
    let (mut found, mut missing) = (false, Faults::default());
    for path in paths {
        match files.add(revision, path) {
            Ok(Added::Files) => found = true,
            Ok(Added::Nothing(wrong)) => missing.extend(wrong),
            Err(wrong) => faults.extend(wrong),
        }
    }
    if !found {
        faults.extend(missing);
    }
    if faults.is_empty() {
        Ok(files)
    } else {
        Err(faults)
    }
}

/// What a path added.
enum Added {
    Files,
    /// The revision does not have it.
    Nothing(Faults),
}

impl RevisionFiles {
    fn add(&mut self, revision: &str, path: &str) -> Result<Added, Faults> {
        let name = format!("{revision}:{path}");
        let fault = |fault: Box<Diagnostic>| Faults::one(&name, &fault);
        // git reads paths from the folder that it runs in. The old side of a folder that is gone is still a folder.
        let given = Path::new(path);
        let parent = given.parent().filter(|of| !of.as_os_str().is_empty());
        let (folder, file) = match given.file_name() {
            Some(file) if !given.is_dir() => (parent.unwrap_or(Path::new(".")), Path::new(file)),
            _ => (given, Path::new(".")),
        };
        let file = file.to_string_lossy();
        let listed = git(
            folder,
            &["ls-tree", "-r", "--name-only", "-z", revision, "--", &file],
        );
        let listed = listed.map_err(fault)?;
        let mut files: Vec<&str> = listed.split('\0').filter(|file| !file.is_empty()).collect();
        let is_folder = files != [&*file];
        if is_folder {
            files.retain(|file| has_extension(Path::new(file)));
        }
        if files.is_empty()
            && let Some(old) = old_name(folder, &file, revision).map_err(fault)?
        {
            let name = format!("{revision}:{old}");
            let text = git(folder, &["show", &name]).map_err(fault)?;
            self.commands.push(show(parent, &name));
            self.inputs.push(NamedText { name, text }, None)?;
            return Ok(Added::Files);
        }
        if files.is_empty() {
            let missing = Diagnostic::error("diff/git", "the revision does not have this path");
            let missing = missing.expected("a file or folder that both sides have");
            return Ok(Added::Nothing(Faults::one(&name, &missing)));
        }
        for file in files {
            let object = format!("{revision}:./{file}");
            let text = git(folder, &["show", &object]).map_err(fault)?;
            if !is_folder {
                self.commands.push(show(parent, &object));
            }
            let below = if is_folder && given.is_dir() {
                format!("{name}/{file}")
            } else {
                name.clone()
            };
            let text = NamedText { name: below, text };
            self.inputs.push(text, is_folder.then(|| name.clone()))?;
        }
        Ok(Added::Files)
    }
}

/// The command that prints a file from the present folder.
fn show(parent: Option<&Path>, object: &str) -> String {
    let folder = parent.map(|of| format!("-C {} ", shell_word(&of.to_string_lossy())));
    format!(
        "git {}show {}",
        folder.unwrap_or_default(),
        shell_word(object)
    )
}

/// The name that a file has in a revision, from the top of the repository, if it was renamed since.
fn old_name(folder: &Path, file: &str, revision: &str) -> Result<Option<String>, Box<Diagnostic>> {
    let prefix = git(folder, &["rev-parse", "--show-prefix"])?;
    let new = format!("{}{file}", prefix.trim_end());
    let renamed = git(
        folder,
        &[
            "diff",
            "--find-renames",
            "--diff-filter=R",
            "--name-status",
            "-z",
            revision,
            "--",
            ":/",
        ],
    )?;
    // A similarity, the old and the new name.
    let fields: Vec<&str> = renamed.split('\0').collect();
    let mut pairs = fields.chunks_exact(3).filter_map(|fields| match fields {
        [_, old, name] if *name == new => Some((*old).to_owned()),
        _ => None,
    });
    Ok(pairs.next())
}

/// The output of git.
fn git(folder: &Path, arguments: &[&str]) -> Result<String, Box<Diagnostic>> {
    let output = Command::new("git")
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            let what = format!("cannot start git: {error}");
            let fault = Diagnostic::error("diff/git", what);
            Box::new(fault.expected("the program git, and an existing folder"))
        })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or_default().trim();
        let said = said.strip_prefix("fatal: ").unwrap_or(said);
        return Err(Box::new(Diagnostic::error(
            "diff/git",
            format!("git: {said}"),
        )));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Box::new(Diagnostic::error("diff/git", "the file is not UTF-8")))
}
