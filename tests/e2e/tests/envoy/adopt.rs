//! `spillgate adopt` and its check, with ordinary bootstraps in both forms of the filter.

use std::{fs, path::PathBuf};

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use spillgate::Done;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::{Need, Workdir, needed, spillgate};
use spillgate_testkit::repository;

/// The bootstraps, and the rows of their checks that have nothing to check.
const BOOTSTRAPS: [(&str, &[&str]); 3] = [
    ("weighted", &["isolation"]),
    ("aggregate", &["isolation"]),
    ("tenants", &[]),
];

/// Bootstraps as other projects and control planes write them, each with a steered listener.
const FOREIGN: [&[&str]; 12] = [
    &["cilium.json"],
    &["consul.json"],
    &["dynamic-fs"],
    &["emissary.json"],
    &["envoy-gateway.yaml"],
    &["ext-authz.yaml"],
    &["front-proxy.yaml", "--listener", "0.0.0.0:8080"],
    &["front-proxy.yaml", "--listener", "0.0.0.0:8443"],
    &["istio.json", "--listener", "0.0.0.0:15090"],
    &["istio.json", "--listener", "0.0.0.0:15021"],
    &["locality.yaml"],
    &["wasm-cc.yaml"],
];

fn bootstrap(name: &str) -> PathBuf {
    let folder = repository().join("crates/adopt/tests/bootstraps");
    folder.join(format!("{name}.yaml"))
}

/// `adopt` with the filter of a form.
fn adopt(form: FilterForm, config: PathBuf, further: &[&str]) -> Result<Done> {
    let (name, file) = match form {
        Wasm => ("wasm", Need::FilterWasm),
        DynamicModule => ("module", Need::Module),
    };
    let file = needed(file)?.display().to_string();
    let config = config.display().to_string();
    let arguments = ["adopt", &config, "--form", name, "--file", &file];
    spillgate([&arguments[..], further].concat())
}

/// The verdict of a row of a check.
fn verdict<'d>(done: &'d Done, row: &str) -> Result<&'d str> {
    let rows = done
        .closing
        .iter()
        .skip_while(|line| !line.starts_with("check with "));
    let line = rows.skip(1).find_map(|line| line.trim().strip_prefix(row));
    let verdict = line.and_then(|line| line.split_whitespace().next());
    verdict.with_context(|| format!("no row {row}: {:#?}", done.closing))
}

#[rstest]
fn an_adopted_bootstrap_passes_its_check(
    #[values(Wasm, DynamicModule)] form: FilterForm,
    #[values(0, 1, 2)] number: usize,
    #[values(false, true)] sessions: bool,
) -> Result<()> {
    let (name, skipped) = BOOTSTRAPS[number];
    let envoy = needed(Need::Envoy)?.display().to_string();
    let mut options = vec!["--check", &envoy];
    if sessions {
        options.extend(["--sessions", "cookie"]);
    }
    let done = adopt(form, bootstrap(name), &options)?;
    ensure!(!done.negative, "{:#?}", done.closing);
    ensure!(done.output.starts_with("--- a/"), "{}", done.output);
    for row in [
        "shares",
        "after a failure",
        "sessions kept",
        "isolation",
        "metrics",
        "forged headers",
    ] {
        let expected = match row {
            "sessions kept" if !sessions => "-",
            row if skipped.contains(&row) => "-",
            _ => "ok",
        };
        let found = verdict(&done, row)?;
        ensure!(found == expected, "{row}: {found}: {:#?}", done.closing);
    }
    Ok(())
}

#[rstest]
fn an_adopted_bootstrap_of_another_project_passes_its_check(
    #[values(Wasm, DynamicModule)] form: FilterForm,
    #[values(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)] number: usize,
) -> Result<()> {
    let (name, options) = FOREIGN[number].split_first().context("no name")?;
    let folder = repository().join("crates/adopt/tests/bootstraps/foreign");
    let envoy = needed(Need::Envoy)?.display().to_string();
    let options = [options, &["--check", &envoy]].concat();
    let done = adopt(form, folder.join(name), &options)?;
    ensure!(!done.negative, "{:#?}", done.closing);
    for row in ["shares", "after a failure", "metrics", "forged headers"] {
        let found = verdict(&done, row)?;
        ensure!(found == "ok", "{row}: {found}: {:#?}", done.closing);
    }
    Ok(())
}

#[rstest]
fn a_check_fails_without_a_part_that_the_filter_needs(
    #[values("tenants", "weighted")] name: &str,
) -> Result<()> {
    let workdir = Workdir::new(&format!("adopt_broken_{name}"))?;
    let envoy = needed(Need::Envoy)?.display().to_string();
    let file = workdir.path().join("steered.yaml");
    let written = file.display().to_string();
    adopt(Wasm, bootstrap(name), &["--write", &written])?;
    let text = fs::read_to_string(&file)?;
    let (before, rest) = text
        .split_once("- name: spillgate_host")
        .context("no filter")?;
    let (_, after) = rest
        .split_once("- name: envoy.filters.http")
        .context("no further filter")?;
    fs::write(&file, format!("{before}- name: envoy.filters.http{after}"))?;
    let done = adopt(Wasm, file, &["--check", &envoy])?;
    ensure!(done.negative, "{:#?}", done.closing);
    let row = if name == "tenants" {
        "shares"
    } else {
        "forged headers"
    };
    ensure!(verdict(&done, row)? == "FAILED", "{:#?}", done.closing);
    Ok(())
}

#[test]
fn an_envoy_that_cannot_start_is_an_error_with_its_own_words() -> Result<()> {
    let envoy = needed(Need::PreviousEnvoy)?.display().to_string();
    // Envoy 1.39 has no cluster specifiers in modules.
    let refused = adopt(DynamicModule, bootstrap("weighted"), &["--check", &envoy]);
    let text = refused.err().context("it started")?.to_string();
    ensure!(
        text.contains("adopt/check: the new configuration: "),
        "{text}"
    );
    ensure!(text.contains("DynamicModuleClusterSpecifier"), "{text}");
    ensure!(text.contains("1.39 need cluster_header"), "{text}");
    let done = adopt(DynamicModule, bootstrap("tenants"), &["--check", &envoy])?;
    ensure!(!done.negative, "{:#?}", done.closing);
    Ok(())
}
