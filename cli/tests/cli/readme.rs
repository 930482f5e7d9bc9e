//! The steps of the README lead to the answers that it prints. The module `manual` runs its `console` blocks; this one
//! covers the steps in its `sh` blocks.

use std::{fs, path::Path, process::Command};

use crate::{help::shell, run::scratch};

/// The commands of the README's `sh` blocks, without comments.
fn steps() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let text = fs::read_to_string(path).unwrap();
    let blocks = text.split("```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap().lines());
    let commands = lines.map(|line| line.split(" #").next().unwrap().trim_end());
    commands.map(str::to_owned).collect()
}

/// A step that this test does not know fails it, so that no step is printed untried. What an installation compiles is
/// what the other tests compile; here it must find its package, and the lock file must be current.
#[test]
fn every_step_of_the_readme_works() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = scratch("readme");
    let examples = root.join("cli/tests/cli/examples");
    // What `curl` gets from a running Envoy.
    fs::copy(examples.join("envoy.yaml"), folder.join("dump.json")).unwrap();
    fs::copy(examples.join("clusters.txt"), folder.join("clusters.txt")).unwrap();
    let steps = steps();
    assert!(steps.len() >= 6, "{steps:?}");
    for step in steps {
        let words: Vec<&str> = step.split(' ').collect();
        match words[..] {
            ["cargo", "install", "--path", package, "--locked"] => {
                let metadata = Command::new(env!("CARGO"))
                    .args(["metadata", "--locked", "--offline", "--format-version=1"])
                    .arg("--manifest-path")
                    .arg(root.join(package).join("Cargo.toml"))
                    .output()
                    .unwrap();
                assert!(metadata.status.success(), "{step}: {metadata:?}");
                let found: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap();
                let packages = found["packages"].as_array().unwrap();
                let installed = packages
                    .iter()
                    .find(|found| found["name"] == "spillgate")
                    .unwrap();
                let targets = installed["targets"].as_array().unwrap();
                assert!(
                    targets
                        .iter()
                        .any(|target| target["name"] == "spillgate" && target["kind"][0] == "bin")
                );
            }
            // `cargo xtask test` runs `cargo xtask demo --check`.
            ["cargo", "xtask", "demo" | "test"] => {}
            ["curl", "-s", address, ">", "dump.json" | "clusters.txt"] => {
                assert!(address.contains("localhost:9901/"), "{step}");
            }
            ["spillgate", ..] => {
                let (status, stdout, stderr) = shell(&step, &folder);
                assert!(
                    status < 2 && !stdout.is_empty(),
                    "{step}: {status}\n{stderr}"
                );
            }
            _ => panic!("no test for `{step}`"),
        }
    }
}
