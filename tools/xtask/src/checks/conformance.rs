//! The golden vectors and the recorded Envoy scenarios, by the command line's own runner.

use std::process::Command;

use anyhow::Result;

use super::cargo_tests::TESTED;
use super::report::CheckReport;
use crate::process;
use crate::project::Project;

/// Runs `spillgate conformance vectors` and adds its counts.
pub fn run(project: &Project, report: &mut CheckReport) -> Result<()> {
    // Built as for the tests, features and all, so that what these have built is not built again.
    let mut build = project.cargo();
    build.args(["build", "--quiet", "--test", "cli"]);
    build.args(TESTED);
    process::run(&mut build)?;
    let mut command = Command::new(project.target.join("debug/spillgate"));
    command.current_dir(&project.root);
    command.args(["conformance", "vectors"]);
    let text = process::shown(&command);
    println!("  $ {text}");
    let output = command.output()?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    print!("{stdout}{}", String::from_utf8_lossy(&output.stderr));
    match totals(&stdout) {
        Some((passed, failed)) if (failed == 0) == output.status.success() && passed > 0 => {
            report.add("vectors", passed, failed);
        }
        _ => report.count(
            "vectors",
            Some(format!("`{text}` gave no totals ({})", output.status)),
        ),
    }
    Ok(())
}

/// `N passed, M failed`, the last line.
fn totals(stdout: &str) -> Option<(usize, usize)> {
    let mut parts = stdout.trim_end().lines().last()?.split(", ");
    let passed = parts.next()?.strip_suffix(" passed")?.parse().ok()?;
    let failed = parts.next()?.strip_suffix(" failed")?.parse().ok()?;
    Some((passed, failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_read() {
        assert_eq!(totals("x\n12 passed, 3 failed\n"), Some((12, 3)));
        assert_eq!(totals("12 passed"), None);
    }
}
