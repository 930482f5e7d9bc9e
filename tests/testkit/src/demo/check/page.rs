//! The playground as a browser gets it.

use anyhow::{Context as _, Result, ensure};

use super::Check;
use super::probe::Probe;
use crate::HttpResponse;

pub(super) const CHECKS: [Check; 6] = [
    ("the page is served as HTML", html),
    ("its script is served as JavaScript", script),
    ("its modules are served as WebAssembly", module),
    (
        "pages of other origins can load its files, but not the admin",
        other_origins,
    ),
    ("its documentation is served as HTML", documentation),
    ("nothing outside the page's folder is served", nothing_else),
];

fn html(probe: &mut Probe<'_>) -> Result<()> {
    for path in ["/", "/index.html"] {
        let answer = fetch(probe, path, "text/html")?;
        ensure!(
            answer.text().contains("playground"),
            "{path} does not load the playground"
        );
    }
    Ok(())
}

fn script(probe: &mut Probe<'_>) -> Result<()> {
    let answer = fetch(probe, "/playground.js", "text/javascript")?;
    ensure!(
        answer.text().contains("WebAssembly"),
        "playground.js loads no module"
    );
    Ok(())
}

fn module(probe: &mut Probe<'_>) -> Result<()> {
    for path in [
        "/playground_bg.wasm",
        "/reader.wasm",
        "/mesh.wasm",
        "/routes.wasm",
        "/simulation.wasm",
        "/incident.wasm",
        "/comparison.wasm",
        "/embed.wasm",
        "/embed-sweep.wasm",
    ] {
        let answer = fetch(probe, path, "application/wasm")?;
        ensure!(answer.body.starts_with(b"\0asm"), "{path} is not a module");
    }
    Ok(())
}

fn documentation(probe: &mut Probe<'_>) -> Result<()> {
    for path in ["/docs/", "/docs/concepts/priorities.html", "/docs/mesh/"] {
        let answer = fetch(probe, path, "text/html")?;
        ensure!(
            answer.text().contains("aria-label=\"Pages\""),
            "{path} has no navigation"
        );
    }
    Ok(())
}

fn other_origins(probe: &mut Probe<'_>) -> Result<()> {
    const NAME: &str = "access-control-allow-origin";
    for path in ["/embed.js", "/embed.wasm", "/embed.html"] {
        let answer = probe.page().get(path, &[])?;
        ensure!(
            (answer.status, answer.header(NAME)) == (200, Some("*")),
            "GET {path}: {}, {NAME}: {:?}",
            answer.status,
            answer.header(NAME)
        );
    }
    for path in ["/live/clusters?format=json", "/live/stats", "/live/"] {
        let answer = probe.page().get(path, &[])?;
        let found = answer.header(NAME);
        ensure!(found.is_none(), "GET {path}: {NAME}: {found:?}");
    }
    Ok(())
}

fn nothing_else(probe: &mut Probe<'_>) -> Result<()> {
    for path in [
        "/no-such-file",
        "/../twin.wasm",
        "/%2e%2e/twin.wasm",
        "/..%2ftwin.wasm",
    ] {
        let answer = probe.page().get(path, &[])?;
        ensure!(
            matches!(answer.status, 400 | 404),
            "GET {path}: {}",
            answer.status
        );
    }
    let answer = probe.page().send("POST", "/", &[], b"")?;
    ensure!(answer.status == 403, "POST /: {}", answer.status);
    Ok(())
}

fn fetch(probe: &Probe<'_>, path: &str, kind: &str) -> Result<HttpResponse> {
    let answer = probe.page().get(path, &[])?;
    ensure!(answer.status == 200, "GET {path}: {}", answer.status);
    let found = answer.header("content-type").context("no content-type")?;
    ensure!(
        found.starts_with(kind),
        "GET {path}: {found}, expected {kind}"
    );
    Ok(answer)
}
