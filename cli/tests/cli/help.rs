//! The help texts: their golden file, their size, and their examples, which all run.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use clap::CommandFactory as _;

use crate::{
    canned,
    run::{assert_golden, scratch, vectors},
};

/// A folder with every file that the examples use, and the admin interface of an Envoy.
pub(crate) fn examples(name: &str) -> PathBuf {
    let folder = scratch(name);
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/examples");
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = folder.join(entry.file_name());
        if entry.path().is_dir() {
            std::os::unix::fs::symlink(entry.path(), to).unwrap();
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
    std::os::unix::fs::symlink(vectors(), folder.join("vectors")).unwrap();
    canned::serve_in(&folder);
    // Keys in a repository would be public secrets, so each run creates new ones.
    for keys in [
        "spillgate token keygen > keys.yaml",
        "spillgate token rotate --keys keys.yaml --add > two-keys.yaml",
        "spillgate token mint --keys keys.yaml --scope shop.example --cluster shop \
         --host 10.0.0.1:80 > token.txt",
    ] {
        let (status, _, stderr) = shell(keys, &folder);
        assert_eq!(status, 0, "{keys}: {stderr}");
    }
    folder
}

/// Runs a line of a shell in a folder: status, standard output, standard error. The admin interface of
/// examples is a socket in the folder, because another process can have its port.
pub(crate) fn shell(line: &str, folder: &Path) -> (i32, String, String) {
    shell_with(MessageForm::Full, line, folder)
}

/// The form of errors and warnings.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MessageForm {
    Full,
    /// One line each.
    Short,
}

/// The same with errors and warnings in one form.
pub(crate) fn shell_with(form: MessageForm, line: &str, folder: &Path) -> (i32, String, String) {
    let form = match form {
        MessageForm::Full => "full",
        MessageForm::Short => "short",
    };
    let bin = Path::new(env!("CARGO_BIN_EXE_spillgate")).parent().unwrap();
    let line = line.replace("http://localhost:9901", "unix:admin.sock");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path =
        std::env::join_paths(std::iter::once(bin.to_owned()).chain(std::env::split_paths(&path)));
    let output = Command::new("sh")
        .args(["-c", &line])
        .current_dir(folder)
        .env("PATH", path.unwrap())
        .env("SPILLGATE_MESSAGES", form)
        .env_remove("NO_COLOR")
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

/// The names of a command and of all commands below it, with their parents.
fn names_of(command: &clap::Command, name: &str, to: &mut Vec<String>) {
    to.push(name.to_owned());
    for command in command.get_subcommands() {
        names_of(command, &format!("{name} {}", command.get_name()), to);
    }
}

/// The names of all commands, `spillgate` first.
fn command_names() -> Vec<String> {
    let mut names = Vec::new();
    names_of(&spillgate::Args::command(), "spillgate", &mut names);
    names
}

/// What a command prints for `--help`.
fn help_of(name: &str, folder: &Path) -> String {
    let (status, help, stderr) = shell(&format!("{name} --help"), folder);
    assert_eq!((status, stderr.as_str()), (0, ""), "{name}");
    help
}

/// The examples at the end of a help text.
fn examples_of(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Examples:");
    lines.skip(1).map(str::trim).collect()
}

/// The command line of an example that needs only `spillgate` and the shell, without redirection of
/// its output.
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
fn help_texts_match_the_golden_file() {
    let folder = scratch("help-golden");
    let texts = command_names().into_iter().map(|name| {
        let help = help_of(&name, &folder);
        format!("$ {name} --help\n{help}")
    });
    assert_golden("help.txt", &texts.collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_help_text_fits_one_screen_and_ends_with_two_examples() {
    let folder = scratch("help-size");
    for name in command_names() {
        let help = help_of(&name, &folder);
        assert!(help.lines().count() <= 48, "{name}:\n{help}");
        assert!(
            help.lines().all(|line| line.chars().count() <= 100),
            "{name}:\n{help}"
        );
        assert_eq!(examples_of(&help).len(), 2, "{name}:\n{help}");
        assert_eq!(help, shell(&format!("{name} -h"), &folder).1, "{name}");
    }
}

/// The help lists the values of an option in its own words, which must be complete.
#[test]
fn every_help_text_names_all_values_of_its_options() {
    fn check(command: &clap::Command, name: &str) {
        for argument in command
            .get_arguments()
            .filter(|a| a.is_hide_possible_values_set())
        {
            let help = argument
                .get_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            for value in argument.get_possible_values() {
                assert!(
                    help.contains(value.get_name()),
                    "{name} {}: {help}",
                    argument.get_id()
                );
            }
        }
        for command in command.get_subcommands() {
            check(command, &format!("{name} {}", command.get_name()));
        }
    }
    check(&spillgate::Args::command(), "spillgate");
}

#[test]
fn every_example_of_every_help_text_runs() {
    let folder = examples("help-examples");
    // These serve until they are stopped; they have tests of their own.
    let serving = ["spillgate ui", "spillgate exporter"];
    for name in command_names()
        .into_iter()
        .filter(|name| !serving.contains(&name.as_str()))
    {
        let help = help_of(&name, &folder);
        let mut ran = 0;
        for line in examples_of(&help).into_iter().filter_map(runnable) {
            let (status, stdout, stderr) = shell(line, &folder);
            // Status 1 is a negative result, not an error.
            assert!(
                status < 2 && !stdout.is_empty(),
                "{line}: {status}\n{stderr}"
            );
            ran += 1;
        }
        assert!(ran > 0, "no example of `{name}` can run:\n{help}");
    }
}

#[test]
fn completions_and_manual_pages_cover_every_command() {
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
    assert!(stderr.contains("did you mean link?"), "{stderr}");
}

#[test]
fn colors_follow_the_option_and_the_environment() {
    let folder = examples("colors");
    let escapes = |line: &str| shell(line, &folder).1.contains('\u{1b}');
    for command in ["split envoy.yaml", "explain envoy.yaml"] {
        assert!(escapes(&format!("spillgate {command} --color always")));
        assert!(escapes(&format!(
            "NO_COLOR=1 spillgate --color always {command}"
        )));
        assert!(!escapes(&format!("spillgate {command} --color never")));
        assert!(
            !escapes(&format!("spillgate {command}")),
            "a pipe is not a terminal"
        );
    }
}
