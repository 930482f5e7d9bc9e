//! The font of the playground, next to its style sheet.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::files;
use crate::project::Project;
use crate::toolchain;

/// Its file name, in `style.css` and `index.html`.
pub const FONT: &str = "inter.woff2";
/// Its license.
const LICENSE: &str = "inter.LICENSE.txt";
/// The files with a line that names the font.
const USES: [&str; 2] = ["index.html", "style.css"];

/// Lays the font into the folder of the playground. Without it the playground uses a font of the visitor: the lines
/// that name it are taken out.
pub fn font(project: &Project, www: &Path) -> Result<()> {
    match toolchain::font(&project.cache()) {
        Ok(found) => {
            fs::copy(&found.font, www.join(FONT))?;
            fs::copy(&found.license, www.join(LICENSE))?;
            Ok(())
        }
        Err(error) => {
            println!("  WARNING: the page is built WITHOUT ITS FONT: {error:#}");
            println!("  Labels are measured for Inter; other fonts can be wider.");
            for file in USES {
                let path = www.join(file);
                let text = files::read(&path)?;
                let lines = text.lines().filter(|line| !line.contains(FONT));
                let kept: String = lines.map(|line| format!("{line}\n")).collect();
                files::write_atomically(&path, kept)?;
            }
            Ok(())
        }
    }
}
