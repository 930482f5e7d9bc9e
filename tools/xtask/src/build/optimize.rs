//! The last step on a module: wasm-opt where there is one, with what it made kept for the next run.
//!
//! The playground's modules go through `wasm-opt -O1` twice, with passes between that merge locals:
//! higher settings make a module smaller but its compressed form larger. Modules without JavaScript
//! of their own also get their functions sorted by the number of calls.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;

use anyhow::Result;

use super::sections::{self, NAMES};
use crate::files;
use crate::project::Project;
use crate::toolchain::PASSES;

/// `module` after these passes of wasm-opt, such as `-O3`, or without its names if wasm-opt is missing or
/// refuses it. `name` distinguishes the kept files of modules.
pub fn optimize(project: &Project, name: &str, passes: &[&str], module: &[u8]) -> Result<Vec<u8>> {
    let stage = project.stage();
    fs::create_dir_all(&stage)?;
    let (input, output) = (
        stage.join(format!("{name}.in.wasm")),
        stage.join(format!("{name}.opt.wasm")),
    );
    let key_file = key_file(project, name);
    let Some(wasm_opt) = project.wasm_opt() else {
        fs::remove_file(&key_file).ok();
        return Ok(sections::without(module, NAMES));
    };
    let key = key(module, passes, &wasm_opt.version);
    if output.exists() && fs::read_to_string(&key_file).is_ok_and(|kept| kept == key) {
        return files::read_bytes(&output);
    }
    fs::remove_file(&key_file).ok();
    files::write_atomically(&input, module)?;
    println!("  $ wasm-opt {} {}", passes.join(" "), project.show(&input));
    if let Err(error) = wasm_opt.run(passes, &input, &output) {
        println!("  warning: not optimized: {error:#}");
        return Ok(sections::without(module, NAMES));
    }
    files::write_atomically(&key_file, key)?;
    files::read_bytes(&output)
}

/// Whether the module last built under `name` went through wasm-opt.
pub fn is_optimized(project: &Project, name: &str) -> bool {
    key_file(project, name).exists()
}

fn key_file(project: &Project, name: &str) -> PathBuf {
    project.stage().join(format!("{name}.key"))
}

/// Differs for each module, option of wasm-opt and version of wasm-opt.
fn key(module: &[u8], passes: &[&str], version: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (module, passes, PASSES, version).hash(&mut hasher);
    format!("{:016x} {}", hasher.finish(), module.len())
}
