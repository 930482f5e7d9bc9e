//! The GitHub Action and the pre-commit hooks: their own commands, run with this program.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use spillgate_config::node::{Scalars, read_yaml, to_json};
use spillgate_testkit::repository;

use crate::run::{Ran, fixtures};

/// A configuration with an error that lint reports.
const FAULTY: &str = "lint.yaml";
/// A configuration without an error.
const ZONES: &str = "../../../../envoy-config/zones/envoy.yaml";

fn yaml(file: &str) -> Value {
    let text = fs::read_to_string(repository().join(file)).unwrap();
    let document = read_yaml(&text, Scalars::Json).unwrap();
    serde_json::from_str(&to_json(&document.roots[0])).unwrap()
}

/// An empty folder for the results of a test.
fn results(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn ran(command: &mut Command) -> Ran {
    let output = command.current_dir(fixtures()).output().unwrap();
    Ran {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the steps of the action as GitHub does: each in bash, with its variables and the outputs of earlier
/// steps.
fn action(name: &str, given: &[(&str, &str)]) -> Ran {
    let action = yaml("action.yml");
    let folder = results(name);
    let outputs = folder.join("outputs");
    let mut known = String::new();
    let mut last = None;
    for step in action["runs"]["steps"].as_array().unwrap() {
        assert_eq!(step["shell"], "bash");
        let mut command = Command::new("bash");
        command.args(["-e", "-c", step["run"].as_str().unwrap()]);
        command.env("GITHUB_OUTPUT", &outputs);
        for (variable, value) in step["env"].as_object().unwrap() {
            let value = value.as_str().unwrap();
            let expression = value
                .strip_prefix("${{ ")
                .unwrap()
                .strip_suffix(" }}")
                .unwrap();
            let value = match expression.split_once('.').unwrap() {
                ("inputs", "program") => env!("CARGO_BIN_EXE_spillgate").to_owned(),
                ("inputs", "sarif") => folder.join("sarif").to_str().unwrap().to_owned(),
                ("inputs", input) => {
                    let default = action["inputs"][input]["default"].as_str();
                    let given = given.iter().find(|(name, _)| *name == input);
                    given
                        .map_or(default.unwrap_or_default(), |(_, value)| value)
                        .to_owned()
                }
                ("github", "action_path") => repository().to_str().unwrap().to_owned(),
                ("steps", "program.outputs.path") => {
                    known.trim().strip_prefix("path=").unwrap().to_owned()
                }
                other => panic!("unknown expression {other:?}"),
            };
            command.env(variable, value);
        }
        let step = ran(&mut command);
        known = fs::read_to_string(&outputs).unwrap_or_else(|_| String::new());
        last = Some(step);
    }
    last.unwrap()
}

/// The results in the files that the action wrote.
fn logs(name: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(name)
        .join("sarif");
    let files = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    let log = |path| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    paths.into_iter().map(log).collect()
}

#[test]
fn the_action_lints_each_file() {
    let files = format!("{ZONES}\n\n{FAULTY}\n");
    let lint = action("action-lint", &[("files", &files)]);
    assert_eq!(lint.status, 1, "{}{}", lint.stdout, lint.stderr);
    let logs = logs("action-lint");
    let ids = logs
        .iter()
        .map(|log| &log["runs"][0]["automationDetails"]["id"]);
    let expected = [ZONES, FAULTY].map(|file| format!("spillgate-lint/{file}/"));
    assert!(ids.eq(expected.iter()), "{logs:#?}");
    let results = logs[1]["runs"][0]["results"].as_array().unwrap();
    assert!(results.iter().any(|result| result["level"] == "error"));
    assert_eq!(action("action-fine", &[("files", ZONES)]).status, 0);
}

#[test]
fn the_action_checks_expectations() {
    let arguments = "--lose\nzone=a:40%\n--expect\nload(P0) >= 90\n";
    let given = [
        ("command", "what-if"),
        ("files", ZONES),
        ("arguments", arguments),
    ];
    let ran = action("action-what-if", &given);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    let logs = logs("action-what-if");
    assert_eq!(
        logs[0]["runs"][0]["results"][0]["ruleId"],
        "what-if/expectation"
    );
}

#[test]
fn the_action_refuses_another_command() {
    let ran = action("action-other", &[("command", "split"), ("files", ZONES)]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("expected lint, what-if or diff"),
        "{}",
        ran.stderr
    );
    let missing = action("action-missing", &[("files", "no-such-file.yaml")]);
    assert_eq!(missing.status, 2, "{}", missing.stderr);
}

/// Runs a hook as pre-commit does: its entry below the hook's repository, its arguments, and the files.
fn hook(id: &str, args: Option<&[&str]>, files: &[&str]) -> Ran {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let mut all = hooks.as_array().unwrap().iter();
    let hook = all.find(|hook| hook["id"] == id).unwrap();
    assert_eq!(hook["language"], "script");
    let mut entry = hook["entry"].as_str().unwrap().split(' ');
    let mut command = Command::new(repository().join(entry.next().unwrap()));
    command
        .args(entry)
        .env("SPILLGATE", env!("CARGO_BIN_EXE_spillgate"));
    match args {
        Some(args) => command.args(args),
        None => command.args(
            hook["args"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one.as_str().unwrap()),
        ),
    };
    ran(command.args(files))
}

#[test]
fn the_hooks_check_each_file() {
    assert_eq!(hook("spillgate-lint", None, &[ZONES]).status, 0);
    let lint = hook("spillgate-lint", None, &[FAULTY, ZONES]);
    assert_eq!(lint.status, 1, "{}{}", lint.stdout, lint.stderr);
    assert!(lint.stdout.contains("error"), "{}", lint.stdout);
    let survives = hook("spillgate-what-if", None, &[ZONES, ZONES]);
    assert_eq!(
        survives.stdout.matches("survives n-1").count(),
        2,
        "{}",
        survives.stdout
    );
    let args = ["--lose", "zone=a:40%", "--expect", "load(P0) >= 90", "--"];
    assert_eq!(hook("spillgate-what-if", Some(&args), &[ZONES]).status, 1);
}

/// Runs git in a folder, which must succeed.
fn git(folder: &Path, args: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    let mut command = Command::new("git");
    let output = command.current_dir(folder).args(identity).args(args);
    let output = output.output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
}

#[test]
fn the_hook_of_diff_skips_new_files_and_knows_its_revision() {
    let folder = results("hook-diff");
    let path = |name: &str| folder.join(name).display().to_string();
    let (old, new) = (path("old.yaml"), path("new.yaml"));
    fs::copy(fixtures().join(ZONES), &old).unwrap();
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "--message", "first"]);
    fs::copy(&old, &new).unwrap();
    let ran = hook("spillgate-diff", None, &[&old, &new]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("holds no new 503"), "{}", ran.stdout);
    let skipped = format!("{new}: skipped, because HEAD does not have it\n");
    assert!(ran.stdout.ends_with(&skipped), "{}", ran.stdout);
    let args = ["--git", "no-such", "--"];
    let unknown = hook("spillgate-diff", Some(&args), &[&old, &new]);
    assert_eq!(unknown.status, 2, "{}", unknown.stdout);
    assert!(
        unknown.stderr.contains("unknown revision no-such"),
        "{}",
        unknown.stderr
    );
}
