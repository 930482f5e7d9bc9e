//! The documentation of this repository: every link leads somewhere, in the site and in its source.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use spillgate_site::{ApiLink, broken_links, build};
use spillgate_testkit::repository;

#[test]
fn no_link_in_a_markdown_file_is_broken() {
    let broken = broken_links(repository()).unwrap();
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn the_site_has_no_broken_link_and_needs_no_script() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site");
    // Broken links are an error of the build.
    let site = build(
        &repository().canonicalize().unwrap(),
        &folder,
        ApiLink::Omitted,
    )
    .unwrap();
    assert!(site.pages > 100, "{site:?}");

    let page = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let home = page("index.html");
    assert!(
        home.contains("concepts/panic-mode.html\">Panic mode</a>"),
        "no navigation"
    );
    assert!(!home.contains("<script>"), "a script in the page");
    assert!(
        !home.contains("api/"),
        "a link to what this build does not have"
    );
    let concept = page("concepts/priorities.html");
    assert!(
        concept.contains("<td>5 of 10</td><td>70 %</td>"),
        "no fallback of the scenario"
    );
    assert!(
        concept.contains("src=\"../../embed.js\""),
        "no script of the scenario"
    );
    assert!(
        !home.contains("embed.js"),
        "a script that the page does not need"
    );
    // Every page names its version, and reads the one list of all versions.
    assert!(
        home.contains("data-versions-address=\"../docs/versions.json\" data-root=\"\">main</span>")
    );
    assert!(concept.contains(
        "data-versions-address=\"../../docs/versions.json\" data-root=\"../\">main</span>"
    ));
    assert_eq!(
        page("versions.json"),
        "[{\"name\": \"main\", \"folder\": \"docs\"}]\n"
    );
    // A page links to a folder of the repository, so the README there is a page.
    assert!(
        page("how-to/recipes.html").contains("../source/envoy-config/subset-canary/index.html")
    );
    assert!(page("source/envoy-config/subset-canary/index.html").contains("<h1"));
    // Each code and each rule has a page, to which the links to its section lead.
    assert!(page("codes/config/eds.html").contains("eds_cluster_config"));
    assert!(page("codes/priority-gap.html").contains("<strong>Cause.</strong>"));
    assert!(page("lint.html").contains("href=\"codes/priority-gap.html\""));
    assert!(page("codes/index.html").contains("href=\"config/eds.html\""));
    assert!(page("diagnostics.html").contains("href=\"codes/index.html#mesh-documents\""));
    // The address of a merged or renamed page leads to its part.
    assert!(page("native-module.html").contains("href=\"dynamic-module.html\""));
    let moved = page("mesh/any-zone.html");
    assert!(moved.contains("href=\"cases.html#fail-over-to-any-zone\""));
    assert!(!moved.contains("<script>"), "a script in the page");
}

#[test]
fn every_page_is_in_the_summary() {
    let docs = repository().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let mut folders = vec![docs.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&docs).unwrap().display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".md") && name != "SUMMARY.md" {
                assert!(summary.contains(&format!("]({name})")), "{name} is missing");
            }
        }
    }
}
