//! The page as a browser gets it.

use anyhow::{Context as _, Result, ensure};

use super::Check;
use super::probe::Probe;
use spillgate_testkit::{Client, HttpResponse};

pub const CHECKS: [Check; 4] = [
    ("the page is served as HTML", html),
    ("its script is served as JavaScript", script),
    ("its modules are served as WebAssembly", module),
    ("nothing outside the page's folder is served", nothing_else),
];

fn html(probe: &Probe<'_>) -> Result<()> {
    for path in ["/", "/index.html"] {
        let answer = fetch(probe, path, "text/html")?;
        ensure!(
            answer.text().contains("playground"),
            "{path} does not load the playground"
        );
    }
    Ok(())
}

fn script(probe: &Probe<'_>) -> Result<()> {
    let answer = fetch(probe, "/playground.js", "text/javascript")?;
    ensure!(
        answer.text().contains("WebAssembly"),
        "playground.js loads no module"
    );
    Ok(())
}

fn module(probe: &Probe<'_>) -> Result<()> {
    for path in [
        "/playground_bg.wasm",
        "/screens_bg.wasm",
        "/reader.wasm",
        "/mesh.wasm",
    ] {
        let answer = fetch(probe, path, "application/wasm")?;
        ensure!(answer.body.starts_with(b"\0asm"), "{path} is not a module");
    }
    Ok(())
}

fn nothing_else(probe: &Probe<'_>) -> Result<()> {
    for path in [
        "/no-such-file",
        "/../spillgate.wasm",
        "/%2e%2e/spillgate.wasm",
        "/..%2fspillgate.wasm",
    ] {
        let answer = Client::new(probe.page).get(path, &[])?;
        ensure!(
            matches!(answer.status, 400 | 404),
            "GET {path}: {}",
            answer.status
        );
    }
    let answer = Client::new(probe.page).send("POST", "/", &[], b"")?;
    ensure!(answer.status == 403, "POST /: {}", answer.status);
    Ok(())
}

fn fetch(probe: &Probe<'_>, path: &str, kind: &str) -> Result<HttpResponse> {
    let answer = Client::new(probe.page).get(path, &[])?;
    ensure!(answer.status == 200, "GET {path}: {}", answer.status);
    let found = answer.header("content-type").context("no content-type")?;
    ensure!(
        found.starts_with(kind),
        "GET {path}: {found}, expected {kind}"
    );
    Ok(answer)
}
