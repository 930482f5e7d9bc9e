//! The browser engines, and how each starts with its driver.

use std::process::Command;

use anyhow::Result;
use fantoccini::wd::Capabilities;
use serde_json::{Value, json};

use crate::{Need, Port, Workdir, needed};

/// The width and height of a window.
pub(super) const WINDOW: (u32, u32) = (1280, 900);

/// A browser engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Headless Chromium. Only its driver has the console, the requests, and the DevTools protocol.
    Chromium,
    /// Headless Firefox.
    Firefox,
    /// WebKitGTK's MiniBrowser, which needs an X server.
    WebKit,
}

impl Engine {
    /// The name of its driver.
    pub(super) const fn driver_name(self) -> &'static str {
        match self {
            Self::Chromium => "chromedriver",
            Self::Firefox => "geckodriver",
            Self::WebKit => "WebKitWebDriver",
        }
    }

    /// Its driver, which listens at `port`.
    pub(super) fn driver(self, port: &Port, workdir: &Workdir) -> Result<Command> {
        let mut command = Command::new(needed(match self {
            Self::Chromium => Need::Chromedriver,
            Self::Firefox => Need::Geckodriver,
            Self::WebKit => Need::WebKitDriver,
        })?);
        command.arg(format!("--port={}", port.number()));
        if self == Self::Firefox {
            let root = workdir.path().display();
            command.arg(format!("--profile-root={root}"));
        }
        Ok(command)
    }

    /// Whether it has no mode without a screen.
    pub(super) fn needs_display(self) -> bool {
        self == Self::WebKit
    }

    /// What a session asks for.
    pub(super) fn capabilities(self, workdir: &Workdir) -> Result<Capabilities> {
        let capabilities = match self {
            Self::Chromium => chromium(workdir)?,
            Self::Firefox => json!({
                "browserName": "firefox",
                "moz:firefoxOptions": {"binary": needed(Need::Firefox)?, "args": ["-headless"]},
            }),
            // Without options, the driver starts the MiniBrowser of its own version.
            Self::WebKit => json!({}),
        };
        let entries = capabilities.as_object().cloned().unwrap_or_default();
        Ok(entries.into_iter().collect())
    }

    /// The capability with the id of the browser's process, if it has one.
    pub(super) const fn process_id(self) -> Option<&'static str> {
        match self {
            Self::Chromium => Some("goog:processID"),
            Self::Firefox => Some("moz:processID"),
            Self::WebKit => None,
        }
    }
}

fn chromium(workdir: &Workdir) -> Result<Value> {
    let profile = workdir.path().join("profile");
    let (width, height) = WINDOW;
    Ok(json!({
        "browserName": "chrome",
        "goog:chromeOptions": {
            "binary": needed(Need::Chromium)?,
            "args": [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                // The pages of its own toolbar take a sixth of the time of a test.
                "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,PreloadTopChromeWebUI",
                "--force-device-scale-factor=1", format!("--window-size={width},{height}"), "--lang=en",
                format!("--user-data-dir={}", profile.display()),
            ],
        },
        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
    }))
}
