//! Large and hostile texts in the import dialog: a worker reads them, and the playground stays usable.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_codec::import::{FaultSeverity, ImportAnswer, ImportFault, ImportField};
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{Playground, test};

/// Puts the text that a script makes into the field, and waits for a word in the summary: in `measured`, the
/// milliseconds until then, those of the playground's longest script, those without a response, and how often
/// the playground responded. The browser's own work on a text of a million lines is in the third figure only.
const START: &str = "const [make, word] = arguments;
    const area = document.querySelector('[data-test=import-text]');
    const summary = () => document.querySelector('[data-test=import-summary]').textContent;
    area.value = new Function(make)();
    area.scrollHeight;
    const measured = {took: null, longest: 0, silent: 0, beats: 0, bytes: area.value.length};
    globalThis.measured = measured;
    setTimeout(() => {
        const start = performance.now();
        let last = start;
        new PerformanceObserver((list) => {
            for (const frame of list.getEntries())
                for (const script of frame.scripts)
                    measured.longest = Math.max(measured.longest, script.duration);
        }).observe({type: 'long-animation-frame'});
        const beat = () => {
            const now = performance.now();
            measured.silent = Math.max(measured.silent, now - last);
            measured.beats += 1;
            last = now;
            if (summary().includes(word)) measured.took = now - start;
            else setTimeout(beat, 5);
        };
        setTimeout(beat, 5);
        area.dispatchEvent(new Event('input', {bubbles: true}));
    }, 200);";

/// The figures of [`START`], after those of the last frame.
const COLLECT: &str = "return new Promise((resolve) =>
    requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => resolve(globalThis.measured)), 100)));";

/// A result of [`START`].
struct Measured {
    took: f64,
    longest: f64,
    beats: f64,
}

/// Reads a text of a script in the open dialog.
fn read(page: &Playground, name: &str, make: &str, word: &str) -> Result<Measured> {
    // The policy of the server forbids functions from text, so the driver's own context makes it.
    let script = START.replace("new Function(make)()", &format!("(() => {{ {make} }})()"));
    page.browser
        .script(&script, vec![json!(make), json!(word)])?;
    page.browser.wait_for(name, |browser| {
        let took = browser.script("return globalThis.measured.took;", vec![])?;
        Ok(if took.is_null() {
            Err(page.shown("import-summary")?)
        } else {
            Ok(())
        })
    })?;
    let found = page.browser.script(COLLECT, vec![])?;
    let number = |key: &str| found[key].as_f64().context("no figure");
    let measured = Measured {
        took: number("took")?,
        longest: number("longest")?,
        beats: number("beats")?,
    };
    println!(
        "{name}, {} bytes: result after {:.0} ms; longest script {:.0} ms; without a response {:.0} ms",
        number("bytes")?,
        measured.took,
        measured.longest,
        number("silent")?
    );
    Ok(measured)
}

/// A text of 5 MB of valid YAML: twelve thousand hosts.
const VALID: &str = "let out = 'static_resources:\\n  clusters:\\n';
    for (let n = 0; out.length < 5000000; n += 1) {
        out += `  - name: service-${n}\\n    type: STATIC\\n    lb_policy: LEAST_REQUEST\\n    load_assignment:\\n      cluster_name: service-${n}\\n      endpoints:\\n      - locality: {zone: a}\\n        lb_endpoints:\\n`;
        for (let h = 1; h <= 10; h += 1)
            out += `        - endpoint:\\n            address:\\n              socket_address:\\n                address: 10.${n >> 8}.${n & 255}.${h}\\n                port_value: 8080\\n            health_check_config: {}\\n          health_status: HEALTHY\\n          load_balancing_weight: 1\\n          metadata:\\n            filter_metadata:\\n              envoy.lb:\\n                stage: prod\\n                version: \"1.2\"\\n`;
    }
    return out;";

/// One cluster with 40,000 hosts.
const HOSTS: &str = "let out = 'name: c\\nload_assignment:\\n  cluster_name: c\\n  endpoints:\\n  - lb_endpoints:\\n';
    for (let n = 0; n < 40000; n += 1)
        out += `    - endpoint: {address: {socket_address: {address: 10.${n >> 16}.${n >> 8 & 255}.${n & 255}, port_value: 80}}}\\n`;
    return out;";

#[test]
fn megabytes_do_not_block_the_page() -> Result<()> {
    let workdir = Workdir::new("page_large_texts")?;
    let page = Playground::open(&workdir)?;
    page.paste_configuration("{}")?;
    wait_for_summary(&page, "error")?;
    let texts = [
        ("valid YAML", VALID, "Found"),
        ("40,000 hosts", HOSTS, "1 error"),
    ];
    for (name, make, word) in texts {
        let word = word.replace(' ', "\u{a0}");
        let measured = read(&page, name, make, &word)?;
        // A page that reads itself has one script for all of it. Load slows down both figures.
        ensure!(
            measured.longest < measured.took / 2.0,
            "{name}: blocked for {} of {} ms",
            measured.longest,
            measured.took
        );
        ensure!(
            measured.beats > 1.0,
            "{name}: {} beats in {} ms",
            measured.beats,
            measured.took
        );
        // The next text is read from an empty field.
        read(&page, "nothing", "return '';", "")?;
    }
    page.finish()
}

/// Reads a million faults without the text field, whose million lines the browser typesets for seconds.
/// Returns the length of the answer, the milliseconds, and how often the playground responded.
const FAULTS: &str =
    "const text = new TextEncoder().encode('static_resources:\\n' + '  a: b\\n'.repeat(1000000));
    const start = performance.now();
    let [beats, done] = [0, false];
    const beat = () => { beats += 1; if (!done) setTimeout(beat, 5); };
    beat();
    return spillgateReader.read(text, new Uint8Array()).then((answer) => {
        done = true;
        return [answer.length, performance.now() - start, beats];
    });";

#[test]
fn a_million_faults_are_read_in_the_background() -> Result<()> {
    let workdir = Workdir::new("page_million_faults")?;
    let page = Playground::open(&workdir)?;
    page.paste_configuration("{}")?;
    wait_for_summary(&page, "error")?;
    let found = page.browser.script(FAULTS, vec![])?;
    let figure = |index: usize| found[index].as_f64().context("no figure");
    let (length, took, beats) = (figure(0)?, figure(1)?, figure(2)?);
    println!(
        "a million faults: {length} bytes after {took:.0} ms; the page responded {beats} times"
    );
    ensure!((10_000.0..200_000.0).contains(&length), "{length} bytes");
    ensure!(beats > 10.0, "{beats} responses in {took} ms");
    page.finish()
}

#[test]
fn too_many_hosts_are_refused_before_the_user_chooses() -> Result<()> {
    let workdir = Workdir::new("page_too_many_hosts")?;
    let page = Playground::open(&workdir)?;
    page.click("import")?;
    page.browser.text("dialog h2")?;
    read(&page, "40,000 hosts", HOSTS, "1\u{a0}error")?;
    let fault = page.shown("import-fault")?;
    ensure!(
        fault.contains("40000 hosts; the playground supports at most 20000"),
        "{fault}"
    );
    let disabled = page.browser.attribute(&test("import-apply"), "disabled")?;
    ensure!(disabled.is_some(), "the clusters can be used");
    page.finish()
}

#[test]
fn many_errors_are_capped_and_the_page_says_so() -> Result<()> {
    let workdir = Workdir::new("page_many_errors")?;
    let page = Playground::open(&workdir)?;
    let unknown: Vec<String> = (0..3000).map(|n| format!("  k{n}: 1\n")).collect();
    page.paste_configuration(&format!("static_resources:\n{}", unknown.concat()))?;
    wait_for_summary(&page, "1000 errors")?;
    let first = page.shown("import-fault")?;
    ensure!(
        first.contains("reading stopped after 1000 errors"),
        "{first}"
    );
    let listed = page.browser.count(&test("import-fault"))?;
    ensure!(listed == 200, "{listed} faults in the list");
    let more = page.browser.text("dialog .outcome > .note")?;
    ensure!(more == "and 801 more", "{more}");
    page.finish()
}

/// A module in place of the readers: a text that starts with `l` never ends, one with `t` stops it, and
/// the answer to any other has one fault with this message.
const ANSWERED: &str = "read by the module";

fn unreliable_reader(folder: &Path) -> Result<()> {
    let answer = ImportAnswer::default()
        .with_faults(vec![ImportFault {
            severity: FaultSeverity::Error,
            field: ImportField::Config,
            code: "test/answer".into(),
            path: String::new(),
            position: None,
            message: ANSWERED.into(),
            found: None,
            expected: None,
            suggestion: None,
            fix: None,
        }])
        .to_bytes();
    let data: String = answer.iter().map(|byte| format!("\\{byte:02x}")).collect();
    let text = format!(
        r#"(module (memory (export "memory") 16)
        (data (i32.const 1024) "{data}")
        (func (export "text_place") (param i32 i32) (result i32)
            (select (i32.const 65536) (i32.const 131072) (i32.eqz (local.get 0))))
        (func (export "read_texts") (result i32) (local $first i32)
            (local.set $first (i32.load8_u (i32.const 65536)))
            (if (i32.eq (local.get $first) (i32.const {l})) (then (loop $again (br $again))))
            (if (i32.eq (local.get $first) (i32.const {t})) (then unreachable))
            (i32.const {length}))
        (func (export "answer_place") (result i32) (i32.const 1024)))"#,
        l = u32::from(b'l'),
        t = u32::from(b't'),
        length = answer.len(),
    );
    fs::write(folder.join("reader.wasm"), wat::parse_str(text)?)?;
    Ok(())
}

fn wait_for_summary(page: &Playground, word: &str) -> Result<()> {
    page.browser.wait_for("the summary", |_| {
        let said = page.shown("import-summary")?;
        Ok(said.contains(word).then_some(()).ok_or(said))
    })
}

fn wait_for_fault(page: &Playground, word: &str) -> Result<()> {
    page.browser.wait_for("the fault", |browser| {
        let said = if browser.has(&test("import-fault"))? {
            page.shown("import-fault")?
        } else {
            page.shown("import-summary")?
        };
        Ok(said.contains(word).then_some(()).ok_or(said))
    })
}

#[test]
fn a_reading_can_be_canceled_and_the_latest_text_wins() -> Result<()> {
    let workdir = Workdir::new("page_cancel")?;
    let page = Playground::open_changed(&workdir, unreliable_reader)?;
    let text = test("import-text");
    page.paste_configuration("loop")?;
    page.browser.text(&test("import-cancel"))?;
    ensure!(page.browser.has(&test("import-progress"))?);
    wait_for_summary(&page, "Reading 1 kB")?;
    page.click("import-cancel")?;
    wait_for_summary(&page, "Canceled")?;
    ensure!(!page.browser.has(&test("import-progress"))?);
    // The same text again, and a later text while it is read.
    page.click("import-retry")?;
    page.browser.text(&test("import-progress"))?;
    page.browser.paste(&text, "x: 1")?;
    wait_for_fault(&page, ANSWERED)?;
    ensure!(!page.browser.has(&test("import-progress"))?);
    // The readings of quick changes do not overtake each other.
    for text_now in ["loop", "y", "loop: 1", "z"] {
        page.browser.paste(&text, text_now)?;
    }
    wait_for_fault(&page, ANSWERED)?;
    let kept = page.browser.property(&text, "value")?;
    ensure!(kept.as_deref() == Some("z"), "{kept:?}");
    page.finish()
}

#[test]
fn a_reader_that_stops_is_reported_and_restarted() -> Result<()> {
    let workdir = Workdir::new("page_trap")?;
    let page = Playground::open_changed(&workdir, unreliable_reader)?;
    let text = test("import-text");
    for _ in 0..2 {
        if page.browser.has("dialog")? {
            page.browser.paste(&text, "trap")?;
        } else {
            page.paste_configuration("trap")?;
        }
        wait_for_fault(&page, "the reader stopped and was restarted: RuntimeError")?;
        page.browser.paste(&text, "x: 1")?;
        wait_for_fault(&page, ANSWERED)?;
    }
    page.finish()
}

/// A browser without workers.
const REFUSE: &str = "globalThis.Worker = class { constructor() { throw new Error('refused'); } };";

#[test]
fn without_workers_the_page_reads() -> Result<()> {
    let workdir = Workdir::new("page_without_workers")?;
    let page = Playground::open(&workdir)?;
    page.browser.script(REFUSE, vec![])?;
    page.import(include_str!("../../../../envoy-config/zones/envoy.yaml"))?;
    page.wait_for_headline(&["P0 takes 100 %"])?;
    page.finish()
}

#[test]
fn if_a_policy_refuses_workers_the_page_reads() -> Result<()> {
    const POLICY: &str =
        "<meta http-equiv=\"Content-Security-Policy\" content=\"worker-src 'none'\">";
    let workdir = Workdir::new("page_refused_workers")?;
    let page = Playground::open_changed(&workdir, |folder| {
        let file = folder.join("index.html");
        let html = fs::read_to_string(&file)?.replacen("<meta", &format!("{POLICY}<meta"), 1);
        fs::write(file, html)?;
        Ok(())
    })?;
    page.import(include_str!("../../../../envoy-config/zones/envoy.yaml"))?;
    // The browser reports the refusal on its console.
    page.wait_for_headline(&["P0 takes 100 %"])
}

/// The numbers of the visible lines, and the number that belongs to the first one.
const NUMBERS: &str = "const area = document.querySelector('[data-test=import-text]');
    area.scrollTop = arguments[0];
    return new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
        const numbers = document.querySelector('[data-test=import-text-lines]');
        const before = Math.floor(Math.max(0, area.scrollTop - 10) / 20);
        const rest = area.scrollTop - 20 * before;
        done({
            first: before + 1,
            rest,
            height: getComputedStyle(area).lineHeight,
            rows: numbers.textContent.trimEnd().split('\\n'),
            shifted: numbers.scrollTop,
            text: area.getBoundingClientRect().top + area.clientTop + 10 - rest,
            place: numbers.getBoundingClientRect().top + numbers.clientTop + 10 - numbers.scrollTop,
        });
    }, 50)));";

#[test]
fn lines_have_numbers() -> Result<()> {
    let workdir = Workdir::new("page_line_numbers")?;
    let page = Playground::open(&workdir)?;
    page.paste_configuration(&"# A comment.\n".repeat(999))?;
    for scroll in [0, 7, 1234, 1_000_000] {
        let found = page.browser.script(NUMBERS, vec![json!(scroll)])?;
        ensure!(found["height"] == "20px", "{found}");
        let rows: Vec<&str> = found["rows"]
            .as_array()
            .context("no numbers")?
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let first = found["first"].to_string();
        ensure!(rows.first() == Some(&first.as_str()), "{first}: {rows:?}");
        ensure!(found["shifted"] == found["rest"], "{found}");
        let apart = found["text"].as_f64().context("no place")?
            - found["place"].as_f64().context("no place")?;
        ensure!(
            apart.abs() < 1.5,
            "the numbers are {apart} pixels off: {found}"
        );
        if scroll == 1_000_000 {
            ensure!(rows.last() == Some(&"1000"), "{rows:?}");
        }
    }
    page.finish()
}
