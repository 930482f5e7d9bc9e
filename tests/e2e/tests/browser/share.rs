//! The Share dialog: the link, what it discloses, snippets for other pages, and files that equal those of
//! `spillgate export`.

use std::cell::Cell;
use std::fs;

use anyhow::{Context as _, Result, anyhow, ensure};
use fantoccini::key::Key;
use serde_json::json;
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Workdir, spillgate};
use spillgate_export::FileFormat;
use spillgate_scenario::link::{self, Scenario};

/// A cluster with names and addresses of its owner.
const CONFIG: &str = "\
static_resources:
  clusters:
  - name: acme-checkout
    lb_policy: MAGLEV
    load_assignment:
      cluster_name: acme-checkout
      endpoints:
      - locality: {region: acme-eu, zone: acme-eu-1}
        priority: 0
        lb_endpoints:
        - endpoint: {address: {socket_address: {address: 10.20.30.1, port_value: 80}}}
        - endpoint: {address: {socket_address: {address: 10.20.30.2, port_value: 80}}}
          health_status: UNHEALTHY
      - locality: {region: acme-eu, zone: acme-eu-2}
        priority: 1
        lb_endpoints:
        - endpoint: {address: {socket_address: {address: 10.20.30.3, port_value: 80}}}
";

/// The headline in the preview.
const PREVIEW: &str = "return document.querySelector('[data-test=embed-preview] spillgate-split')
    ?.shadowRoot?.querySelector('.headline')?.textContent ?? '';";

/// The playground with the configuration and an open dialog, whose files land in a folder.
struct Dialog {
    page: Playground,
    workdir: Workdir,
    /// How many files were saved.
    files: Cell<usize>,
}

impl Dialog {
    fn open(name: &str) -> Result<Self> {
        let workdir = Workdir::new(name)?;
        let page = Playground::open(&workdir)?;
        let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
        page.browser.devtools(
            "Browser.grantPermissions",
            json!({"permissions": permissions}),
        )?;
        page.import(CONFIG)?;
        page.wait_for_headline(&["P0 takes 70 %"])?;
        page.browser
            .press(&test("share"), &String::from(char::from(Key::Enter)))?;
        // The parts below the link are closed, so the dialog is short.
        for part in ["share-embed", "share-files"] {
            page.browser.click(&format!("{} summary", test(part)))?;
        }
        // The preview is the last part that changes the height of the dialog.
        page.browser.wait_for("the preview", |browser| {
            let text = browser.script(PREVIEW, vec![])?.to_string();
            Ok(text.contains("P0 takes").then_some(()).ok_or(text))
        })?;
        Ok(Self {
            page,
            workdir,
            files: Cell::new(0),
        })
    }

    /// The bytes of a file after a click on its button.
    fn download(&self, button: &str, name: &str) -> Result<Vec<u8>> {
        // Browsers rename files whose names they have used, so each file has a folder of its own.
        let files = self.files.get();
        self.files.set(files + 1);
        let folder = self.workdir.path().join(format!("files-{files}"));
        fs::create_dir(&folder)?;
        let parameters = json!({"behavior": "allow", "downloadPath": folder});
        self.page
            .browser
            .devtools("Browser.setDownloadBehavior", parameters)?;
        let path = folder.join(name);
        // The list of files scrolls in its dialog: a button at the edge could be covered.
        let center = "document.querySelector(arguments[0]).scrollIntoView({block: 'center'});";
        self.page
            .browser
            .script(center, vec![json!(test(button))])?;
        self.page.click(button)?;
        let mut content = Vec::new();
        self.page.browser.wait_for(name, |_| {
            // The browser renames a file when it is complete.
            content = fs::read(&path).unwrap_or_default();
            let complete = path.exists() && !content.is_empty();
            Ok(if complete {
                Ok(())
            } else {
                Err(format!(
                    "{}, the folder has {:?}",
                    self.page.shown("files-message")?,
                    fs::read_dir(&folder)?
                        .map(|entry| entry.map(|entry| entry.file_name()))
                        .collect::<Result<Vec<_>, _>>()?
                ))
            })
        })?;
        Ok(content)
    }

    fn link(&self) -> Result<String> {
        let link = self.page.browser.property(&test("share-link"), "value")?;
        link.context("no link")
    }

    /// Waits until the link has these names or not.
    fn wait_for_link(&self, is: impl Fn(&str) -> bool) -> Result<()> {
        self.page.browser.wait_for("the link", |_| {
            let names = names(&self.link()?)?;
            Ok(is(&names).then_some(()).ok_or(names))
        })
    }

    fn clipboard(&self, button: &str) -> Result<String> {
        self.page.click(button)?;
        let mut copied = String::new();
        let read = "return navigator.clipboard.readText();";
        self.page.browser.wait_for("the clipboard", |browser| {
            let text = browser.script(read, vec![])?;
            text.as_str().unwrap_or_default().clone_into(&mut copied);
            Ok((!copied.is_empty()).then_some(()).ok_or(copied.clone()))
        })?;
        Ok(copied)
    }
}

/// Everything that a link has, as text.
fn names(link: &str) -> Result<String> {
    let fragment = link.split_once('#').context("no fragment")?.1;
    let scenario = link::read::<()>(fragment).map_err(|error| anyhow!("{error}"))?;
    let view = link::read_view(fragment).map_err(|error| anyhow!("{error}"))?;
    Ok(format!("{:?} {view:?}", Scenario::clusters(&scenario)))
}

/// The output of `spillgate export` for the configuration.
fn exported(dialog: &Dialog, format: FileFormat, options: &[&str]) -> Result<String> {
    let file = dialog.workdir.write("acme.yaml", CONFIG)?;
    let file = file.to_str().context("a path")?;
    let command = [
        "export",
        file,
        "--to",
        format.name(),
        "--target",
        "acme-checkout",
    ];
    let done = spillgate(command.iter().chain(options))?;
    ensure!(done.warnings.is_empty(), "{:?}", done.warnings);
    Ok(done.output)
}

/// Saves all files after some switches, and compares them. Chromium drops the eleventh file that a page
/// saves in a row, so every choice has a page of its own.
fn compare_files(dialog: &Dialog, switches: &[&str], options: &[&str]) -> Result<()> {
    for switch in switches {
        dialog.page.click(switch)?;
    }
    for format in FileFormat::ALL {
        let name = format!("spillgate{}", format.ending());
        let button = format!("download-{}", format.name());
        let file = String::from_utf8(dialog.download(&button, &name)?)?;
        let expected = exported(dialog, format, options)?;
        ensure!(file == expected, "{name} {options:?}:\n{file}\n{expected}");
        let has_addresses = options.is_empty() && format != FileFormat::Svg;
        ensure!(
            file.contains("10.20.30.") == has_addresses,
            "{name}:\n{file}"
        );
        ensure!(
            options != ["--replace-names"] || !file.contains("acme"),
            "{name}:\n{file}"
        );
    }
    Ok(())
}

#[test]
fn files_without_names_are_those_of_the_command_line() -> Result<()> {
    let dialog = Dialog::open("share_files_without_names")?;
    compare_files(&dialog, &[], &["--replace-names"])?;
    dialog.page.finish()
}

#[test]
fn files_without_addresses_are_those_of_the_command_line() -> Result<()> {
    let dialog = Dialog::open("share_files_without_addresses")?;
    compare_files(&dialog, &["share-names"], &["--replace-addresses"])?;
    dialog.page.finish()
}

#[test]
fn whole_files_are_those_of_the_command_line() -> Result<()> {
    let dialog = Dialog::open("share_whole_files")?;
    compare_files(&dialog, &["share-names", "share-addresses"], &[])?;
    dialog.page.finish()
}

#[test]
fn the_image_has_two_pixels_for_each_unit_of_the_drawing() -> Result<()> {
    let dialog = Dialog::open("share_image")?;
    let png = dialog.download("download-png", "spillgate.png")?;
    ensure!(png.starts_with(b"\x89PNG\r\n"), "{:?}", &png[..8]);
    let width = u32::from_be_bytes(png[16..20].try_into()?);
    ensure!(width == 2 * 892, "the image has {width} pixels");
    dialog.page.finish()
}

#[test]
fn the_link_discloses_what_the_user_chooses() -> Result<()> {
    let dialog = Dialog::open("share_link")?;
    let has = |secrets: &'static [&'static str]| {
        move |names: &str| secrets.iter().all(|secret| names.contains(secret))
    };
    let lacks = |secrets: &'static [&'static str]| {
        move |names: &str| !secrets.iter().any(|secret| names.contains(secret))
    };
    dialog.wait_for_link(lacks(&["acme", "10.20.30."]))?;
    let shown = dialog.page.shown("share-disclosure")?;
    ensure!(shown.contains("c1 and zone-1"), "{shown}");
    // The question of a screen has no names either.
    dialog.page.browser.click("dialog [aria-label=Close]")?;
    dialog.page.click("screen-what-if")?;
    dialog.page.choose("loss-of", "zone=acme-eu-2")?;
    dialog.page.click("share")?;
    dialog.wait_for_link(has(&["zone=zone-2:40%"]))?;
    dialog.wait_for_link(lacks(&["acme", "10.20.30."]))?;
    dialog.page.click("share-names")?;
    dialog.wait_for_link(has(&["acme-checkout", "zone=acme-eu-2:40%"]))?;
    dialog.wait_for_link(lacks(&["10.20.30."]))?;
    dialog.page.click("share-addresses")?;
    dialog.wait_for_link(has(&["acme-checkout", "10.20.30.1:80"]))?;
    ensure!(
        dialog
            .page
            .browser
            .has("[data-test=share-names][disabled]")?,
        "addresses without names"
    );
    dialog.page.click("share-addresses")?;
    dialog.wait_for_link(lacks(&["acme", "10.20.30."]))?;
    let copied = dialog.clipboard("share-copy")?;
    ensure!(copied == dialog.link()?, "{copied}");
    // The address bar follows, and its link opens.
    // This tab keeps the import for a reload; another one has only the link.
    dialog.page.browser.open_in_new_tab(&copied)?;
    dialog
        .page
        .browser
        .wait_for("the screen of the link", |browser| {
            let chosen = browser.property(&test("loss-of"), "value")?;
            let chosen = chosen.unwrap_or_default();
            Ok((chosen == "zone=zone-2").then_some(()).ok_or(chosen))
        })?;
    dialog.page.finish()
}

#[test]
fn snippets_have_a_preview() -> Result<()> {
    let dialog = Dialog::open("share_embed")?;
    let page = &dialog.page;
    page.browser.wait_for("the preview", |browser| {
        let text = browser
            .script(PREVIEW, vec![])?
            .to_string()
            .replace('\u{a0}', " ");
        Ok(text.contains("P0 takes 70 %").then_some(()).ok_or(text))
    })?;
    let code = page.shown("embed-code")?;
    ensure!(code.starts_with("<spillgate-split controls"), "{code}");
    ensure!(
        code.contains("<p>Spillover: P0 takes 70 % of the traffic"),
        "{code}"
    );
    // The link of the element leads here: the other site may have no playground.
    let origin = page.origin().trim_end_matches('/');
    let playground = format!("playground=\"{origin}/\"");
    ensure!(code.contains(&playground), "{code}");
    // Its files can be saved.
    for file in ["embed.js", "embed.wasm"] {
        let link = test(&format!("embed-file-{file}"));
        let address = page.browser.property(&link, "href")?;
        let expected = format!("{origin}/{file}");
        ensure!(address.as_deref() == Some(&expected), "{address:?}");
    }
    let copied = dialog.clipboard("embed-code-copy")?;
    ensure!(copied.trim_end() == code, "{copied}");
    page.choose("embed-view", "sweep")?;
    page.choose("embed-theme", "dark")?;
    page.choose("embed-controls", "all priorities")?;
    page.choose("embed-generator", "Sphinx")?;
    let code = page.shown("embed-code")?;
    ensure!(code.starts_with(".. raw:: html"), "{code}");
    ensure!(
        code.contains("controls=\"all\" view=\"sweep\" theme=\"dark\""),
        "{code}"
    );
    page.choose("embed-kind", "<iframe>")?;
    page.choose("embed-generator", "HTML")?;
    page.enter("embed-height", 300)?;
    page.browser.wait_for("the frame", |_| {
        let code = page.shown("embed-code")?;
        let is = code.contains("height=\"300\"") && code.contains("embed.html?view=sweep");
        Ok(is.then_some(()).ok_or(code))
    })?;
    let height = page
        .browser
        .attribute("[data-test=embed-preview] iframe", "height")?;
    ensure!(height.as_deref() == Some("300"), "{height:?}");
    page.browser.text(&test("share-files"))?;
    dialog.page.finish()
}

#[test]
fn the_dialog_fits_every_window() -> Result<()> {
    let dialog = Dialog::open("share_looks")?;
    let browser = &dialog.page.browser;
    for (name, scheme, width, height) in [
        ("share-light", "light", 1280, 1500),
        ("share-dark", "dark", 1280, 1500),
        ("share-phone", "light", 320, 2600),
    ] {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 400});
        browser.devtools("Emulation.setDeviceMetricsOverride", size)?;
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        browser.devtools("Emulation.setEmulatedMedia", media)?;
        let fits = "const dialog = document.querySelector('dialog');
            return document.documentElement.scrollWidth <= innerWidth
                && dialog.scrollWidth <= dialog.clientWidth;";
        browser.wait_for("a dialog without horizontal scrolling", |browser| {
            let fits = browser.script(fits, vec![])?;
            Ok((fits == true).then_some(()).ok_or(fits.to_string()))
        })?;
        browser.screenshot(name)?;
    }
    let forced = json!({"features": [{"name": "forced-colors", "value": "active"}]});
    browser.devtools("Emulation.setEmulatedMedia", forced)?;
    browser.screenshot("share-forced")?;
    dialog.page.finish()
}
