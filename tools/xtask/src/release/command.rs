//! The command for each target, its completions and its manual pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value, json};

use crate::build::{SHIPPED, same_everywhere, with_page};
use crate::files;
use crate::identity::BuildIdentity;
use crate::process;
use crate::project::Project;
use crate::toolchain::active;

/// The targets of a release. The first one must run on this machine.
const TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "x86_64-unknown-linux-musl"];
/// The completions: shell, and the file name that the shell expects.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "spillgate.bash"),
    ("zsh", "_spillgate"),
    ("fish", "spillgate.fish"),
    ("elvish", "spillgate.elv"),
    ("powershell", "_spillgate.ps1"),
];

/// Builds the command for all available targets into `parts`. Writes the reason for each other target.
pub(super) fn commands(project: &Project, parts: &Path, identity: &BuildIdentity) -> Result<()> {
    let mut missing = Map::new();
    let mut native = None;
    for target in TARGETS {
        println!("building the command for {target}");
        // The standard library of a target comes from rustup, which may have no network here.
        if let Err(error) = active::add(target, "std") {
            println!("  not built: {error:#}");
            missing.insert(target.to_owned(), json!(format!("{error:#}")));
            continue;
        }
        let program = build(project, target)?;
        let folder = parts.join("commands").join(target);
        fs::create_dir_all(&folder)?;
        let place = folder.join("spillgate");
        files::copy(&program, &place)?;
        native = native.or(Some(place));
    }
    files::write_atomically(
        &parts.join("missing.json"),
        Value::Object(missing).to_string(),
    )?;
    let program = native.context("no target is available")?;
    completions(&program, &parts.join("completions"))?;
    manual_pages(&program, &parts.join("man"))?;
    version(&program, identity)
}

fn build(project: &Project, target: &str) -> Result<PathBuf> {
    // A folder of its own: with these compiler options, cargo would build all other programs again.
    let folder = project.target.join("release-command");
    let mut command = project.cargo();
    command
        .args(["build", "--locked", "--package", "spillgate"])
        .args(["--profile", SHIPPED])
        .args(["--target", target, "--target-dir"])
        .arg(&folder);
    with_page(project, &mut command);
    same_everywhere(project, &mut command);
    process::run(&mut command)?;
    Ok(folder.join(target).join(SHIPPED).join("spillgate"))
}

fn completions(program: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    for (shell, name) in COMPLETIONS {
        let script = output(program, &["completions", shell])?;
        files::write_atomically(&folder.join(name), script)?;
    }
    Ok(())
}

/// A page for the command, for each of its commands, and for each of theirs.
fn manual_pages(program: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut open = vec![Vec::new()];
    while let Some(path) = open.pop() {
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        let page = output(program, &[&["man"], &words[..]].concat())?;
        let name = [&["spillgate"], &words[..]].concat().join("-");
        for inner in inner_commands(&page, &name) {
            open.push([&path[..], &[inner]].concat());
        }
        files::write_atomically(&folder.join(format!("{name}.1")), page)?;
    }
    Ok(())
}

/// The commands that a page refers to, as `NAME\-COMMAND(1)`.
fn inner_commands(page: &str, name: &str) -> Vec<String> {
    let start = format!("{}\\-", name.replace('-', "\\-"));
    let commands = page.lines().filter_map(|line| {
        let inner = line.strip_prefix(&start)?.strip_suffix("(1)")?;
        (inner != "help").then(|| inner.replace('\\', ""))
    });
    commands.collect()
}

/// Compares what the program says about itself.
fn version(program: &Path, identity: &BuildIdentity) -> Result<()> {
    let text = output(program, &["--version"])?;
    let BuildIdentity {
        version, commit, ..
    } = identity;
    if text.trim() != format!("spillgate {version} ({commit})") {
        bail!("`spillgate --version` prints {text}, expected {version} ({commit})");
    }
    Ok(())
}

/// What the program prints, unchanged.
fn output(program: &Path, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(program);
    let output = command.args(arguments).output()?;
    if !output.status.success() {
        bail!("`{}` failed", process::shown(&command));
    }
    String::from_utf8(output.stdout).context("output that is not UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_of_a_page_are_found() {
        let page = ".SH SUBCOMMANDS\n.TP\nspillgate\\-link(1)\nLinks\n.TP\nspillgate\\-what\\-if(1)\nx\n.TP\nspillgate\\-help(1)\n";
        assert_eq!(inner_commands(page, "spillgate"), ["link", "what-if"]);
        let page = "spillgate\\-link\\-encode(1)\n";
        assert_eq!(inner_commands(page, "spillgate-link"), ["encode"]);
    }
}
