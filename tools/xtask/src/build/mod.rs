//! Builds what ships: the command, the filter for Envoy in both forms, and the playground for the browser.

mod bindgen;
mod command;
mod embed;
mod exports;
mod file_use;
mod filter;
mod font;
mod imports;
mod module;
mod offline;
mod optimize;
mod page;
mod page_module;
mod paths;
mod reader;
mod sections;
mod site;
mod split;
mod step;
mod twin;
mod wasm;

use bindgen::{bind_main, bind_script};
pub use command::{CommandPage, SHIPPED, command, with_page};
pub use embed::{EMBED, EMBED_SWEEP};
pub use exports::{FILTER_EXPORTS, exported_names};
pub use file_use::{FileUse, file_use};
pub use filter::{FILTER_FILES, filter};
pub use font::FONT;
pub use imports::imported_functions;
pub use module::{faulty_module, module};
pub use optimize::is_optimized;
pub use page::{PageBuild, page};
pub use page_module::PAGE;
pub use paths::same_everywhere;
pub use reader::{READERS, ReaderModule};
pub use site::{SiteContent, site};
pub use split::{GROUP, groups};
pub use step::side_by_side;
pub use twin::twin;

use anyhow::Result;

use crate::project::Project;

/// The cargo profile of the playground's modules, in the workspace's Cargo.toml.
const PAGE_PROFILE: &str = "page";
/// The passes of wasm-opt in the playground's modules. Higher levels inline, which makes a module smaller and its
/// compressed size larger.
const PAGE_PASSES: [&str; 5] = [
    "-O1",
    "--merge-locals",
    "--rse",
    "-O1",
    "--duplicate-function-elimination",
];
/// Further passes on modules without JavaScript of their own, whose order of functions compresses less well.
const ORDER_PASSES: [&str; 2] = ["--reorder-functions", "--reorder-locals"];

/// The playground, the filter, which the playground contains too, the dynamic module and the documentation.
pub fn everything(project: &Project) -> Result<()> {
    let page = PageBuild::first_screen(project, || module(project).map(drop))?;
    page.rest(|| site(project, &project.docs(), SiteContent::Pages))?;
    Ok(())
}
