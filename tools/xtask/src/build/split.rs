//! The playground's module, split into the module of the first screen and groups of later parts.
//!
//! `lazy!` in `playground/src/lazy.rs` marks the parts. The linker keeps its relocations for the split; then
//! wasm-bindgen binds the main module, and wasm-opt optimizes each of them. The modules share one memory and
//! one table, so only modules of one build fit together. The names of the groups have its hash, and so has an
//! export of the main module that each group imports: another main module cannot be linked to it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use sha2::{Digest as _, Sha256};
use walrus::{ExportItem, ImportKind, Module};
use wasm_split_cli_support::{Options, transform};

use super::{PAGE, PAGE_PASSES, PAGE_PROFILE, bind_main, optimize, wasm};
use crate::files;
use crate::project::Project;

/// The script that loads the groups. The script of the playground imports it.
const LOADER: &str = "groups.js";
/// The start of the names of the groups' files.
pub const GROUP: &str = "group_";
/// The exported memory of the main module.
const MEMORY: &str = "memory";
/// Code that several groups share is a module for each combination of groups. Those of at most this number of bytes
/// are one after the other in a single file, so that a click makes few requests.
const SMALL: usize = 2_500;
/// The function of the loader that gets a module of this file as a response.
const PART: &str = "small";

/// A file of the playground and its number of bytes.
pub type BuiltFile = (String, usize);

/// Builds the playground's module and its groups into a folder, with their scripts as ES modules.
pub fn split_page(project: &Project, dir: &Path) -> Result<Vec<BuiltFile>> {
    let module = wasm::build_relocatable(
        project,
        PAGE.package,
        PAGE_PROFILE,
        &["--features", "split"],
    )?;
    let module = files::read_bytes(&module)?;
    let hash: String = Sha256::digest(&module)
        .iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let stage = project.stage().join("groups");
    files::fresh_dir(&stage)?;
    let main = stage.join("main.wasm");
    let script = format!("./{}", PAGE.script());
    let mut options = Options::new(&module);
    options.output_dir = &stage;
    options.main_out_path = &main;
    options.link_name = "./groups.js";
    options.main_module = &script;
    let split = transform(options).map_err(|error| anyhow!("cannot split the page: {error:#}"))?;

    let mut built = Vec::new();
    bind_main(&main, dir, PAGE.name)?;
    let shared = format!("{MEMORY}_{hash}");
    let loader = files::read(&stage.join(LOADER))?;
    // Taken from the main module, and given to the groups.
    let mut loader = replaced(&loader, &format!(" {MEMORY}, "), &format!(" {shared}, "), 2)?;
    let bytes = with_export(&files::read_bytes(&dir.join(PAGE.file()))?, &shared)?;
    let bytes = optimize::optimize(project, PAGE.name, &PAGE_PASSES, &bytes)?;
    files::write_atomically(&dir.join(PAGE.file()), &bytes)?;
    built.push((PAGE.file(), bytes.len()));
    let mut small = Vec::new();
    let small_file = format!("{GROUP}small_{hash}.wasm");
    for path in split.split_modules {
        let stem = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .context("a group without a name")?;
        let short = stem.strip_prefix("split_").unwrap_or(stem);
        let name = format!("{GROUP}{short}_{hash}.wasm");
        let bytes = with_import(&files::read_bytes(&path)?, &shared)?;
        let bytes = optimize::optimize(project, &format!("group-{short}"), &PAGE_PASSES, &bytes)?;
        let requested = request(&format!("{stem}.wasm"));
        if bytes.len() > SMALL {
            files::write_atomically(&dir.join(&name), &bytes)?;
            loader = replaced(&loader, &requested, &request(&name), 1)?;
            built.push((name, bytes.len()));
        } else {
            let start = small.len();
            small.extend(bytes);
            let part = format!("{PART}({start}, {})", small.len());
            loader = replaced(&loader, &requested, &part, 1)?;
        }
    }
    files::write_atomically(&dir.join(&small_file), &small)?;
    loader.push_str(&small_loader(&small_file));
    built.push((small_file, small.len()));
    files::write_atomically(&dir.join(LOADER), loader)?;
    fs::remove_dir_all(&stage)?;
    Ok(built)
}

/// A request of the loader.
fn request(file: &str) -> String {
    format!("fetch(new URL(\"./{file}\", import.meta.url))")
}

/// The start of the part of the loader that loads small modules.
const SMALL_LOADER: &str = "\nlet smallModules;";

/// The function that gets a small module. A failed attempt can be repeated.
fn small_loader(file: &str) -> String {
    let request = request(file);
    format!(
        r#"{SMALL_LOADER}
async function {PART}(start, end) {{
    smallModules ??= {request}.then((response) => {{
        if (!response.ok) throw new Error(`${{response.url}} returned HTTP ${{response.status}}`);
        return response.arrayBuffer();
    }}).catch((error) => {{
        smallModules = undefined;
        throw error;
    }});
    const bytes = (await smallModules).slice(start, end);
    return new Response(bytes, {{ headers: {{ "content-type": "application/wasm" }} }});
}}
"#
    )
}

/// The groups of a built page: each with the files that it loads, by its loader.
pub fn groups(www: &Path) -> Result<Vec<(String, BTreeSet<String>)>> {
    let loader = files::read(&www.join(LOADER))?;
    let (loader, end) = loader
        .split_once(SMALL_LOADER)
        .with_context(|| format!("{LOADER} loads no small modules"))?;
    let part = format!(" {PART}(");
    let file_in = |statement: &str| {
        let text = if statement.contains(&part) {
            end
        } else {
            statement
        };
        let start = text.find(GROUP)?;
        let file = text.get(start..)?;
        Some(file.get(..file.find('"')?)?.to_owned())
    };
    // A shared module is a constant, which the groups that need it name in brackets.
    let mut shared = BTreeMap::new();
    let mut groups = Vec::new();
    for statement in loader
        .split("\nconst ")
        .flat_map(|part| part.split("\nexport const "))
    {
        let name = statement.split(" = ").next().unwrap_or_default();
        if name.starts_with("__chunk_") {
            shared.extend(file_in(statement).map(|file| (name.to_owned(), file)));
        } else if let Some(group) = name.strip_prefix("__wasm_split_load_") {
            let needed = statement.rsplit_once('[').map_or("", |(_, list)| list);
            let needed = needed.split(']').next().unwrap_or_default();
            let needed = needed.split(", ").filter_map(|name| shared.get(name));
            let files = file_in(statement).into_iter().chain(needed.cloned());
            groups.push((group.to_owned(), files.collect()));
        }
    }
    ensure!(!groups.is_empty(), "{LOADER} loads no groups");
    Ok(groups)
}

/// The main module, which exports its memory under a further name.
fn with_export(module: &[u8], name: &str) -> Result<Vec<u8>> {
    let mut module = Module::from_buffer(module)?;
    let memory = module.exports.iter().find_map(|export| match export.item {
        ExportItem::Memory(memory) => Some(memory),
        _ => None,
    });
    module
        .exports
        .add(name, memory.context("the page exports no memory")?);
    Ok(module.emit_wasm())
}

/// A group, which imports the memory under this name.
fn with_import(module: &[u8], name: &str) -> Result<Vec<u8>> {
    let mut module = Module::from_buffer(module)?;
    let memory = module
        .imports
        .iter_mut()
        .find(|import| matches!(import.kind, ImportKind::Memory(_)));
    match memory {
        Some(import) => import.name = name.into(),
        None => bail!("a group imports no memory"),
    }
    Ok(module.emit_wasm())
}

/// A text with every occurrence of another text replaced.
fn replaced(text: &str, from: &str, to: &str, expected: usize) -> Result<String> {
    let found = text.matches(from).count();
    ensure!(
        found == expected,
        "{LOADER} contains `{from}` {found} times, expected {expected}"
    );
    Ok(text.replace(from, to))
}
