//! `spillgate conformance --envoy` on the Envoy that the scenarios were recorded with: nothing has
//! changed, and a recording that is not true is found.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_e2e::{Need, Workdir, needed, spillgate};
use spillgate_testkit::repository;

fn vectors() -> PathBuf {
    repository().join("vectors")
}

/// The report of the command, and whether its answer is "no".
fn replayed(paths: &[PathBuf]) -> Result<(Value, bool)> {
    let mut args = vec![PathBuf::from("conformance")];
    args.extend_from_slice(paths);
    args.extend(["--format".into(), "json".into(), "--envoy".into()]);
    args.push(needed(Need::Envoy)?);
    let done = spillgate(args)?;
    Ok((serde_json::from_str(&done.output)?, done.negative))
}

#[test]
fn envoy_does_what_was_recorded() -> Result<()> {
    let folders = [vectors().join("oracle"), vectors().join("differential")];
    let scenarios = folders
        .iter()
        .map(fs::read_dir)
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .count();
    let (report, negative) = replayed(&folders)?;
    let text = serde_json::to_string_pretty(&report)?;
    ensure!(report["failed"] == 0 && !negative, "{text}");
    ensure!(report["not_replayed"] == json!([]), "{text}");
    ensure!(report["passed"] == scenarios && scenarios > 0, "{text}");
    Ok(())
}

#[test]
fn a_false_recording_is_found() -> Result<()> {
    let workdir = Workdir::new("conformance_false")?;
    // One with certain hosts, one with random ones, and one whose sessions begin at random.
    let names = [
        "ring-04-weights",
        "stat-03-rr-equal",
        "session-03-life-cookie",
    ];
    let folders = names.map(|name| workdir.path().join(name));
    for (name, folder) in names.iter().zip(&folders) {
        copy(&vectors().join("oracle").join(name), folder)?;
    }
    let [ring, shares, session] = &folders;
    let rows = observed(ring)?;
    let (first, other) = (&rows[0], other_host(&rows)?);
    let falsified = json!({"i": first["i"], "status": 200, "endpoint": other});
    write_observed(ring, &[&[falsified], &rows[1..]].concat())?;
    let mut rows = observed(shares)?;
    let count = |row: &Value| row["count"].as_u64().unwrap_or(1);
    let (less, more) = (count(&rows[0]) - 300, count(&rows[1]) + 300);
    (rows[0]["count"], rows[1]["count"]) = (less.into(), more.into());
    write_observed(shares, &rows)?;
    let mut rows = observed(session)?;
    let last = rows.len() - 1;
    // A host that no client began at.
    rows[last]["endpoint"] = "127.0.0.99:22080".into();
    write_observed(session, &rows)?;

    let (report, negative) = replayed(&folders)?;
    let text = serde_json::to_string_pretty(&report)?;
    ensure!(negative && report["failed"] == 3, "{text}");
    let units = report["units"].as_array().context("no units")?;
    let faults = |at: usize| units[at]["faults"].as_array().map_or(0, Vec::len);
    ensure!(faults(0) == 1 && faults(2) == 1, "{text}");
    let misfit = units[1]["faults"][0].as_str().unwrap_or_default();
    ensure!(
        misfit.starts_with("recorded shares by endpoints: "),
        "{text}"
    );
    let fault = units[0]["faults"][0].as_str().unwrap_or_default();
    let expected = format!("row {}: recorded 200 {other}, replayed 200 ", first["i"]);
    ensure!(fault.starts_with(&expected), "{fault}");
    Ok(())
}

/// A host that is not the first row's.
fn other_host(rows: &[Value]) -> Result<String> {
    let mut hosts = rows.iter().filter_map(|row| row["endpoint"].as_str());
    let first = hosts.next().context("no host")?;
    let other = hosts.find(|host| *host != first);
    Ok(other.context("there is only one host")?.to_owned())
}

fn observed(folder: &Path) -> Result<Vec<Value>> {
    let text = fs::read_to_string(folder.join("observed.jsonl"))?;
    let rows = text.lines().map(serde_json::from_str);
    Ok(rows.collect::<Result<_, _>>()?)
}

fn write_observed(folder: &Path, rows: &[Value]) -> Result<()> {
    let rows: Vec<String> = rows.iter().map(|row| format!("{row}\n")).collect();
    Ok(fs::write(folder.join("observed.jsonl"), rows.concat())?)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}
