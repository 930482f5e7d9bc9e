//! What other programs find in the files: npm, dpkg and sha256sum, where they are installed.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::process;

/// What a program finds in its file of a release of this version.
type ToolCheck = fn(&Path, &str) -> Result<()>;

/// Lets each program read its file. Prints which files are not checked because a program is missing.
pub(super) fn check(release: &Path, version: &str) -> Result<()> {
    let checks: [(&str, ToolCheck); 3] = [
        ("npm", npm_package),
        ("dpkg-deb", debian_package),
        ("sha256sum", sums),
    ];
    for (program, check) in checks {
        if process::on_path(program).is_none() {
            println!("  NOT CHECKED by {program}, which is not installed");
            continue;
        }
        check(release, version).with_context(|| format!("checked by {program}"))?;
    }
    Ok(())
}

/// npm would publish the package under this version, with all files of the archive.
fn npm_package(release: &Path, version: &str) -> Result<()> {
    let file = format!("./spillgate-embed-{version}.tgz");
    let mut npm = process::command("npm", ["pack", "--dry-run", "--json", "--offline", &file]);
    npm.current_dir(release);
    let report: Value = serde_json::from_str(&process::output(&mut npm)?)
        .context("`npm pack --json` does not print JSON")?;
    // A list, or from npm 12 an object by the names of the packages.
    let package = report.get(0).unwrap_or(&report["spillgate-embed"]);
    ensure!(
        package["name"] == "spillgate-embed" && package["version"] == version,
        "npm finds another package: {package}"
    );
    let files = package["files"].as_array().context("npm lists no files")?;
    println!("  npm accepts the package with {} files", files.len());
    Ok(())
}

/// dpkg reads the control file and the archive of files.
fn debian_package(release: &Path, version: &str) -> Result<()> {
    let file = release.join(format!("spillgate_{version}-1_amd64.deb"));
    let file = file.to_str().context("a path that is not UTF-8")?;
    let output = |option| process::output(&mut process::command("dpkg-deb", [option, file]));
    let control = output("--field")?;
    ensure!(
        control.contains(&format!("Version: {version}-1")),
        "another version: {control}"
    );
    let contents = output("--contents")?;
    ensure!(
        contents.lines().all(|line| line.contains(" root/root ")),
        "files of another owner than root: {contents}"
    );
    let files = contents.lines().filter(|line| line.starts_with('-'));
    println!("  dpkg-deb reads the package with {} files", files.count());
    Ok(())
}

/// All sums fit.
fn sums(release: &Path, _version: &str) -> Result<()> {
    let mut command = process::command("sha256sum", ["--check", "--quiet", "SHA256SUMS"]);
    process::output(command.current_dir(release))?;
    println!("  sha256sum finds the sums of all files");
    Ok(())
}
