//! The commands' answers for WebAssembly, which a test compares with those of this machine.

use anyhow::Result;

use super::step::step;
use super::wasm;
use crate::files;
use crate::project::Project;

/// Builds the module and copies it to its place, not optimized: it is not released.
pub fn twin(project: &Project) -> Result<()> {
    step("the commands for WebAssembly", || {
        let module = files::read_bytes(&wasm::build(project, "spillgate-twin", "twin")?)?;
        let place = project.twin_wasm();
        println!("  {} ({} bytes)", project.show(&place), module.len());
        files::write_atomically(&place, &module)
    })
}
