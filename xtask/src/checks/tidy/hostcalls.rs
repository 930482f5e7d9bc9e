//! The functions of the host that the filter may call. Each returns a status, which
//! `filter/src/abi/calls.rs` handles; an SDK would panic on some of them and end the VM for every
//! filter in it.

use anyhow::{Context as _, Result, ensure};

use super::super::report::CheckReport;
use super::walk::TextFile;
use crate::project::Project;
use crate::{build, files};

/// The permitted functions, sorted.
const PERMITTED: [&str; 18] = [
    "env.proxy_add_header_map_value",
    "env.proxy_define_metric",
    "env.proxy_get_buffer_bytes",
    "env.proxy_get_current_time_nanoseconds",
    "env.proxy_get_header_map_pairs",
    "env.proxy_get_header_map_value",
    "env.proxy_get_property",
    "env.proxy_get_shared_data",
    "env.proxy_http_call",
    "env.proxy_increment_metric",
    "env.proxy_log",
    "env.proxy_record_metric",
    "env.proxy_remove_header_map_value",
    "env.proxy_replace_header_map_value",
    "env.proxy_send_local_response",
    "env.proxy_set_property",
    "env.proxy_set_shared_data",
    "env.proxy_set_tick_period_milliseconds",
];
/// The same for modules of the host other than `env`.
const PERMITTED_WASI: [&str; 1] = ["wasi_snapshot_preview1.random_get"];

/// The file that declares them, with its macro.
const DECLARES: &str = "filter/src/abi/imports.rs";
/// The folders of sources that are compiled into the filter.
const FOLDERS: [&str; 6] = [
    "filter/src/",
    "steer/src/",
    "config/src/",
    "core/src/",
    "explain/src/",
    "grpc/src/",
];

/// Declarations outside of [`DECLARES`], and functions in it that are not permitted or missing.
pub fn declared(files: &[TextFile]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        if file.path == DECLARES {
            found = functions(&file.text);
        } else if FOLDERS.iter().any(|folder| file.path.starts_with(folder)) {
            let lines = file.text.lines().enumerate();
            let imports = lines.filter(|(_, line)| declares(line));
            faults.extend(imports.map(|(at, _)| {
                format!(
                    "{}:{}: a declaration outside of {DECLARES}",
                    file.path,
                    at + 1
                )
            }));
        }
    }
    faults.extend(differences(&found, DECLARES));
    faults
}

/// The functions that the built filter imports.
pub fn built(project: &Project, report: &mut CheckReport) {
    let check = || -> Result<()> {
        let module = files::read_bytes(&project.filter_wasm())?;
        let found = build::imported_functions(&module).context("not a module of functions")?;
        let faults = differences(&found, "the built filter");
        ensure!(faults.is_empty(), "{}", faults.join("; "));
        Ok(())
    };
    report.check("the built filter imports only permitted functions", check());
}

/// Packages in the lock file that bring hostcalls of their own.
pub fn sdk(project: &Project) -> Result<Vec<String>> {
    let text = files::read(&project.root.join("Cargo.lock"))?;
    Ok(sdk_in(&text))
}

fn sdk_in(lock: &str) -> Vec<String> {
    let names = lock
        .lines()
        .filter_map(|line| line.strip_prefix("name = \"proxy-wasm"));
    names
        .map(|rest| format!("proxy-wasm{}", rest.trim_end_matches('"')))
        .collect()
}

/// Whether a line begins a block of foreign functions.
fn declares(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("#[link(") || line.starts_with("unsafe extern ") || {
        line.starts_with("extern \"") && line.ends_with('{')
    }
}

/// `module.name` of each function in calls of the macro `imports!`, sorted.
fn functions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut module = "";
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("imports! { \"") {
            module = rest.split('"').next().unwrap_or_default();
        } else if let Some(rest) = line.strip_prefix("    fn ") {
            let name = rest.split('(').next().unwrap_or_default();
            found.push(format!("{module}.{name}"));
        }
    }
    found.sort();
    found
}

fn differences(found: &[String], place: &str) -> Vec<String> {
    let permitted = || PERMITTED.iter().chain(&PERMITTED_WASI);
    let others = found.iter().filter(|name| !permitted().any(|p| p == name));
    let missing = permitted().filter(|name| !found.iter().any(|found| found == *name));
    others
        .map(|name| format!("{place} has {name}, which is not permitted"))
        .chain(missing.map(|name| format!("{place} lacks {name}; remove it from the list")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        let (path, text) = (path.to_owned(), text.to_owned());
        TextFile { path, text }
    }

    fn permitted() -> String {
        let name = |name: &&str| format!("    fn {}(a: u32);\n", name.replace("env.", ""));
        let own: String = PERMITTED.iter().map(name).collect();
        format!(
            "imports! {{ \"wasi_snapshot_preview1\":\n    fn random_get(at: *mut u8);\n}}\n\
             imports! {{ \"env\":\n{own}}}\n"
        )
    }

    #[test]
    fn other_hostcalls_are_faults() {
        assert_eq!(declared(&[file(DECLARES, &permitted())]), [] as [String; 0]);
        let more = permitted() + "    fn proxy_done();\n";
        let faults = declared(&[file(DECLARES, &more)]);
        assert_eq!(faults.len(), 1, "{faults:?}");
        let fewer = permitted().replace("    fn proxy_log(a: u32);\n", "");
        assert_eq!(declared(&[file(DECLARES, &fewer)]).len(), 1);
        let foreign = "#[link(wasm_import_module = \"env\")]\nunsafe extern \"C\" {\n";
        let files = [
            file(DECLARES, &permitted()),
            file("steer/src/x.rs", foreign),
            file(
                "filter/src/y.rs",
                "pub(crate) extern \"C\" fn exported() {}\n",
            ),
        ];
        assert_eq!(declared(&files).len(), 2);
    }

    #[test]
    fn an_sdk_is_a_fault() {
        assert_eq!(sdk_in("name = \"proxy-wasm\"\n"), ["proxy-wasm"]);
        assert!(sdk_in("name = \"proxy\"\n").is_empty());
    }
}
