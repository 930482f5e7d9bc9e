//! The examples of the help texts: each one runs.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use clap::CommandFactory as _;

use crate::run::{scratch, vectors};

/// A folder with everything that examples name.
pub(crate) fn examples(name: &str) -> PathBuf {
    let folder = scratch(name);
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/examples");
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    std::os::unix::fs::symlink(vectors(), folder.join("vectors")).unwrap();
    // Keys that are kept in a repository would be secrets that everybody knows.
    for keys in [
        "spillgate token keygen > keys.yaml",
        "spillgate token rotate --keys keys.yaml --add > two-keys.yaml",
    ] {
        let (status, _, stderr) = shell(keys, &folder);
        assert_eq!(status, 0, "{keys}: {stderr}");
    }
    folder
}

/// Runs a line of a shell in a folder: status, standard output, standard error.
pub(crate) fn shell(line: &str, folder: &Path) -> (i32, String, String) {
    let bin = Path::new(env!("CARGO_BIN_EXE_spillgate")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path =
        std::env::join_paths(std::iter::once(bin.to_owned()).chain(std::env::split_paths(&path)));
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path.unwrap())
        .env_remove("NO_COLOR")
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

/// The examples of a command's help, by its name.
fn of_help(command: &clap::Command, parents: &str, to: &mut Vec<(String, Vec<String>)>) {
    for command in command.get_subcommands() {
        let name = format!("{parents}{}", command.get_name());
        if command.has_subcommands() {
            of_help(command, &format!("{name} "), to);
            continue;
        }
        let help = command.get_after_long_help().map(ToString::to_string);
        let lines = help.unwrap_or_default();
        let lines = lines
            .lines()
            .skip_while(|line| *line != "Examples:")
            .skip(1);
        let lines = lines.take_while(|line| line.starts_with("  "));
        to.push((name, lines.map(|line| line.trim().to_owned()).collect()));
    }
}

/// Whether nothing but us and the shell is needed, no Envoy either; where the output goes is for
/// the user.
fn runnable(example: &str) -> Option<&str> {
    if example.contains(" --envoy ") {
        return None;
    }
    let (line, _) = example.split_once(" > ").unwrap_or((example, ""));
    let ours =
        |part: &str| part.trim().starts_with("spillgate ") || part.trim().starts_with("echo ");
    line.split(" | ").all(ours).then_some(line)
}

#[test]
fn every_example_of_every_help_text_runs() {
    let folder = examples("help-examples");
    let mut commands = Vec::new();
    of_help(&spillgate::Args::command(), "", &mut commands);
    for (name, examples) in commands {
        let mut ran = 0;
        for line in examples.iter().filter_map(|example| runnable(example)) {
            let (status, stdout, stderr) = shell(line, &folder);
            // 1 is an answer too: "no".
            assert!(
                status < 2 && !stdout.is_empty(),
                "{line}: {status}\n{stderr}"
            );
            ran += 1;
        }
        assert!(
            ran > 0,
            "no example of `spillgate {name}` was run: {examples:?}"
        );
    }
}

#[test]
fn completions_and_manual_know_every_command() {
    let folder = scratch("completions");
    for shell_name in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (status, script, _) = shell(&format!("spillgate completions {shell_name}"), &folder);
        assert_eq!(status, 0);
        for word in ["split", "explain", "include-addresses"] {
            assert!(script.contains(word), "{shell_name}: {word}");
        }
    }
    let (status, page, _) = shell("spillgate man link encode", &folder);
    assert_eq!(status, 0);
    assert!(page.contains(".TH spillgate-link-encode 1"), "{page}");
    assert!(page.contains("include\\-addresses"), "{page}");
    let (status, _, stderr) = shell("spillgate man lnk", &folder);
    assert_eq!(status, 2);
    assert!(stderr.contains("(did you mean link?)"), "{stderr}");
}

#[test]
fn colours_come_where_they_are_asked_for() {
    let folder = examples("colours");
    let escapes = |line: &str| shell(line, &folder).1.contains('\u{1b}');
    for command in ["split envoy.yaml", "explain envoy.yaml"] {
        assert!(escapes(&format!("spillgate {command} --color always")));
        assert!(escapes(&format!(
            "NO_COLOR=1 spillgate --color always {command}"
        )));
        assert!(!escapes(&format!("spillgate {command} --color never")));
        assert!(
            !escapes(&format!("spillgate {command}")),
            "this is no terminal"
        );
    }
}
