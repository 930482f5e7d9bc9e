//! The functions of the host that the filter may call. The SDK panics on statuses that it does not expect,
//! which ends the VM for every filter in it; `filter/src/calls.rs` says why the permitted calls cannot meet
//! one.

use anyhow::{Context as _, Result, ensure};

use super::super::report::CheckReport;
use crate::project::Project;
use crate::text_files::TextFile;
use crate::{build, files};

/// The permitted functions of the SDK's module `hostcalls`, sorted.
const PERMITTED_CALLS: [&str; 15] = [
    "add_map_value_bytes",
    "define_metric",
    "dispatch_http_call",
    "get_buffer",
    "get_current_time",
    "get_map_value_bytes",
    "get_property",
    "get_shared_data",
    "increment_metric",
    "record_metric",
    "remove_map_value",
    "set_map_value_bytes",
    "set_property",
    "set_shared_data",
    "set_tick_period",
];
/// The functions of the host that the project declares itself, sorted.
const DECLARED: [&str; 6] = [
    "env.proxy_get_header_map_pairs",
    "env.proxy_send_local_response",
    "wasi_snapshot_preview1.clock_time_get",
    "wasi_snapshot_preview1.environ_get",
    "wasi_snapshot_preview1.environ_sizes_get",
    "wasi_snapshot_preview1.random_get",
];
/// What the built filter imports: the functions behind both lists, that of the SDK's logger, and that of its
/// dispatcher of responses to calls. Sorted.
const IMPORTED: [&str; 23] = [
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
    "env.proxy_set_effective_context",
    "env.proxy_set_property",
    "env.proxy_set_shared_data",
    "env.proxy_set_tick_period_milliseconds",
    "wasi_snapshot_preview1.clock_time_get",
    "wasi_snapshot_preview1.environ_get",
    "wasi_snapshot_preview1.environ_sizes_get",
    "wasi_snapshot_preview1.random_get",
];

/// The file that declares functions, with its macro.
const DECLARES: &str = "filter/src/imports.rs";
/// The only file that calls the SDK's `hostcalls`.
const CALLS: &str = "filter/src/calls.rs";
/// The folders of sources that are compiled into the filter.
const FOLDERS: [&str; 6] = [
    "filter/src/",
    "crates/steer/src/",
    "crates/config/src/",
    "core/src/",
    "crates/explain/src/",
    "crates/grpc/src/",
];

/// Declarations outside of [`DECLARES`], and functions in it that are not permitted or missing.
pub fn declared(files: &[TextFile]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut found = Vec::new();
    for file in compiled(files) {
        if file.path == DECLARES {
            found = functions(&file.text);
        } else {
            let imports = lines(file).filter(|(_, line)| declares(line));
            faults.extend(
                imports.map(|(at, _)| {
                    format!("{}:{at}: a declaration outside of {DECLARES}", file.path)
                }),
            );
        }
    }
    faults.extend(differences(&found, &DECLARED, DECLARES));
    faults
}

/// Calls of the SDK outside of [`CALLS`], and those in it that are not permitted or missing.
pub fn called(files: &[TextFile]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut found = Vec::new();
    for file in compiled(files) {
        if file.path == CALLS {
            let code = lines(file).filter(|(_, line)| !line.trim_start().starts_with("//"));
            found = code.flat_map(|(_, line)| calls(line)).collect();
            found.sort();
            found.dedup();
            continue;
        }
        let is_context = file.text.contains("proxy_wasm::traits");
        for (at, line) in lines(file) {
            if line.contains("hostcalls") {
                faults.push(format!("{}:{at}: hostcalls outside of {CALLS}", file.path));
            } else if is_context && calls_itself(line) {
                faults.push(format!(
                    "{}:{at}: a context calls a method of its own; those of the SDK panic",
                    file.path
                ));
            }
        }
    }
    faults.extend(differences(&found, &PERMITTED_CALLS, CALLS));
    faults
}

/// What the built filter imports and exports.
pub fn built(project: &Project, report: &mut CheckReport) {
    let module = || files::read_bytes(&project.filter_wasm());
    let imports = || -> Result<()> {
        let found = build::imported_functions(&module()?).context("not a module of functions")?;
        same(&found, &IMPORTED)
    };
    report.check(
        "the built filter imports only permitted functions",
        imports(),
    );
    let exports = || -> Result<()> {
        let found = build::exported_names(&module()?).context("not a module")?;
        same(&found, &build::FILTER_EXPORTS)
    };
    report.check("the built filter exports only what it needs", exports());
}

fn same(found: &[String], expected: &[&str]) -> Result<()> {
    let faults = differences(found, expected, "the built filter");
    ensure!(faults.is_empty(), "{}", faults.join("; "));
    Ok(())
}

/// The sources that are compiled into the filter.
fn compiled(files: &[TextFile]) -> impl Iterator<Item = &TextFile> {
    files.iter().filter(|file| {
        file.path.ends_with(".rs") && FOLDERS.iter().any(|folder| file.path.starts_with(folder))
    })
}

/// The lines of a file, with their numbers.
fn lines(file: &TextFile) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(file.text.lines())
}

/// Whether a line begins a block of foreign functions.
fn declares(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("#[link(") || line.starts_with("unsafe extern ") || {
        line.starts_with("extern \"") && line.ends_with('{')
    }
}

/// The names after `hostcalls::` in a line.
fn calls(line: &str) -> Vec<String> {
    let parts = line.split("hostcalls::").skip(1);
    parts.map(|rest| name_of(rest).to_owned()).collect()
}

/// Whether a line calls a method on `self`.
fn calls_itself(line: &str) -> bool {
    let mut parts = line.split("self.").skip(1);
    parts.any(|rest| {
        let (_, after) = rest.split_at(name_of(rest).len());
        after.starts_with('(')
    })
}

/// The name at the beginning of a text.
fn name_of(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

/// `module.name` of each function in calls of the macro `imports!`, sorted.
fn functions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut module = "";
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("imports! { \"") {
            module = rest.split('"').next().unwrap_or_default();
        } else if line == "}" {
            module = "";
        } else if let Some(rest) = line.strip_prefix("    fn ")
            && !module.is_empty()
        {
            found.push(format!("{module}.{}", name_of(rest)));
        }
    }
    found.sort();
    found
}

fn differences(found: &[String], permitted: &[&str], place: &str) -> Vec<String> {
    let others = found
        .iter()
        .filter(|name| !permitted.contains(&name.as_str()));
    let missing = permitted
        .iter()
        .filter(|name| !found.iter().any(|found| found == *name));
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

    fn declarations() -> String {
        let lines = |module: &str| -> String {
            let functions = DECLARED.iter().filter_map(|name| name.strip_prefix(module));
            functions
                .map(|name| format!("    fn {name}(a: u32);\n"))
                .collect()
        };
        let (wasi, own) = (lines("wasi_snapshot_preview1."), lines("env."));
        format!(
            "imports! {{ \"wasi_snapshot_preview1\":\n{wasi}}}\n\
             imports! {{ \"env\":\n{own}}}\n\
             mod tests {{\n    fn help() {{}}\n}}\n"
        )
    }

    #[test]
    fn other_declarations_are_faults() {
        let permitted = declarations();
        assert_eq!(declared(&[file(DECLARES, &permitted)]), [] as [String; 0]);
        let more = permitted.replace(
            "    fn proxy_send",
            "    fn proxy_done();\n    fn proxy_send",
        );
        let faults = declared(&[file(DECLARES, &more)]);
        assert_eq!(faults.len(), 1, "{faults:?}");
        let fewer = permitted.replace("    fn random_get(a: u32);\n", "");
        assert_eq!(declared(&[file(DECLARES, &fewer)]).len(), 1);
        let foreign = "#[link(wasm_import_module = \"env\")]\nunsafe extern \"C\" {\n";
        let files = [
            file(DECLARES, &permitted),
            file("crates/steer/src/x.rs", foreign),
            file(
                "filter/src/y.rs",
                "pub(crate) extern \"C\" fn exported() {}\n",
            ),
        ];
        assert_eq!(declared(&files).len(), 2);
    }

    #[test]
    fn other_calls_are_faults() {
        let call = |name: &&str| format!("    hostcalls::{name}(1)\n");
        let permitted = "//! hostcalls::get_map panics\n".to_owned()
            + &PERMITTED_CALLS.iter().map(call).collect::<String>();
        assert_eq!(called(&[file(CALLS, &permitted)]), [] as [String; 0]);
        let more = permitted.clone() + "    hostcalls::get_map(1)\n";
        assert_eq!(called(&[file(CALLS, &more)]).len(), 1);
        let fewer = permitted.replace("    hostcalls::get_buffer(1)\n", "");
        assert_eq!(called(&[file(CALLS, &fewer)]).len(), 1);
        let context = "use proxy_wasm::traits::Context;\nself.routes.clone();\n\
                       self.get_property(vec![]);\n";
        let files = [
            file(CALLS, &permitted),
            file("filter/src/root.rs", context),
            file("filter/src/host.rs", "proxy_wasm::hostcalls::done();\n"),
        ];
        let faults = called(&files);
        assert_eq!(faults.len(), 2, "{faults:?}");
    }
}
