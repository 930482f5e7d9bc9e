//! `cargo xtask descriptors`: the messages of Envoy's API, from the pinned binary.

use std::fs;

use anyhow::Result;

use crate::project::Project;
use crate::toolchain;

/// Their place in the checkout.
const FILE: &str = "vectors/descriptors/envoy-1.40.txt";

/// Writes the file.
pub fn run(project: &Project) -> Result<()> {
    let envoy = toolchain::envoy(&project.cache())?;
    let (found, files) = spillgate_testkit::descriptors::find(&fs::read(envoy)?)?;
    let (messages, enums) = (found.messages.len(), found.enums.len());
    fs::write(project.root.join(FILE), found.to_string())?;
    println!("{FILE}: {messages} messages and {enums} enums of {files} files");
    Ok(())
}
