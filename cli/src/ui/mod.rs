//! `spillgate ui`: serves the playground on this machine, with a configuration in it.
//!
//! The configuration is in a link, as in `spillgate link encode`, with all addresses: it does not leave this
//! machine. With `--admin`, the playground opens on its Live screen and reads the Envoy through this server, which
//! passes on two paths of the admin interface.

mod args;
mod browser;
mod live;

use std::{io, path::PathBuf, thread};

use spillgate_answers::input::Faults;
use spillgate_codec::link::{Disclosure, with_view};
use spillgate_config::Diagnostic;
use spillgate_serve::{LiveSource, PageFiles, PageServer};

pub(crate) use args::{EXAMPLES, UiArgs};

use self::{args::OpenBrowser, live::Admin};
use crate::{
    command::{Done, Finished},
    config::ConfigArgs,
    link::encoded,
    printed::print_line,
    report::print_warning,
};

/// The files of the playground in this program.
#[cfg(feature = "ui")]
const EMBEDDED: Option<PageFiles> = Some(PageFiles::Embedded(include!(concat!(
    env!("OUT_DIR"),
    "/playground.rs"
))));
#[cfg(not(feature = "ui"))]
const EMBEDDED: Option<PageFiles> = None;

/// Serves until Ctrl-C.
pub(crate) fn run(args: &UiArgs) -> Finished {
    let files = files(args.files.as_ref())?;
    let mut done = Done::default();
    let fragment = match args.stated() {
        Some(config) => fragment(config, args, &mut done)?,
        None => String::new(),
    };
    let live = args.stated().map(|config| Admin::of(&config.admin));
    let live = live.transpose()?.flatten();
    let live = live.map(|admin| Box::new(admin) as Box<dyn LiveSource>);
    let server = PageServer::start(args.listen, files, live).map_err(|error| {
        let what = format!("cannot listen on {}: {error}", args.listen);
        let fault = Diagnostic::error("ui/listen", what);
        Faults::one("--listen", &fault.expected("a free port of 127.0.0.1"))
    })?;
    let url = format!("{}{fragment}", server.origin());
    for warning in &done.warnings {
        // Nothing reads a closed standard error.
        let _ = print_warning(warning);
    }
    // The playground works without a reader of this output.
    let _ = print_line(io::stdout(), &url);
    if args.open.applies() && !browser::open(&url) {
        let _ = print_line(io::stderr(), "no browser was started: open the URL in one");
    }
    let _ = print_line(io::stderr(), "Press Ctrl-C to stop.");
    loop {
        thread::park();
    }
}

/// The files of a folder, or those in this program.
fn files(folder: Option<&PathBuf>) -> Result<PageFiles, Faults> {
    let files = match folder {
        Some(folder) => Some(PageFiles::Folder(folder.clone())),
        None => EMBEDDED,
    };
    let fault = match (files, folder) {
        (Some(files), _) if files.has_page() => return Ok(files),
        (_, Some(folder)) => {
            let fault = Diagnostic::error("ui/files", "the folder is not a built playground");
            fault.found(format!("no index.html in {}", folder.display()))
        }
        (_, None) => Diagnostic::error("ui/files", "this program was built without the playground"),
    };
    Err(Faults::one(
        "--files",
        &fault.expected(
            "the folder www of a release or of `cargo xtask build` (target/spillgate/www)",
        ),
    ))
}

/// The fragment of the URL: the clusters, and the screen.
fn fragment(config: &ConfigArgs, args: &UiArgs, done: &mut Done) -> Result<String, Faults> {
    let config_of_envoy = config.admin.url.is_some();
    let config = config.read()?;
    config.warn_all(done);
    let link = encoded(
        &config,
        args.cluster.as_deref(),
        Disclosure::Addresses,
        done,
    )?
    .fragment;
    let screen = ("screen".to_owned(), "live".to_owned());
    let view = if config_of_envoy {
        vec![screen]
    } else {
        Vec::new()
    };
    Ok(format!("#{}", with_view(link, &view)))
}

impl OpenBrowser {
    /// Whether to start a browser.
    fn applies(self) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => io::IsTerminal::is_terminal(&io::stdout()),
        }
    }
}
