//! A copy of the built page that records its own faults, for browsers whose drivers do not give the console.
//!
//! The recorder is part of the first script, so that it misses nothing and the service worker keeps it too.

use std::fs;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use sha2::{Digest as _, Sha256};

use crate::playground::Playground;
use crate::{Browser, Workdir};

/// The first script of the playground.
const FIRST_SCRIPT: &str = "announce.js";
const WORKER: &str = "service-worker.js";

/// Keeps errors, warnings, failed loads and refusals of the security policy over reloads, a line each.
const RECORDER: &str = "{
    const keep = (fault) =>
        sessionStorage.setItem('faults', `${sessionStorage.getItem('faults') ?? ''}${fault}\\n`);
    const source = ({src, href}) => src ?? href;
    addEventListener('error', (event) => keep(event.message ?? `no ${source(event.target)}`), true);
    addEventListener('unhandledrejection', ({reason}) => keep(`unhandled: ${reason}`));
    addEventListener('securitypolicyviolation', (event) =>
        keep(`${event.violatedDirective} refuses ${event.blockedURI}`));
    for (const severity of ['error', 'warn']) {
        console[severity] = (...texts) => keep(`${severity}: ${texts.join(' ')}`);
    }
}
";
/// What was recorded.
const RECORDED: &str = "return sessionStorage.getItem('faults') ?? '';";
/// A fault that the playground does not have by itself: an image that the server does not have.
const FAULT: &str = "const image = document.createElement('img');
    image.src = 'deliberate.png';
    document.body.append(image);";

/// The copy: its folder.
///
/// # Errors
/// If the playground was not built, or cannot be copied.
pub fn copy(workdir: &Workdir) -> Result<PathBuf> {
    let folder = Playground::copy(workdir)?;
    let script = folder.join(FIRST_SCRIPT);
    let text = fs::read_to_string(&script)?;
    let recording = format!("{RECORDER}{text}");
    let worker = folder.join(WORKER);
    // The service worker stores only files with the hashes that it knows.
    let known = fs::read_to_string(&worker)?;
    let changed = known.replace(&hash(&text), &hash(&recording));
    ensure!(changed != known, "{WORKER} has no hash of {FIRST_SCRIPT}");
    fs::write(worker, changed)?;
    fs::write(script, recording)?;
    Ok(folder)
}

/// Checks that nothing was recorded, and that a fault would have been.
///
/// # Errors
/// If one of these fails.
pub fn check_faultless(browser: &Browser) -> Result<()> {
    let recorded = browser.script(RECORDED, vec![])?;
    ensure!(recorded == "", "the page reports {recorded}");
    browser.script(FAULT, vec![])?;
    browser.wait_for("the deliberate fault", |browser| {
        let recorded = browser.script(RECORDED, vec![])?;
        let text = recorded.as_str().unwrap_or_default();
        Ok(text.contains("deliberate").then_some(()).ok_or(text.into()))
    })
}

fn hash(text: &str) -> String {
    let hash = Sha256::digest(text);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
