//! The custom element `<spillgate-split>` in pages of others, under a strict content security policy.

use std::fs;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use spillgate_e2e::{Browser, Need, StaticFiles, Workdir, needed};
use spillgate_scenario::{EditedScenario, PriorityAt, link, preset};

/// The files that a page of others needs.
const FILES: [&str; 6] = [
    "embed.js",
    "embed.wasm",
    "embed-sweep.wasm",
    "embed.html",
    "embed-frame.js",
    "embed-page.css",
];
/// Records events of widgets and messages of frames.
const RECORDER: &str = "globalThis.changes = [];
    globalThis.reasons = [];
    globalThis.messages = [];
    addEventListener('spillgate-change', (event) => changes.push(event.detail));
    addEventListener('spillgate-error', (event) => reasons.push(event.detail.reason));
    addEventListener('message', (event) => messages.push(event.data));";

fn link_of(id: &str) -> String {
    let scenario = preset(id).unwrap_or_else(EditedScenario::nothing);
    link::write(&scenario)
}

/// A page with widgets.
struct Site {
    browser: Browser,
    origin: String,
}

impl Site {
    /// The page with examples that ships.
    fn examples(workdir: &Workdir) -> Result<Self> {
        let origin = StaticFiles::serve(&needed(Need::Www)?)?.origin();
        let browser = Browser::start(workdir)?;
        browser.open(&format!("{origin}embed-example.html"))?;
        Ok(Self { browser, origin })
    }

    /// A page of others, not opened yet.
    fn of(workdir: &Workdir, head: &str, body: &str) -> Result<Self> {
        let (www, folder) = (needed(Need::Www)?, workdir.path().join("site"));
        fs::create_dir_all(&folder)?;
        for file in FILES {
            fs::copy(www.join(file), folder.join(file))?;
        }
        fs::write(folder.join("recorder.js"), RECORDER)?;
        let page = format!(
            "<!doctype html><html lang=\"de\"><head><meta charset=\"utf-8\"><title>x</title>{head}
             <link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"host.css\">
             <script src=\"recorder.js\"></script><script type=\"module\" src=\"embed.js\"></script>
             </head><body>{body}</body></html>"
        );
        fs::write(folder.join("index.html"), page)?;
        fs::write(folder.join("host.css"), ".space { height: 4000px }")?;
        Ok(Self {
            browser: Browser::start(workdir)?,
            origin: StaticFiles::serve(&folder)?.origin(),
        })
    }

    fn opened(workdir: &Workdir, body: &str) -> Result<Self> {
        let site = Self::of(workdir, "", body)?;
        site.browser.open(&site.origin)?;
        Ok(site)
    }

    /// The result of a script in which `root` is the shadow root of a widget.
    fn within(&self, id: &str, script: &str) -> Result<Value> {
        let script =
            format!("const root = document.getElementById(arguments[0]).shadowRoot; {script}");
        self.browser.script(&script, vec![json!(id)])
    }

    fn text(&self, id: &str, css: &str) -> Result<String> {
        let script = format!("return root?.querySelector('{css}')?.textContent ?? '';");
        let text = self.within(id, &script)?;
        Ok(text.as_str().unwrap_or_default().replace('\u{a0}', " "))
    }

    fn wait_for_text(&self, id: &str, css: &str, words: &str) -> Result<()> {
        self.browser.wait_for(&format!("{words:?} in {id}"), |_| {
            let text = self.text(id, css)?;
            Ok(text.contains(words).then_some(()).ok_or(text))
        })
    }

    fn wait_for_headline(&self, id: &str, words: &str) -> Result<()> {
        self.wait_for_text(id, ".headline", words)
    }

    /// Waits until a script returns a value for which `is` holds, and returns the value.
    fn wait_for(&self, what: &str, script: &str, is: impl Fn(&Value) -> bool) -> Result<Value> {
        let mut found = Value::Null;
        self.browser.wait_for(what, |browser| {
            found = browser.script(script, vec![])?;
            Ok(is(&found).then_some(()).ok_or_else(|| found.to_string()))
        })?;
        Ok(found)
    }

    /// Presses a key where the focus is.
    fn key(&self, key: &str, code: u32) -> Result<()> {
        let text = if code == 13 { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text,
            });
            self.browser.devtools("Input.dispatchKeyEvent", event)?;
        }
        Ok(())
    }

    fn fetches(&self) -> Result<Value> {
        let script = "return performance.getEntriesByType('resource')
            .filter((entry) => /\\/embed(-sweep)?[.]wasm$/.test(entry.name)).length;";
        self.browser.script(script, vec![])
    }

    /// Whether the background of a widget is dark.
    fn is_dark(&self, id: &str) -> Result<bool> {
        let script =
            "const color = getComputedStyle(root.querySelector('.widget')).backgroundColor;
            const [red, green, blue] = color.match(/[\\d.]+/g).map(Number);
            return red + green + blue < 200;";
        Ok(self.within(id, script)? == json!(true))
    }

    fn finish(mut self) -> Result<()> {
        self.browser.check_silence(&self.origin)
    }
}

fn widget(id: &str, state: &str, attributes: &str) -> String {
    format!(
        "<spillgate-split id=\"{id}\" state=\"{state}\" {attributes}><p>static {id}</p></spillgate-split>"
    )
}

#[test]
fn the_examples_share_one_module_and_have_unique_ids() -> Result<()> {
    let workdir = Workdir::new("embed_examples")?;
    let site = Site::examples(&workdir)?;
    for (id, words) in [
        ("bars", "P0 takes 70 % of the traffic, P1 takes 30 %."),
        ("sweep", "P0 takes 100 % of the traffic."),
        ("table", "shop-primary takes 84 % of the traffic"),
        ("custom", "P0 takes 70 %"),
        ("dark", "shop-secondary takes 16 %"),
    ] {
        let scroll = "document.getElementById(arguments[0]).scrollIntoView();";
        site.browser.script(scroll, vec![json!(id)])?;
        site.wait_for_headline(id, words)?;
    }
    ensure!(site.fetches()? == json!(1), "{} fetches", site.fetches()?);
    let faults = "const ids = [...document.querySelectorAll('spillgate-split')].flatMap((widget) =>
            [...widget.shadowRoot.querySelectorAll('[id]')].map((element) => element.id));
        const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
        const landmarks = [...document.querySelectorAll('spillgate-split')].filter((widget) =>
            widget.shadowRoot.querySelector('main, h1, h2, header, footer, nav'));
        return [ids.length > 30, twice, landmarks.length];";
    let faults = site.browser.script(faults, vec![])?;
    ensure!(faults == json!([true, [], 0]), "{faults}");
    ensure!(site.is_dark("dark")? && !site.is_dark("bars")?);
    // The frame follows the height of its content.
    site.browser
        .script("document.getElementById('frame').scrollIntoView();", vec![])?;
    let height = "return document.getElementById('frame').getBoundingClientRect().height;";
    let is_high = |height: &Value| height.as_f64().is_some_and(|h| h > 100.0 && h != 200.0);
    site.wait_for("the height of the frame", height, is_high)?;
    site.browser.screenshot("embed-light")?;
    let dark = json!([{"name": "prefers-color-scheme", "value": "dark"}]);
    site.browser
        .devtools("Emulation.setEmulatedMedia", json!({"features": dark}))?;
    ensure!(site.is_dark("bars")?, "the widget follows its page");
    site.browser.screenshot("embed-dark")?;
    let forced = json!([{"name": "forced-colors", "value": "active"}]);
    site.browser
        .devtools("Emulation.setEmulatedMedia", json!({"features": forced}))?;
    site.browser.screenshot("embed-forced-colors")?;
    site.finish()
}

#[test]
fn a_narrow_column_does_not_scroll_and_paper_shows_the_table() -> Result<()> {
    let workdir = Workdir::new("embed_narrow")?;
    let body = ["bars", "table", "sweep"].map(|view| {
        let attributes = format!("view=\"{view}\" controls=\"all\"");
        widget(view, &link_of("shop"), &attributes)
    });
    let site = Site::of(&workdir, "", &body.concat())?;
    let size = json!({"width": 280, "height": 640, "deviceScaleFactor": 2, "mobile": true});
    site.browser
        .devtools("Emulation.setDeviceMetricsOverride", size)?;
    site.browser.open(&site.origin)?;
    let place = "document.querySelector('meta[charset]').insertAdjacentHTML('afterend',
        '<meta name=\"viewport\" content=\"width=device-width\">'); document.body.className = 'frame';";
    site.browser.script(place, vec![])?;
    for id in ["bars", "table", "sweep"] {
        site.wait_for_headline(id, "%")?;
        let script = "const outer = root.host.getBoundingClientRect();
            const out = [...root.querySelectorAll('.widget > *, .control > *, .foot > *, svg:not(.definitions)')]
                .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > outer.right + 1)
                .map((e) => `${e.tagName}.${e.getAttribute('class')}`);
            return [outer.width < 281, out];";
        let found = site.within(id, script)?;
        ensure!(found == json!([true, []]), "{id}: {found}");
    }
    // Names are not broken after every second letter.
    let names = "return root.querySelector('tbody th').getBoundingClientRect().width >= 56;";
    ensure!(site.within("table", names)? == json!(true));
    site.browser.screenshot("embed-narrow")?;
    site.browser
        .devtools("Emulation.setEmulatedMedia", json!({"media": "print"}))?;
    let printed = "const shown = (css) => root.querySelector(css).checkVisibility();
        return [shown('table'), shown('.controls'), shown('.foot')];";
    ensure!(site.within("bars", printed)? == json!([true, false, false]));
    site.browser.screenshot("embed-print")?;
    site.finish()
}

#[test]
fn a_widget_loads_when_it_becomes_visible() -> Result<()> {
    let workdir = Workdir::new("embed_lazy")?;
    let body = format!(
        "<div class=\"space\"></div>{}",
        widget("far", &link_of("documented"), "")
    );
    let site = Site::opened(&workdir, &body)?;
    // This observer reports after those of the widget, which are older.
    let look = "customElements.whenDefined('spillgate-split').then(() => new IntersectionObserver(
        () => (globalThis.looked = true)).observe(document.getElementById('far')));";
    site.browser.script(look, vec![])?;
    site.wait_for("the observer", "return globalThis.looked;", |looked| {
        *looked == json!(true)
    })?;
    ensure!(site.fetches()? == json!(0), "loaded too early");
    let shown = "return document.querySelector('#far p').checkVisibility();";
    ensure!(site.browser.script(shown, vec![])? == json!(true));
    site.browser
        .script("document.getElementById('far').scrollIntoView();", vec![])?;
    site.wait_for_headline("far", "P0 takes 70 %")?;
    ensure!(site.fetches()? == json!(1));
    site.finish()
}

#[test]
fn without_script_or_module_the_children_stay_visible() -> Result<()> {
    let workdir = Workdir::new("embed_fallback")?;
    let body = widget("a", &link_of("documented"), "controls")
        + "<spillgate-split id=\"empty\" state=\"1g.AAAA\"></spillgate-split>";
    let site = Site::of(&workdir, "", &body)?;
    site.browser.devtools("Network.enable", json!({}))?;
    let visible = "const p = document.querySelector('#a p');
        return [p.checkVisibility() && p.getBoundingClientRect().height > 0,
            document.getElementById('a').shadowRoot !== null];";
    for (blocked, has_script) in [("*/embed.js", false), ("*/embed*.wasm", true)] {
        let urls = json!({"urls": [blocked]});
        site.browser.devtools("Network.setBlockedURLs", urls)?;
        site.browser.open(&site.origin)?;
        if has_script {
            site.wait_for("two errors", "return reasons.length;", |count| {
                *count == json!(2)
            })?;
            // An element without children says why it is empty.
            site.wait_for_text("empty", ".widget", "Cannot show this scenario")?;
        }
        let found = site.browser.script(visible, vec![])?;
        ensure!(found == json!([true, has_script]), "{blocked}: {found}");
    }
    // The next attempt loads the module.
    site.browser
        .devtools("Network.setBlockedURLs", json!({"urls": []}))?;
    site.browser.open(&site.origin)?;
    site.wait_for_headline("a", "P0 takes 70 %")?;
    site.wait_for_text("empty", ".widget", "Cannot show this scenario")?;
    let reason = site.wait_for("the reason", "return reasons[0];", Value::is_string)?;
    ensure!(
        reason
            .as_str()
            .is_some_and(|reason| !reason.contains("embed.wasm")),
        "{reason}"
    );
    Ok(())
}

#[test]
fn keys_move_the_slider_and_the_page_gets_an_event() -> Result<()> {
    let workdir = Workdir::new("embed_keys")?;
    let site = Site::opened(&workdir, &widget("a", &link_of("documented"), "controls"))?;
    site.wait_for_headline("a", "P0 takes 70 %")?;
    site.key("Tab", 9)?;
    site.key("ArrowRight", 39)?;
    site.wait_for_headline("a", "P0 takes 84 % of the traffic, P1 takes 16 %.")?;
    let slider = "const slider = root.querySelector('input[type=range]');
        return [slider.value, slider.getAttribute('aria-valuetext'), slider.labels[0].textContent,
            root.querySelector('input[type=number]').value, root.activeElement === slider];";
    let found = site.within("a", slider)?;
    ensure!(
        found == json!(["6", "6 of 10", "P0 healthy hosts", "6", true]),
        "{found}"
    );
    let change = site.wait_for("the event", "return changes.at(-1);", Value::is_object)?;
    let loads: Vec<&Value> = change["shares"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| &row["load"])
        .collect();
    ensure!(loads == [&json!(84), &json!(16), &json!(0)], "{change}");
    // The state of the event is a link of the playground with six healthy hosts.
    let state = change["state"].as_str().unwrap_or_default();
    let scenario: EditedScenario = link::read(state).map_err(|error| anyhow::anyhow!("{error}"))?;
    let at = PriorityAt {
        cluster: 0,
        priority: 0,
    };
    let hosts = scenario.priority(at).map(|priority| &priority.endpoints);
    let failed = hosts.into_iter().flatten().filter(|endpoint| {
        endpoint.health.coarse() != spillgate_core::model::CoarseHealth::Healthy
    });
    ensure!(failed.count() == 4);
    let href = site.within("a", "return root.querySelector('.foot a').href;")?;
    ensure!(href == json!(format!("{}#{state}", site.origin)), "{href}");
    // Screen readers hear the result after a pause.
    site.wait_for_text("a", "[role=status]", "P0 takes 84 %")?;
    // The number field: 16 is too much and changes nothing, 1 and 10 are valid.
    site.key("Tab", 9)?;
    let select = "root.activeElement.select(); return root.activeElement.type;";
    ensure!(site.within("a", select)? == json!("number"));
    site.browser
        .devtools("Input.insertText", json!({"text": "10"}))?;
    site.wait_for_headline("a", "P0 takes 100 %")?;
    site.within("a", select)?;
    site.browser
        .devtools("Input.insertText", json!({"text": "16"}))?;
    site.key("Tab", 9)?;
    ensure!(site.text("a", ".headline")?.contains("P0 takes 100 %"));
    let number = site.within(
        "a",
        "return root.querySelector('input[type=number]').value;",
    )?;
    ensure!(number == json!("10"), "{number}");
    // The button of the table is next.
    let table = "return [root.activeElement.getAttribute('aria-expanded'),
        root.querySelector('table').checkVisibility()];";
    ensure!(site.within("a", table)? == json!(["false", false]));
    site.key("Enter", 13)?;
    ensure!(site.within("a", table)? == json!(["true", true]));
    site.finish()
}

#[test]
fn attributes_change_a_widget_and_its_colors() -> Result<()> {
    let workdir = Workdir::new("embed_attributes")?;
    let site = Site::opened(
        &workdir,
        &widget("a", &link_of("documented"), "controls=\"all\""),
    )?;
    site.wait_for_headline("a", "P0 takes 70 %")?;
    let set = |name: &str, value: &str| {
        let script = "document.getElementById('a').setAttribute(arguments[0], arguments[1]);";
        site.browser.script(script, vec![json!(name), json!(value)])
    };
    let sliders = "return root.querySelectorAll('input[type=range]').length;";
    ensure!(site.within("a", sliders)? == json!(3));
    set("controls", "")?;
    ensure!(site.within("a", sliders)? == json!(1));
    set("view", "sweep")?;
    site.wait_for_text("a", ".note", "Loads while P0 loses 0 to 5 hosts")?;
    set("view", "table")?;
    let shown = "return [root.querySelector('table').checkVisibility(), root.querySelector('svg.bar') === null];";
    ensure!(site.within("a", shown)? == json!([true, true]));
    set("view", "bars")?;
    set("state", &link_of("shop"))?;
    site.wait_for_headline("a", "shop-primary takes 84 %")?;
    // Names in a link are text.
    let name = "<img src=x onerror=alert(1)>";
    let base = preset("documented").unwrap_or_else(EditedScenario::nothing);
    let mut clusters: Vec<_> = base.clusters().iter().map(|c| (**c).clone()).collect();
    clusters[0].name = name.into();
    let hostile = EditedScenario::new(clusters, 0).map_err(|error| anyhow::anyhow!("{error}"))?;
    set("state", &link::write(&hostile))?;
    site.wait_for_headline("a", "P0 takes 70 %")?;
    let found = "return [root.querySelector('img'), root.querySelector('.widget').getAttribute('aria-label')];";
    let found = site.within("a", found)?;
    ensure!(
        found == json!([null, format!("Split of the cluster {name}")]),
        "{found}"
    );
    // Without a color scheme of the playground, the widget is light; it follows the playground; attributes win.
    ensure!(!site.is_dark("a")?);
    let scheme = "document.documentElement.style.colorScheme = 'dark';";
    site.browser.script(scheme, vec![])?;
    ensure!(site.is_dark("a")?);
    set("theme", "light")?;
    ensure!(!site.is_dark("a")?);
    set("theme", "dark")?;
    ensure!(site.is_dark("a")?);
    let custom = "document.getElementById('a').style.setProperty('--spillgate-p0', 'rgb(1, 2, 3)');
        return getComputedStyle(root.querySelector('pattern.p0 .body')).fill;";
    ensure!(site.within("a", custom)? == json!("rgb(1, 2, 3)"));
    site.finish()
}

#[test]
fn a_sandboxed_frame_works_and_reports_to_its_page() -> Result<()> {
    let workdir = Workdir::new("embed_frame")?;
    let body = format!(
        "<iframe id=\"frame\" title=\"x\" width=\"600\" height=\"300\" sandbox=\"allow-scripts\" \
         src=\"embed.html?controls&amp;theme=dark#{}\"></iframe>",
        link_of("documented")
    );
    let site = Site::opened(&workdir, &body)?;
    let height = "return messages.filter((m) => m.type === 'spillgate-height').at(-1)?.height;";
    site.wait_for("the height", height, |height| {
        height
            .as_u64()
            .is_some_and(|height| (100..300).contains(&height))
    })?;
    // The playground would hide the frame, and the widget would never start.
    let empty = "return messages.filter((m) => m.height === 0).length;";
    ensure!(site.browser.script(empty, vec![])? == json!(0));
    let focus = "document.getElementById('frame').focus();";
    site.browser.script(focus, vec![])?;
    site.key("Tab", 9)?;
    site.key("ArrowRight", 39)?;
    let change = "return messages.find((m) => m.type === 'spillgate-change');";
    let change = site.wait_for("the change", change, Value::is_object)?;
    ensure!(change["shares"][0]["load"] == 84, "{change}");
    site.browser.screenshot("embed-frame")?;
    site.finish()
}

#[test]
fn trusted_types_permit_the_widget() -> Result<()> {
    let workdir = Workdir::new("embed_trusted_types")?;
    let policy = "<meta http-equiv=\"Content-Security-Policy\" \
        content=\"require-trusted-types-for 'script'; trusted-types spillgate\">";
    let site = Site::of(&workdir, policy, &widget("a", &link_of("documented"), ""))?;
    site.browser.open(&site.origin)?;
    site.wait_for_headline("a", "P0 takes 70 %")?;
    ensure!(
        site.within(
            "a",
            "return root.querySelectorAll('svg.bar rect').length > 1;"
        )? == json!(true)
    );
    site.finish()
}

#[test]
fn the_playground_is_an_address_of_the_web() -> Result<()> {
    let workdir = Workdir::new("embed_playground")?;
    let state = link_of("documented");
    let addresses = [
        ("script", "javascript:document.title='taken'", ""),
        ("blank", " java\nscript:document.title='taken'", ""),
        ("data", "data:text/html,x", ""),
        ("file", "file:///etc/passwd", ""),
        ("invalid", "http://[", ""),
        ("none", "", ""),
        (
            "web",
            "https://example.org/play/?a=1#old",
            "https://example.org/play/?a=1",
        ),
    ];
    let widget = |(id, address, _): &(&str, &str, &str)| {
        format!(
            "<spillgate-split id=\"{id}\" state=\"{state}\" playground=\"{address}\"></spillgate-split>"
        )
    };
    let body: String = addresses.iter().map(widget).collect();
    let site = Site::opened(&workdir, &body)?;
    for (id, address, expected) in addresses {
        site.wait_for_headline(id, "P0")?;
        let link = site.within(id, "return root.querySelector('.foot a')?.href ?? '';")?;
        let link = link.as_str().unwrap_or_default();
        let (link, _) = link.split_once('#').unwrap_or((link, ""));
        ensure!(link == expected, "{address}: {link}");
    }
    let frame = format!(
        "{}embed.html?playground=javascript:alert(1)#{state}",
        site.origin
    );
    site.browser.open(&frame)?;
    let script = "return document.querySelector('spillgate-split')?.shadowRoot.querySelector('.headline') !== null;";
    site.wait_for("the frame", script, |found| *found == json!(true))?;
    let script = "return document.querySelector('spillgate-split').shadowRoot.querySelector('.foot a')?.href ?? '';";
    let link = site.browser.script(script, vec![])?;
    ensure!(link == json!(""), "{link}");
    site.finish()
}
