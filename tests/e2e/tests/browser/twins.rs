//! The commands and the filter's decisions, as WebAssembly in a browser: the same bytes as here.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_e2e::{Browser, Need, StaticFiles, Workdir, amount, figure, needed};
use spillgate_testkit::twins::both;

/// Scenarios, in short and in full form.
const SCENARIOS: [u64; 2] = [60, 10_000];
/// How often one of them is repeated, in short and in full form.
const REPEATED: [u64; 2] = [20, 1_000];
/// Answers of one script.
const BATCH: u64 = 20;

/// Loads the module once, then answers the seeds.
const SCRIPT: &str = r#"
const seeds = arguments[0];
window.twin ??= fetch("twin.wasm")
  .then((response) => response.arrayBuffer())
  .then((bytes) => WebAssembly.instantiate(bytes, {}))
  .then(({ instance }) => instance.exports);
return window.twin.then((twin) => seeds.map((seed) => {
  const length = twin.answer_seed(BigInt(seed));
  const place = twin.answer_place();
  return new TextDecoder().decode(new Uint8Array(twin.memory.buffer, place, length));
}));
"#;

#[test]
fn answers_are_the_same_in_a_browser() -> Result<()> {
    let workdir = Workdir::new("browser_twins")?;
    workdir.write("index.html", "<!doctype html><title>twins</title>")?;
    fs::copy(needed(Need::TwinWasm)?, workdir.path().join("twin.wasm"))?;
    let server = StaticFiles::serve(workdir.path())?;
    let browser = Browser::start(&workdir)?;
    browser.open(&server.origin())?;

    let [short, full] = SCENARIOS;
    let scenarios = amount(short, full);
    let mut bytes = 0;
    for first in (0..scenarios).step_by(BATCH as usize) {
        let seeds: Vec<u64> = (first..scenarios.min(first + BATCH)).collect();
        for (seed, there) in seeds.iter().zip(answers(&browser, &seeds)?) {
            let native = both(*seed);
            let differs = native.lines().zip(there.lines()).find(|(a, b)| a != b);
            ensure!(native == there, "seed {seed}: {differs:?}");
            bytes += native.len();
        }
    }
    let [short, full] = REPEATED;
    let repeated = amount(short, full);
    let native = both(7);
    for _ in 0..repeated.div_ceil(BATCH) {
        let same = answers(&browser, &[7; BATCH as usize])?;
        ensure!(same.iter().all(|there| *there == native));
    }
    figure(format_args!(
        "{scenarios} scenarios, {bytes} bytes of answers, and one {repeated} times, 0 differences"
    ));
    Ok(())
}

fn answers(browser: &Browser, seeds: &[u64]) -> Result<Vec<String>> {
    let answers = browser.script(SCRIPT, vec![json!(seeds)])?;
    let answers = answers.as_array().context("no list of answers")?;
    ensure!(answers.len() == seeds.len(), "{} answers", answers.len());
    let text = |answer: &Value| answer.as_str().map(str::to_owned);
    let all: Option<Vec<String>> = answers.iter().map(text).collect();
    all.context("an answer is no text")
}
