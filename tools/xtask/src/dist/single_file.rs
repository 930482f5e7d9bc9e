//! The playground with everything in one HTML file, which opens from a disk: no server, no second file.
//!
//! Browsers load neither modules nor WebAssembly from file:// URLs, so the script is a plain one
//! and the modules are embedded as base64: the playground's own, and those that `reader.js` takes from there.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::build::{FONT, PAGE, READERS, ReaderModule};
use crate::files;
use crate::project::Project;

/// `www/index.html` with its style sheets and plain scripts in it, its module scripts and other
/// links taken out, and all modules at the end, where the playground starts.
pub fn inline(project: &Project) -> Result<String> {
    let www = &project.www();
    let html = files::read(&www.join("index.html"))?;
    let html = with_plain_scripts(&html, www)?;
    let html = with_inline_links(&html, www)?;
    let mut modules = String::new();
    for ReaderModule { file, .. } in READERS {
        let module = STANDARD.encode(files::read_bytes(&www.join(file))?);
        modules += &format!("\"{file}\": \"{module}\",");
    }
    let (page, module) = PAGE.build_script(project)?;
    let start = format!(
        "<script>\nglobalThis.spillgateModules = {{{modules}}};\n{}\n{}({{module_or_path: Uint8Array.from(atob(\"{}\"), c => c.charCodeAt(0))}});\n</script>\n",
        quoted(&page),
        PAGE.global,
        STANDARD.encode(module)
    );
    match html.rfind("</body>") {
        Some(end) => {
            let (before, after) = html.split_at(end);
            Ok(format!("{before}{start}{after}"))
        }
        None => Ok(html + &start),
    }
}

/// A script's text, escaped for a script element.
fn quoted(script: &str) -> String {
    script.replace("</script", "<\\/script")
}

/// Puts the text of plain scripts in the place of their addresses, and leaves modules out.
fn with_plain_scripts(html: &str, www: &Path) -> Result<String> {
    let mut kept = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = rest.find("<script") {
        let (before, element) = rest.split_at(start);
        kept.push_str(before);
        let end = element
            .find("</script>")
            .context("index.html: a script does not end")?;
        let (script, after) = element.split_at(end + "</script>".len());
        rest = after;
        let opening = script.split('>').next().unwrap_or_default();
        if let (None, Some(address)) = (attribute(opening, "type"), attribute(opening, "src")) {
            let text = files::read(&www.join(address))?;
            kept.push_str(&format!("<script>\n{}</script>", quoted(&text)));
        }
    }
    Ok(kept + rest)
}

/// Turns `<link rel="stylesheet" href="x.css">` into a style element, small icons into data URLs,
/// and leaves other links (preloads, manifests) out.
fn with_inline_links(html: &str, www: &Path) -> Result<String> {
    let mut kept = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = rest.find("<link") {
        let (before, element) = rest.split_at(start);
        kept.push_str(before);
        let end = element
            .find('>')
            .context("index.html: a link does not end")?;
        let (link, after) = element.split_at(end + 1);
        rest = after;
        let (Some(rel), Some(href)) = (attribute(link, "rel"), attribute(link, "href")) else {
            bail!("index.html: a link without rel or href: {link}");
        };
        if href.starts_with("data:") {
            kept.push_str(link);
        } else if rel == "stylesheet" {
            let style = with_inline_font(&files::read(&www.join(href))?, www)?;
            kept.push_str(&format!("<style>\n{style}</style>"));
        } else if rel == "icon" && href.ends_with(".svg") {
            let icon = STANDARD.encode(files::read_bytes(&www.join(href))?);
            kept.push_str(&format!(
                "<link rel=\"icon\" href=\"data:image/svg+xml;base64,{icon}\">"
            ));
        }
    }
    Ok(kept + rest)
}

/// Puts the font in the place of its address; a page without one has no address.
fn with_inline_font(style: &str, www: &Path) -> Result<String> {
    let address = format!("./{FONT}");
    if !style.contains(&address) {
        return Ok(style.into());
    }
    let font = STANDARD.encode(files::read_bytes(&www.join(FONT))?);
    Ok(style.replace(&address, &format!("data:font/woff2;base64,{font}")))
}

/// The value of `name="value"` in an element's text.
fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let start = element.find(&format!("{name}=\""))? + name.len() + 2;
    let value = element.get(start..)?;
    value.get(..value.find('"')?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn modules_leave_and_plain_scripts_come_in() {
        let www = std::env::temp_dir().join(format!("spillgate-scripts-{}", std::process::id()));
        std::fs::create_dir_all(&www).unwrap();
        std::fs::write(www.join("x.js"), "a('</script>');\n").unwrap();
        let html = "<head><script type=\"module\" src=\"y.js\">a < b</script></head>\
                    <body><script src=\"x.js\"></script>x</body>";
        assert_eq!(
            with_plain_scripts(html, &www).unwrap(),
            "<head></head><body><script>\na('<\\/script>');\n</script>x</body>"
        );
        assert!(with_plain_scripts("<script>never", &www).is_err());
        std::fs::remove_dir_all(&www).unwrap();
    }

    #[test]
    fn attributes_are_read() {
        let link = "<link rel=\"stylesheet\" href=\"style.css\">";
        assert_eq!(attribute(link, "href"), Some("style.css"));
        assert_eq!(attribute(link, "type"), None);
    }
}
