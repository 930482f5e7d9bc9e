//! Changed links and changed pastes: the playground runs none of their text, always responds, and is never blank.

use anyhow::{Context as _, Result, anyhow, ensure};
use serde_json::{Value, json};
use spillgate_e2e::playground::Playground;
use spillgate_e2e::{Workdir, amount, figure};
use spillgate_scenario::{EditedScenario, link, preset};
use spillgate_testkit::fuzz::{InputKind, generated, link_payload};

/// Links, and as many pastes, in short and in full form.
const INPUTS: [u64; 2] = [100, 5_000];
/// Inputs of one script.
const BATCH: u64 = 50;
/// The longest time without a response, in milliseconds.
const MOST_SILENT: f64 = 1_000.0;
/// The seed of all inputs.
const SEED: u64 = 11;
/// Sets a mark if a browser takes it for markup.
const MARKUP: &str = "<img src=x onerror=window.hostile=1><script>window.hostile=1</script>";

/// What both scripts check after each input, and how they measure.
const WATCH: &str = "const inputs = arguments[0];
    const turn = () => new Promise((done) => setTimeout(done));
    let [silent, worst, blank, wrong] = [0, '', [], []];
    const beat = async (input) => {
        const start = performance.now();
        await turn();
        const took = performance.now() - start;
        if (took > silent) [silent, worst] = [took, input];
    };
    const check = (input) => {
        const main = document.querySelector('main');
        if (!main || main.innerText.trim().length < 20) blank.push(input);
        if (window.hostile || document.querySelector('main img, dialog img, main script, dialog script')) wrong.push(input);
    };
    const result = () => ({silent, worst, blank, wrong});";

/// Opens each link in the open page. Chromium permits 200 changes of the address in ten seconds, and the
/// page makes one for each of ours.
const LINKS: &str = "const PACE = 110;
    return (async () => {
        for (const input of inputs) {
            const next = performance.now() + PACE;
            location.hash = input;
            do await beat(input); while (performance.now() < next);
            check(input);
        }
        return result();
    })();";

/// Types each text into the open dialog, and waits until the reader has answered.
const PASTES: &str = "return (async () => {
        const area = document.querySelector('[data-test=import-text]');
        const summary = () => document.querySelector('[data-test=import-summary]').textContent;
        const put = async (text, is) => {
            area.value = text;
            area.dispatchEvent(new Event('input', {bubbles: true}));
            for (const end = performance.now() + 20000; !is() && performance.now() < end;) await beat(text);
            if (!is()) wrong.push(text);
        };
        for (const input of inputs) {
            await put('', () => !/cluster|error|warning|Reading/.test(summary()));
            const before = summary();
            await put(input, () => input.trim() === '' || (summary() !== before && !summary().startsWith('Reading')));
            check(input);
        }
        return result();
    })();";

/// The figures of all batches.
#[derive(Default)]
struct Found {
    silent: f64,
}

impl Found {
    fn take(&mut self, page: &Playground, script: &str, inputs: &[String]) -> Result<()> {
        let script = format!("{WATCH}{script}");
        let found = page.browser.script(&script, vec![json!(inputs)])?;
        let silent = found["silent"].as_f64().context("no time")?;
        ensure!(
            silent <= MOST_SILENT,
            "no response for {silent:.0} ms: {:?}",
            found["worst"].as_str()
        );
        for (what, key) in [
            ("leave a blank page", "blank"),
            ("run, or are not answered", "wrong"),
        ] {
            let inputs = found[key].as_array().context("no list")?;
            ensure!(inputs.is_empty(), "inputs that {what}: {inputs:?}");
        }
        self.silent = self.silent.max(silent);
        Ok(())
    }
}

/// A scenario whose names are markup.
fn hostile() -> Result<EditedScenario> {
    let base = preset("shop").context("no such scenario")?;
    let clusters = base.clusters().iter().map(|cluster| {
        let mut cluster = (**cluster).clone();
        cluster.name.push_str(MARKUP);
        cluster
    });
    // Without the aggregate, whose members have other names now.
    let clusters = clusters.take(1).collect();
    EditedScenario::new(clusters, 0).map_err(|error| anyhow!("{error}"))
}

/// A changed link: as a text, or its payload with a valid checksum.
fn changed_link(seeds: &[Vec<u8>], number: u64) -> String {
    if number.is_multiple_of(2) {
        let bytes = generated(InputKind::Text, seeds, SEED, number);
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let links = seeds.iter().filter_map(|seed| str::from_utf8(seed).ok());
    let payloads: Vec<Vec<u8>> = links.filter_map(link_payload).collect();
    let bytes = generated(InputKind::Bytes, &payloads, SEED, number);
    link::with_payload(if number % 4 == 1 { 'g' } else { 'h' }, bytes)
}

#[test]
fn changed_links_and_pastes_are_harmless() -> Result<()> {
    let workdir = Workdir::new("page_mutated")?;
    let page = Playground::open(&workdir)?;
    let [short, full] = INPUTS;
    let inputs = amount(short, full);
    let mut found = Found::default();

    let documented = preset("documented").context("no such scenario")?;
    let links = [link::write(&documented), link::write(&hostile()?)];
    let seeds = links.map(String::into_bytes);
    page.browser.script(
        "location.hash = arguments[0];",
        vec![json!(link::write(&hostile()?))],
    )?;
    page.browser.wait_for("the names of the link", |browser| {
        let text = browser.script("return document.querySelector('main').innerText;", vec![])?;
        let text = text.as_str().unwrap_or_default().to_owned();
        Ok(text.contains("onerror").then_some(()).ok_or(text))
    })?;
    for first in (0..inputs).step_by(BATCH as usize) {
        let batch = first..inputs.min(first + BATCH);
        let batch: Vec<String> = batch.map(|number| changed_link(&seeds, number)).collect();
        found.take(&page, LINKS, &batch)?;
    }

    page.paste_configuration("{}")?;
    page.browser.wait_for("the reader", |_| {
        let said = page.shown("import-summary")?;
        Ok(said.contains("error").then_some(()).ok_or(said))
    })?;
    let texts = [
        include_str!("../../../../envoy-config/zone-failover/envoy.yaml").to_owned(),
        json!({"clusters": [{"name": MARKUP, "load_assignment": {"cluster_name": MARKUP, "endpoints": []}}]}).to_string(),
        format!("name: {}\ntype: STATIC\nload_assignment: {{cluster_name: a, endpoints: [{{lb_endpoints: []}}]}}\n", Value::from(MARKUP)),
    ];
    let seeds = texts.map(String::into_bytes);
    for first in (0..inputs).step_by(BATCH as usize) {
        let text = |number| generated(InputKind::Text, &seeds, SEED, number);
        let batch = first..inputs.min(first + BATCH);
        let batch = batch.map(|number| String::from_utf8_lossy(&text(number)).into_owned());
        found.take(&page, PASTES, &batch.collect::<Vec<_>>())?;
    }
    figure(format_args!(
        "{inputs} changed links and {inputs} changed pastes: none runs, none leaves a blank page, the page responds after at most {:.0} ms",
        found.silent
    ));
    page.finish()
}
