//! The steps of the README lead to the answers that it prints. The module `manual` runs its `console` blocks; this one
//! covers the steps in its `sh` blocks.

use std::{fs, path::Path, process::Command};

use serde_json::Value;

use spillgate_testkit::repository;

use crate::{canned, help::shell, run::scratch};

/// What a cargo command prints for a package.
fn cargo(arguments: &[&str], manifest: &Path) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).arg("--manifest-path").arg(manifest);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands of the README's `sh` blocks, without comments.
fn steps() -> Vec<String> {
    let text = fs::read_to_string(repository().join("README.md")).unwrap();
    let blocks = text.split("```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap().lines());
    let commands = lines.map(|line| line.split(" #").next().unwrap().trim_end());
    commands.map(str::to_owned).collect()
}

/// The links to the playground of the demo have the clusters of their files.
#[test]
fn the_links_to_the_playground_show_their_files() {
    let text = fs::read_to_string(repository().join("README.md")).unwrap();
    for file in ["envoy-config/zones", "cli/tests/cli/examples"] {
        let encode = format!(
            "spillgate link encode {file}/envoy.yaml --include-names --page http://127.0.0.1:8080/"
        );
        let (status, link, stderr) = shell(&encode, repository());
        assert_eq!(status, 0, "{stderr}");
        assert!(text.contains(&format!("]({})", link.trim())), "{link}");
    }
}

/// A step that this test does not know fails it, so that no step is printed untried. What an installation compiles is
/// what the other tests compile; here it must find its package, and the lock file must be current.
#[test]
fn every_step_of_the_readme_works() {
    let root = repository();
    let folder = scratch("readme");
    canned::serve_in(&folder);
    let steps = steps();
    assert!(steps.len() >= 6, "{steps:?}");
    for step in steps {
        let words: Vec<&str> = step.split(' ').collect();
        match words[..] {
            ["cargo", "install", "--path", package, "--locked"] => {
                let manifest = root.join(package).join("Cargo.toml");
                let metadata = ["metadata", "--no-deps", "--format-version=1"];
                let found: Value = serde_json::from_str(&cargo(&metadata, &manifest)).unwrap();
                let packages = found["packages"].as_array().unwrap();
                let path = fs::canonicalize(&manifest).unwrap();
                let installed = packages.iter().find(|found| {
                    fs::canonicalize(found["manifest_path"].as_str().unwrap()).unwrap() == path
                });
                let targets = installed.unwrap()["targets"].as_array().unwrap();
                let is_command =
                    |target: &Value| target["name"] == "spillgate" && target["kind"][0] == "bin";
                assert!(targets.iter().any(is_command), "{step}");
                let tree = ["tree", "--locked", "--offline", "--depth", "0"];
                assert!(cargo(&tree, &manifest).starts_with("spillgate v"), "{step}");
            }
            // The copy of this test.
            ["git", "clone", _] => {}
            // `cargo xtask test` runs `cargo xtask demo --check`.
            ["cargo", "xtask", "demo" | "test"] => {}
            ["spillgate", ..] => {
                let (status, stdout, stderr) = shell(&step, &folder);
                let answered = !stdout.is_empty() || folder.join("capture.json").exists();
                assert!(status < 2 && answered, "{step}: {status}\n{stderr}");
            }
            _ => panic!("no test for `{step}`"),
        }
    }
}
