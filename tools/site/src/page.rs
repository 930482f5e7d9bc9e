//! What a page gets after mdBook has written it: the navigation, the list of its headings, the script of its
//! scenarios, and the keyboard's way to wide tables and long lines.

use std::sync::LazyLock;

use regex::Regex;

use crate::{navigation::Navigation, versions};

/// Where the theme leaves room.
const NAVIGATION: &str = "<!-- navigation -->";
const SCRIPT: &str = "<!-- script of scenarios -->";
const API: &str = "<!-- api -->";
const VERSION: &str = "<!-- version -->";
/// Below this, a list of headings has no use.
const FEWEST_HEADINGS: usize = 3;

#[allow(clippy::expect_used, reason = "a constant; the tests use it")]
static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("<h2 id=\"([^\"]+)\"><a class=\"header\" href=\"[^\"]*\">(.*?)</a></h2>")
        .expect("a valid expression")
});

/// Whether pages link to the documentation of the libraries, which another build adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApiLink {
    /// They do.
    Shown,
    /// They do not: it was not built.
    Omitted,
}

/// The page at `address`, an address from the site's root.
pub(crate) fn finish(address: &str, html: &str, navigation: &Navigation, api: ApiLink) -> String {
    let root = "../".repeat(address.matches('/').count());
    let script = if html.contains("<spillgate-split") {
        // The site is in the folder `docs` of the page, which has the element.
        format!("<script type=\"module\" src=\"{root}../embed.js\"></script>")
    } else {
        String::new()
    };
    let api = match api {
        ApiLink::Shown => format!("<a href=\"{root}api/spillgate_core/index.html\">Rust API</a>"),
        ApiLink::Omitted => String::new(),
    };
    html.replace(API, &api)
        .replace(VERSION, &versions::chooser(&root))
        .replace(NAVIGATION, &navigation.html(address, &root))
        .replacen("</h1>", &format!("</h1>{}", headings(html)), 1)
        .replace(SCRIPT, &script)
        .replace("<pre>", "<pre tabindex=\"0\">")
        .replace("<pre class=", "<pre tabindex=\"0\" class=")
        // A header without text has no meaning for a screen reader.
        .replace("<th></th>", "<td></td>")
        .replace(
            "<div class=\"table-wrapper\">",
            "<div class=\"table-wrapper\" tabindex=\"0\">",
        )
}

fn headings(html: &str) -> String {
    let found = HEADING.captures_iter(html).map(|found| {
        let (_, [id, text]) = found.extract();
        format!("<li><a href=\"#{id}\">{text}</a></li>")
    });
    let found: Vec<String> = found.collect();
    if found.len() < FEWEST_HEADINGS {
        return String::new();
    }
    let list = found.concat();
    format!(
        "<nav class=\"headings\" aria-label=\"On this page\"><p>On this page</p><ul>{list}</ul></nav>"
    )
}
