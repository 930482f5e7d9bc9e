//! The page: the files of `www/` with the modules.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::{EMBED, EMBED_SWEEP, FILTER_FILES, READERS, SCREENS, filter, split::split_page};
use super::{font, offline};
use crate::files;
use crate::project::Project;

/// Builds the page with the filter, and lays it at its place, which is replaced as a whole.
pub fn page(project: &Project) -> Result<PathBuf> {
    let shipped = filter(project)?;
    println!("building the page");
    let fresh = project.stage().join(format!("www.{}", std::process::id()));
    files::fresh_dir(&fresh)?;
    files::copy_dir(&project.root.join("www"), &fresh)?;
    font::font(project, &fresh)?;
    let [filter_file, ..] = FILTER_FILES;
    files::copy(&shipped, &fresh.join(filter_file))?;
    let mut sizes = Vec::new();
    for (file, size) in split_page(project, &fresh)? {
        sizes.push(format!("{file}: {size} bytes"));
    }
    for module in SCREENS {
        let size = module.build(project, &fresh)?;
        sizes.push(format!("{}: {size} bytes", module.file()));
    }
    for reader in READERS {
        let module = reader.build(project)?;
        files::write_atomically(&fresh.join(reader.file), &module)?;
        sizes.push(format!("{}: {} bytes", reader.file, module.len()));
    }
    for embed in [EMBED, EMBED_SWEEP] {
        let module = embed.build(project)?;
        files::write_atomically(&fresh.join(embed.file), &module)?;
        sizes.push(format!("{}: {} bytes", embed.file, module.len()));
    }
    let version = offline::seal(&fresh, project.commit())?;

    let place = project.www();
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    fs::rename(&fresh, &place).with_context(|| format!("cannot create {}", place.display()))?;
    println!(
        "  {}, version {version} ({})",
        project.show(&place),
        sizes.join(", ")
    );
    Ok(place)
}
