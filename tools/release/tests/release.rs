//! Packs small parts, and opens every file of the result.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use spillgate_release::{
    ImageForm, Parts, ReleaseId, SHIPPED_PACKAGES, check, pack, pull, sha256_hex,
};
use spillgate_testkit::{fresh_dir, repository};

const COMMIT: &str = "0123456789abcdef";

fn id() -> ReleaseId {
    ReleaseId {
        version: "1.2.3".into(),
        commit: COMMIT.into(),
        time: 1_790_000_000,
    }
}

/// A module with the custom section that the build adds.
fn module() -> Vec<u8> {
    let text = format!("\u{f}spillgate.build1.2.3 {COMMIT}");
    let length = u8::try_from(text.len()).unwrap();
    [b"\0asm\x01\0\0\0\0", &[length][..], text.as_bytes()].concat()
}

/// A folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fresh_dir(&folder).unwrap();
    folder
}

/// Parts as the build lays them, with short contents.
fn parts(name: &str) -> PathBuf {
    let folder = folder(name);
    let add = |path: &str, bytes: &[u8]| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let html = format!("<meta name=\"spillgate-commit\" content=\"{COMMIT}\"><div id=\"app\">");
    for path in ["www/index.html", "playground.html"] {
        add(path, html.as_bytes());
    }
    for path in [
        "www/embed.js",
        "www/embed.wasm",
        "www/embed-sweep.wasm",
        "www/embed.html",
        "www/embed-frame.js",
        "www/embed-page.css",
        "completions/spillgate.bash",
        "completions/_spillgate",
        "completions/spillgate.fish",
        "man/spillgate.1",
        "man/spillgate-split.1",
        "LICENSE",
        "README.md",
    ] {
        add(path, path.as_bytes());
    }
    let gnu = b"\x7fELF\0GLIBC_2.2.5\0GLIBC_2.34\0";
    add("commands/x86_64-unknown-linux-gnu/spillgate", gnu);
    add("commands/x86_64-unknown-linux-musl/spillgate", b"\x7fELF");
    add("spillgate.wasm", &module());
    add(
        "libspillgate.so",
        b"\x7fELF envoy_dynamic_module_on_program_init",
    );
    add("missing.json", br#"{"other-target": "no network"}"#);
    add("Cargo.lock", b"version = 4");
    add("tools.txt", b"rustc 1.95.0 (x)\nrelease: 1.95.0\nhost: h\n");
    add("metadata.json", metadata().as_bytes());
    let npm = repository().join("playground/embed/npm");
    for name in ["package.json", "README.md", "embed.d.ts"] {
        add(&format!("npm/{name}"), &fs::read(npm.join(name)).unwrap());
    }
    folder
}

/// What cargo prints about the shipped packages and two dependencies, one of which is for tests only.
fn metadata() -> String {
    let package = |name: &str, version: &str, license: &str| json!({"id": name, "name": name, "version": version, "license": license});
    let mut packages: Vec<_> = SHIPPED_PACKAGES
        .iter()
        .map(|name| package(name, "1.2.3", "Apache-2.0"))
        .collect();
    packages.push(package("used", "0.4.0", "MIT/Apache-2.0"));
    packages.push(package("tested", "0.5.0", "MIT"));
    let dependency =
        |name: &str, kind: Option<&str>| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
    let mut nodes: Vec<_> = SHIPPED_PACKAGES
        .iter()
        .map(|name| json!({"id": name, "deps": [dependency("used", None), dependency("tested", Some("dev"))]}))
        .collect();
    nodes.push(json!({"id": "used", "deps": []}));
    json!({"packages": packages, "resolve": {"nodes": nodes}}).to_string()
}

/// All files below a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path)
            } else {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn every_file_of_a_release_is_opened_and_found_right() {
    let (parts, release) = (parts("whole-parts"), folder("whole"));
    let parts = Parts::new(&parts);
    pack(&parts, &id(), &release).unwrap();
    let opened = check(&release, &parts, &id()).unwrap();
    let of_image = |name: &str| name.starts_with("oci/");
    for name in files(&release).keys() {
        let name = name.to_str().unwrap();
        let known = ["README.md", "playground.html"].contains(&name) || of_image(name);
        assert!(known || opened.iter().any(|one| one == name), "{name}");
    }
    let readme = fs::read_to_string(release.join("README.md")).unwrap();
    assert!(
        readme.contains("the command for other-target (no network)"),
        "{readme}"
    );
}

#[test]
fn two_releases_of_the_same_parts_are_identical() {
    let [one, other] = ["one", "other"].map(|name| {
        let (parts, release) = (parts(&format!("{name}-parts")), folder(name));
        pack(&Parts::new(&parts), &id(), &release).unwrap();
        files(&release)
    });
    assert_eq!(one, other);
}

#[test]
fn a_changed_byte_of_any_file_is_found() {
    let (parts, release) = (parts("changed-parts"), folder("changed"));
    let parts = Parts::new(&parts);
    pack(&parts, &id(), &release).unwrap();
    for (name, bytes) in files(&release) {
        let mut changed = bytes.clone();
        *changed.last_mut().unwrap() ^= 1;
        let path = release.join(&name);
        fs::write(&path, changed).unwrap();
        assert!(
            check(&release, &parts, &id()).is_err(),
            "{}",
            name.display()
        );
        fs::write(&path, bytes).unwrap();
    }
    check(&release, &parts, &id()).unwrap();
}

#[test]
fn the_provenance_names_every_file_and_its_sources() {
    let (parts, release) = (parts("provenance-parts"), folder("provenance"));
    let parts = Parts::new(&parts);
    let commit = format!("{COMMIT}-modified");
    for (id, modified) in [(id(), false), (ReleaseId { commit, ..id() }, true)] {
        pack(&parts, &id, &release).unwrap();
        let text = fs::read(release.join("spillgate-1.2.3.provenance.json")).unwrap();
        let statement: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(statement["predicateType"], "https://slsa.dev/provenance/v1");
        let subjects = statement["subject"].as_array().unwrap();
        let wasm = json!({
            "name": "spillgate.wasm", "digest": {"sha256": sha256_hex(&module())},
        });
        assert!(subjects.contains(&wasm), "{subjects:?}");
        let build = &statement["predicate"]["buildDefinition"];
        let sources = &build["resolvedDependencies"][0];
        assert_eq!(sources["digest"]["gitCommit"], COMMIT);
        assert_eq!(sources["annotations"]["modified"], modified);
        assert_eq!(build["internalParameters"]["tools"]["release"], "1.95.0");
    }
}

#[test]
fn signatures_are_added_later() {
    let (parts, release) = (parts("signed-parts"), folder("signed"));
    let parts = Parts::new(&parts);
    pack(&parts, &id(), &release).unwrap();
    fs::create_dir(release.join("signatures")).unwrap();
    fs::write(release.join("signatures/SHA256SUMS.minisig"), "x").unwrap();
    check(&release, &parts, &id()).unwrap();
    fs::write(release.join("SHA256SUMS.minisig"), "x").unwrap();
    assert!(check(&release, &parts, &id()).is_err());
}

#[test]
fn agents_pull_the_exact_module_in_both_forms() {
    let (parts, release) = (parts("image-parts"), folder("image"));
    pack(&Parts::new(&parts), &id(), &release).unwrap();
    let layout = release.join("oci");
    for form in [ImageForm::Compat, ImageForm::Artifact] {
        assert_eq!(pull(&layout, &form.tag("1.2.3")).unwrap(), module());
    }
    let error = pull(&layout, "1.2.4").unwrap_err();
    assert_eq!(error.to_string(), "no tag 1.2.4");
}

#[test]
fn a_release_of_another_version_or_commit_is_refused() {
    let (parts, release) = (parts("refused-parts"), folder("refused"));
    let parts = Parts::new(&parts);
    pack(&parts, &id(), &release).unwrap();
    let commit = "fedcba9876543210".to_owned();
    let other = ReleaseId { commit, ..id() };
    let error = check(&release, &parts, &other).unwrap_err();
    let text = format!("{error:#}");
    assert!(text.contains("expected 1.2.3 fedcba9876543210"), "{text}");
    fs::remove_file(release.join("spillgate.wasm")).unwrap();
    assert!(check(&release, &parts, &id()).is_err());
}
