//! The browser and its page.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use super::commands::SessionCommand;
use super::driver::Driver;
use super::engine::{Engine, WINDOW};
use super::record::{console_lines, requested_urls};
use crate::workdir::target;
use crate::{Workdir, eventually};

/// The maximum time for the playground to show an element. Several browsers share the machine, and each loads screens on
/// first use.
const LIMIT: Duration = Duration::from_secs(30);
/// The maximum time for one command.
const COMMAND_LIMIT: Duration = Duration::from_secs(60);
/// The end of the text that the playground shows, for errors.
const TEXT: &str = "return document.body.innerText.slice(-400);";

/// Ends all animations, because a screenshot resizes the playground and would start them.
const REST: &str = "document.documentElement.style.setProperty('--calm', '0ms');
    document.getAnimations().forEach((each) => each.finish());";

/// A browser that ends on drop.
#[derive(Debug)]
pub struct Browser {
    runtime: Runtime,
    /// Taken when the session ends.
    client: Option<Client>,
    process: Option<u64>,
    _driver: Driver,
    requested: Vec<String>,
}

impl Browser {
    /// Starts a headless Chromium with an empty profile. Profile and logs are kept in `workdir`.
    ///
    /// # Errors
    /// When `CHROMIUM` or `CHROMEDRIVER` is not set or does not start.
    pub fn start(workdir: &Workdir) -> Result<Self> {
        let browser = Self::with(Engine::Chromium, workdir)?;
        // Several browsers run at once. A page without the focus gets no keys and may not write the clipboard.
        let focus = json!({"enabled": true});
        browser.devtools("Emulation.setFocusEmulationEnabled", focus)?;
        Ok(browser)
    }

    /// Starts a browser with an empty profile. Logs are kept in `workdir`.
    ///
    /// # Errors
    /// When the variable of a program that it needs is not set, or the program does not start.
    pub fn with(engine: Engine, workdir: &Workdir) -> Result<Self> {
        let capabilities = engine.capabilities(workdir)?;
        let driver = Driver::start(engine, workdir)?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let client = runtime
            .block_on(async {
                ClientBuilder::new(HttpConnector::new())
                    .capabilities(capabilities)
                    .connect(&driver.url())
                    .await
            })
            .context("no session with the browser")?;
        let process = client
            .capabilities()
            .and_then(|c| c.get(engine.process_id()?)?.as_u64());
        let browser = Self {
            runtime,
            client: Some(client),
            process,
            _driver: driver,
            requested: Vec::new(),
        };
        if engine != Engine::Chromium {
            // It has no argument for it.
            let (width, height) = WINDOW;
            browser.run(browser.client()?.set_window_size(width, height))?;
        }
        Ok(browser)
    }

    /// Opens an address.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(&self, url: &str) -> Result<()> {
        let client = self.client()?;
        self.run(client.goto(url))?;
        Ok(())
    }

    /// Opens an address in a new tab, where what follows happens. Its session storage is empty, like another
    /// visitor's.
    ///
    /// # Errors
    /// When there is no new tab, or the address cannot be opened.
    pub fn open_in_new_tab(&self, url: &str) -> Result<()> {
        let client = self.client()?;
        let tab = self.run(client.new_window(true))?;
        self.run(client.switch_to_window(tab.handle))?;
        self.open(url)
    }

    /// Loads the playground again.
    ///
    /// # Errors
    /// When it cannot be loaded.
    pub fn reload(&self) -> Result<()> {
        let client = self.client()?;
        self.run(client.refresh())?;
        Ok(())
    }

    /// The address, with its fragment.
    ///
    /// # Errors
    /// When the browser does not answer.
    pub fn url(&self) -> Result<String> {
        let client = self.client()?;
        Ok(self.run(client.current_url())?.into())
    }

    /// Runs a script in the playground; `arguments` are its `arguments`.
    ///
    /// # Errors
    /// When it throws.
    pub fn script(&self, script: &str, arguments: Vec<Value>) -> Result<Value> {
        let client = self.client()?;
        self.run(client.execute(script, arguments))
    }

    /// The visible text of an element, as soon as there is one.
    ///
    /// # Errors
    /// If there is no such element in time.
    pub fn text(&self, css: &str) -> Result<String> {
        self.with_element(css, async |element| element.text().await)
    }

    /// Whether there is an element now.
    ///
    /// # Errors
    /// When the browser does not answer.
    pub fn has(&self, css: &str) -> Result<bool> {
        Ok(self.count(css)? > 0)
    }

    /// How many elements there are now.
    ///
    /// # Errors
    /// When the browser does not answer.
    pub fn count(&self, css: &str) -> Result<usize> {
        let client = self.client()?;
        let found = client.find_all(Locator::Css(css));
        Ok(self.run(found)?.len())
    }

    /// An attribute of an element.
    ///
    /// # Errors
    /// When there is no such element in time.
    pub fn attribute(&self, css: &str, name: &str) -> Result<Option<String>> {
        self.with_element(css, async |element| element.attr(name).await)
    }

    /// A property of an element, such as the `value` of a field.
    ///
    /// # Errors
    /// When there is no such element in time.
    pub fn property(&self, css: &str, name: &str) -> Result<Option<String>> {
        self.with_element(css, async |element| element.prop(name).await)
    }

    /// Sends a command of the DevTools protocol.
    ///
    /// # Errors
    /// When it is refused.
    pub fn devtools(&self, command: &str, parameters: Value) -> Result<Value> {
        self.issue(SessionCommand::devtools(command, parameters))
    }

    /// Writes a screenshot of the whole page without animations to `target/e2e/screenshots/NAME.png`.
    ///
    /// # Errors
    /// When it cannot be taken or written.
    pub fn screenshot(&self, name: &str) -> Result<PathBuf> {
        self.script(REST, vec![])?;
        let shot = self.devtools(
            "Page.captureScreenshot",
            json!({"captureBeyondViewport": true}),
        )?;
        let data = shot.get("data").and_then(Value::as_str);
        let png = base64::Engine::decode(
            &base64::engine::general_purpose::STANDARD,
            data.context("a screenshot without data")?,
        )?;
        write_screenshot(name, &png)
    }

    /// Like [`Browser::screenshot`], of the window: every driver can.
    ///
    /// # Errors
    /// When it cannot be taken or written.
    pub fn screenshot_of_window(&self, name: &str) -> Result<PathBuf> {
        self.script(REST, vec![])?;
        let png = self.run(self.client()?.screenshot())?;
        write_screenshot(name, &png)
    }

    /// Waits until `look` succeeds.
    ///
    /// # Errors
    /// If it does not in time, with its last result.
    pub fn wait_for(
        &self,
        what: &str,
        mut look: impl FnMut(&Self) -> Result<Result<(), String>>,
    ) -> Result<()> {
        let mut last = String::new();
        let waited = eventually(what, LIMIT, || match look(self)? {
            Ok(()) => Ok(Some(())),
            Err(seen) => {
                last = seen;
                Ok(None)
            }
        });
        waited.with_context(|| format!("the page shows: {last}"))
    }

    /// Checks that the console is empty, and that all requests went to URLs that start with `origin`.
    ///
    /// # Errors
    /// If one of these fails.
    pub fn check_silence(&mut self, origin: &str) -> Result<()> {
        let console = self.console()?;
        ensure!(console.is_empty(), "messages on the console: {console:#?}");
        let log = self.issue(SessionCommand::log("performance"))?;
        self.requested.extend(requested_urls(&log));
        ensure!(!self.requested.is_empty(), "no request was recorded");
        // Requests of the browser's own pages, such as an empty tab.
        let harmless = [origin, "data:", "blob:", "chrome:"];
        let foreign = |url: &&String| !harmless.iter().any(|start| url.starts_with(start));
        let foreign: Vec<&String> = self.requested.iter().filter(foreign).collect();
        ensure!(foreign.is_empty(), "the page requested {foreign:?}");
        Ok(())
    }

    /// The messages on the console since the last call.
    ///
    /// # Errors
    /// If the browser does not respond.
    pub fn console(&self) -> Result<Vec<String>> {
        Ok(console_lines(&self.issue(SessionCommand::log("browser"))?))
    }

    fn issue(&self, command: SessionCommand) -> Result<Value> {
        self.run(self.client()?.issue_cmd(command))
    }

    /// Runs a command, with a limit for a page that hangs.
    pub(super) fn run<T, E>(&self, command: impl Future<Output = Result<T, E>>) -> Result<T>
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        let bounded = async { tokio::time::timeout(COMMAND_LIMIT, command).await };
        let done = self.runtime.block_on(bounded);
        Ok(done.context("the page or the browser does not respond")??)
    }

    /// Runs a command with an element, as soon as there is one. If a render replaces the element before the
    /// command reaches it, the browser has done nothing yet, so the command goes to the new element.
    pub(super) fn with_element<T>(
        &self,
        css: &str,
        command: impl AsyncFn(Element) -> Result<T, CmdError>,
    ) -> Result<T> {
        eventually(css, LIMIT, || {
            let done = self.run(command(self.find(css)?));
            let error = done.as_ref().err().and_then(|e| e.downcast_ref());
            if error.is_some_and(CmdError::is_stale_element_reference) {
                return Ok(None);
            }
            done.map(Some)
        })
    }

    pub(super) fn find(&self, css: &str) -> Result<Element> {
        let client = self.client()?;
        let wait = client.wait().at_most(LIMIT);
        let found = self.run(wait.for_element(Locator::Css(css)));
        found.with_context(|| {
            let text = self.script(TEXT, vec![]).unwrap_or_default();
            format!("the page has no {css}; its text ends with {text}")
        })
    }

    fn client(&self) -> Result<&Client> {
        self.client.as_ref().context("the session is over")
    }
}

fn write_screenshot(name: &str, png: &[u8]) -> Result<PathBuf> {
    let folder = target().join("e2e/screenshots");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{name}.png"));
    fs::write(&path, png)?;
    Ok(path)
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            let closed = self
                .runtime
                .block_on(async { tokio::time::timeout(LIMIT, client.close()).await });
            if let (Err(_) | Ok(Err(_)), Some(process)) = (closed, self.process) {
                // It does not end by itself.
                let process = process.to_string();
                Command::new("kill").args(["-KILL", &process]).status().ok();
            }
        }
    }
}
