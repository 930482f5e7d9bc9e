//! Light, dark and on a phone. The screenshots are in `target/e2e/screenshots/`.

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{Playground, test};

/// All scenarios of the list.
const PRESETS: [&str; 7] = [
    "documented",
    "two-priorities",
    "degraded",
    "panic",
    "no-panic",
    "aggregate",
    "shop",
];
/// The colors of the playground and of its headline.
const COLORS: &str = "const of = (element) => getComputedStyle(element);
    return [of(document.body).backgroundColor, of(document.querySelector('[data-test=headline]')).color];";
/// The width of the playground beyond the window, and the elements outside of it.
const OVERFLOW: &str = "const width = document.documentElement.clientWidth;
    const out = [...document.querySelectorAll('body *')]
        .filter((e) => e.getBoundingClientRect().right > width + 1 && e.checkVisibility())
        .map((e) => `${e.tagName}.${e.getAttribute('class')} ${e.dataset.test ?? ''}`);
    return {wider: document.documentElement.scrollWidth - width, width, out: out.slice(0, 8)};";

#[test]
fn light_and_dark_are_both_readable() -> Result<()> {
    let workdir = Workdir::new("page_schemes")?;
    let page = Playground::open(&workdir)?;
    let mut grounds = Vec::new();
    for scheme in ["light", "dark"] {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        page.browser
            .devtools("Emulation.setEmulatedMedia", json!({"features": features}))?;
        let colors = page.browser.script(COLORS, vec![])?;
        let contrast = contrast(&colors[0], &colors[1]);
        ensure!(
            contrast >= 7.0,
            "{scheme}: the headline has contrast {contrast}: {colors}"
        );
        grounds.push(luminance(&colors[0]));
        page.browser.screenshot(scheme)?;
    }
    ensure!(
        grounds[0] > 0.5 && grounds[1] < 0.1,
        "the grounds are {grounds:?}"
    );
    page.finish()
}

#[test]
fn a_narrow_phone_does_not_scroll_sideways() -> Result<()> {
    let workdir = Workdir::new("page_phone")?;
    let page = Playground::open(&workdir)?;
    let size = json!({"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true});
    page.browser
        .devtools("Emulation.setDeviceMetricsOverride", size)?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    page.browser.screenshot("phone")?;
    let mut faults = Vec::new();
    for preset in PRESETS {
        page.choose("preset", preset)?;
        page.browser.wait_for("the scenario", |browser| {
            let shown = browser.property(&test("preset"), "value")?;
            Ok((shown.as_deref() == Some(preset))
                .then_some(())
                .ok_or(format!("{shown:?}")))
        })?;
        faults.extend(overflow(&page, preset)?);
    }
    for dialog in ["import", "share"] {
        page.click(dialog)?;
        page.browser.text("dialog h2")?;
        faults.extend(overflow(&page, dialog)?);
        page.browser.click("dialog [aria-label=Close]")?;
    }
    ensure!(faults.is_empty(), "wider than the window: {faults:#?}");
    page.finish()
}

/// Two faults, and a finding once they are fixed.
const FAULTY: &str = "\
static_resources:
  clusters:
  - name: shop-primary-with-a-rather-long-name
    typ: STATIC
    lb_policy: LEAST_REQUST
    load_assignment:
      cluster_name: shop-primary-with-a-rather-long-name
      endpoints:
      - priority: 0
        lb_endpoints:
        - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
        - endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}
          health_status: UNHEALTHY
      - priority: 1
        lb_endpoints:
        - endpoint: {address: {socket_address: {address: 10.0.1.1, port_value: 80}}}
";

#[test]
fn faults_and_findings_fit_on_a_desktop_and_on_a_phone() -> Result<()> {
    let workdir = Workdir::new("page_import_looks")?;
    let page = Playground::open(&workdir)?;
    let fixed = FAULTY.replace("typ:", "type:").replace("REQUST", "REQUEST");
    let shots = [
        ("light", "light", 1280),
        ("dark", "dark", 1280),
        ("phone", "light", 320),
    ];
    let mut faults = Vec::new();
    for (name, scheme, width) in shots {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        page.browser
            .devtools("Emulation.setEmulatedMedia", json!({"features": features}))?;
        if width == 320 {
            let size =
                json!({"width": width, "height": 640, "deviceScaleFactor": 2, "mobile": true});
            page.browser
                .devtools("Emulation.setDeviceMetricsOverride", size)?;
        }
        page.paste_configuration(FAULTY)?;
        page.browser.text(&test("import-fix"))?;
        page.browser.screenshot(&format!("import-{name}"))?;
        if width == 320 {
            faults.extend(overflow(&page, "faults")?);
        }
        page.browser.click("dialog [aria-label=Close]")?;
        page.click("import-discard")?;
        page.import(&fixed)?;
        page.browser.text(&test("finding"))?;
        page.browser.screenshot(&format!("findings-{name}"))?;
        if width == 320 {
            faults.extend(overflow(&page, "findings")?);
        }
    }
    ensure!(faults.is_empty(), "wider than the window: {faults:#?}");
    page.finish()
}

/// The elements outside of the window, if there are any.
fn overflow(page: &Playground, what: &str) -> Result<Option<String>> {
    let found = page.browser.script(OVERFLOW, vec![])?;
    ensure!(found["width"] == 320, "the window is not narrow: {found}");
    Ok((found["wider"] != 0).then(|| format!("{what}: {found}")))
}

/// The relative luminance of a CSS `rgb()`, as WCAG defines it.
fn luminance(color: &Value) -> f64 {
    let text = color.as_str().unwrap_or_default();
    let channels = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    let linear = channels
        .filter_map(|n| n.parse::<f64>().ok())
        .take(3)
        .map(|n| {
            let s = n / 255.0;
            if s <= 0.040_45 {
                s / 12.92
            } else {
                ((s + 0.055) / 1.055).powf(2.4)
            }
        });
    linear
        .zip([0.2126, 0.7152, 0.0722])
        .map(|(c, weight)| c * weight)
        .sum()
}

fn contrast(a: &Value, b: &Value) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}
