//! The cells of hosts on every ground: on screens, in forced colors, and on paper; and the live region.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{Playground, test};

/// The contrast of a cell's edge with the card, and its pattern, for the color of each priority.
const EDGES: &str = "const pixel = (color) => {
        const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = (color) => {
        const [r, g, b] = pixel(color).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const card = document.querySelector('.priority');
    const ground = luminance(getComputedStyle(card).backgroundColor);
    const before = card.className;
    const found = [0, 1, 2, 3, 4, 5, 6].map((place) => {
        card.className = `priority p${place}`;
        const cells = ['healthy', 'degraded', 'unhealthy'].map((state) => {
            const cell = card.querySelector(`.host.${state}`) ?? card.querySelector('.host');
            const kept = cell.className;
            cell.className = `host ${state}`;
            const style = getComputedStyle(cell);
            const edge = luminance(style.borderTopColor);
            const result = {contrast: Math.max(edge, ground) / Math.min(edge, ground), picture: style.backgroundImage};
            cell.className = kept;
            return result;
        });
        return {place, contrast: Math.min(...cells.map((c) => c.contrast)), picture: cells[0].picture};
    });
    card.className = before;
    return found;";

/// The border of a cell of each state: its widths and its style.
const LINES: &str = "return ['healthy', 'unhealthy', 'degraded'].map((state) => {
        const cell = document.querySelector('.host');
        const kept = cell.className;
        cell.className = `host ${state}`;
        const style = getComputedStyle(cell);
        const lines = [style.borderTopWidth, style.borderLeftWidth, style.borderTopStyle].join(' ');
        cell.className = kept;
        return lines;
    });";

/// Emulates a medium, without transitions: a style that is read would be one between two schemes.
fn media(page: &Playground, media: &str, features: &[(&str, &str)]) -> Result<()> {
    let still = ("prefers-reduced-motion", "reduce");
    let features: Vec<Value> = features
        .iter()
        .chain([&still])
        .map(|(name, value)| json!({"name": name, "value": value}))
        .collect();
    let parameters = json!({"media": media, "features": features});
    page.browser
        .devtools("Emulation.setEmulatedMedia", parameters)?;
    Ok(())
}

#[test]
fn a_cell_has_an_edge_and_a_pattern_on_every_ground() -> Result<()> {
    let workdir = Workdir::new("page_cells")?;
    let page = Playground::open(&workdir)?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    for (name, value) in [
        ("prefers-color-scheme", "light"),
        ("prefers-color-scheme", "dark"),
        ("forced-colors", "active"),
    ] {
        media(&page, "", &[(name, value)])?;
        let found = page.browser.script(EDGES, vec![])?;
        let found = found.as_array().context("no cells")?;
        let mut pictures = Vec::new();
        for cell in found {
            let contrast = cell["contrast"].as_f64().context("no contrast")?;
            ensure!(contrast >= 3.0, "{value}: {cell}");
            pictures.push(cell["picture"].as_str().unwrap_or_default().to_owned());
        }
        pictures.sort();
        pictures.dedup();
        ensure!(pictures.len() == 7, "{value}: equal patterns, {found:?}");
    }
    page.finish()
}

#[test]
fn the_legend_of_forced_colors_is_the_chart() -> Result<()> {
    let workdir = Workdir::new("page_forced_legend")?;
    let page = Playground::open(&workdir)?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    media(&page, "", &[("forced-colors", "active")])?;
    // The chart, the bar and the swatches have the same paint, and cells the same strength of it.
    let paints = "const water = document.querySelector('.basin .water').getAttribute('fill');
        const swatch = document.querySelector('.figures .swatch rect').getAttribute('fill');
        const bar = document.querySelector('.result .bar rect').getAttribute('fill');
        const body = getComputedStyle(document.querySelector(water.slice(4, -1) + ' .body'));
        return [water, swatch, bar, body.fill, body.fillOpacity === '1' ? body.opacity : body.fillOpacity];";
    let found = page.browser.script(paints, vec![])?;
    ensure!(found[0] == found[1] && found[1] == found[2], "{found}");
    page.browser.screenshot("forced-legend")?;
    page.finish()
}

#[test]
fn paper_shows_the_state_of_a_host_in_lines() -> Result<()> {
    let workdir = Workdir::new("page_print")?;
    let page = Playground::open(&workdir)?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    media(&page, "print", &[])?;
    let lines = page.browser.script(LINES, vec![])?;
    let lines = lines.as_array().context("no cells")?;
    let different: BTreeSet<&str> = lines.iter().filter_map(Value::as_str).collect();
    ensure!(different.len() == 3, "{lines:?}");
    let hidden = "return ['.acts', '.screens', '.priority-acts']
        .every((css) => !document.querySelector(css)?.checkVisibility());";
    ensure!(
        page.browser.script(hidden, vec![])? == json!(true),
        "buttons on paper"
    );
    page.browser.screenshot("print")?;
    page.finish()
}

#[test]
fn a_closed_host_table_has_no_rows_until_the_page_is_printed() -> Result<()> {
    let workdir = Workdir::new("page_closed_hosts")?;
    let page = Playground::open(&workdir)?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    let expect = |wanted: Value| {
        let found = "const table = document.querySelector('[data-test=by-host]');
            return [table?.open, table?.querySelectorAll('tbody tr').length, table?.querySelectorAll('thead th').length];";
        page.browser.wait_for("the rows of hosts", |browser| {
            let now = browser.script(found, vec![])?;
            Ok((now == wanted).then_some(()).ok_or(now.to_string()))
        })
    };
    // Nothing has changed, so no column is about changes.
    expect(json!([true, 24, 6]))?;
    let toggle = "document.querySelector('[data-test=by-host] summary').click();";
    page.browser.script(toggle, vec![])?;
    expect(json!([false, 0, 0]))?;
    for (event, wanted) in [
        ("beforeprint", json!([true, 24, 6])),
        ("afterprint", json!([false, 0, 0])),
    ] {
        let printing = format!("window.dispatchEvent(new Event('{event}'));");
        page.browser.script(&printing, vec![])?;
        expect(wanted)?;
    }
    page.browser.script(toggle, vec![])?;
    page.click_host("P0/0")?;
    expect(json!([true, 24, 7]))?;
    page.finish()
}

#[test]
fn the_bar_has_the_alarm_of_the_headline() -> Result<()> {
    let workdir = Workdir::new("page_bar_alarm")?;
    let page = Playground::open(&workdir)?;
    // The words before the bar, the edges on it, and the texts on it that are about panic mode or a 503.
    let found = "const bar = document.querySelector('.result .split');
        const texts = [...bar.querySelectorAll('text')].map((text) => text.textContent);
        return [bar.querySelector('.alarm')?.textContent ?? '', bar.querySelectorAll('.alarm-edge').length,
            texts.filter((text) => /panic|503/.test(text)).length];";
    for (preset, expected) in [
        ("documented", json!(["", 0, 0])),
        ("panic", json!(["Panic", 3, 1])),
        ("no-panic", json!(["No host", 1, 1])),
    ] {
        page.choose("preset", preset)?;
        page.browser.wait_for("the alarm", |browser| {
            let now = browser.script(found, vec![])?;
            Ok((now == expected)
                .then_some(())
                .ok_or(format!("{preset}: {now}")))
        })?;
        for scheme in ["light", "dark"] {
            media(&page, "", &[("prefers-color-scheme", scheme)])?;
            page.browser.screenshot(&format!("bar-{preset}-{scheme}"))?;
        }
        media(&page, "", &[("forced-colors", "active")])?;
        page.browser.screenshot(&format!("bar-{preset}-forced"))?;
        media(&page, "print", &[])?;
        page.browser.screenshot(&format!("bar-{preset}-print"))?;
        media(&page, "", &[])?;
    }
    page.finish()
}

/// The live regions of the playground, and the text of the first one.
const REGIONS: &str = "const found = document.querySelectorAll('[aria-live], [role=status], [role=alert], [role=log], output');
    return {count: found.length, text: found[0]?.textContent ?? ''};";

#[test]
fn one_live_region_announces_for_the_whole_page() -> Result<()> {
    let workdir = Workdir::new("page_live_region")?;
    let page = Playground::open(&workdir)?;
    let wait_for = |words: &str| {
        page.browser.wait_for("the announcement", |browser| {
            let found = browser.script(REGIONS, vec![])?;
            let said = found["text"]
                .as_str()
                .unwrap_or_default()
                .replace('\u{a0}', " ");
            let is_said = found["count"] == 1 && said.contains(words);
            Ok(is_said.then_some(()).ok_or(format!("{found}")))
        })
    };
    page.enter("healthy-P0-number", 4)?;
    wait_for("P0 takes 56 %")?;
    for (screen, ready) in [
        ("screen-trace", "trace-headline"),
        ("screen-learn", "lesson"),
    ] {
        page.click(screen)?;
        page.browser.text(&test(ready))?;
        let found = page.browser.script(REGIONS, vec![])?;
        ensure!(found["count"] == 1, "{screen}: {found}");
    }
    // A dialog hides the rest of the playground, so the region is in it.
    page.click("share")?;
    page.browser.text("dialog h2")?;
    page.click("share-copy")?;
    let inside = "return document.querySelector('[aria-live]').closest('dialog[open]') !== null;";
    page.browser.wait_for("the message", |browser| {
        let is_inside = browser.script(inside, vec![])? == json!(true);
        Ok(is_inside.then_some(()).ok_or("outside".into()))
    })?;
    page.finish()
}
