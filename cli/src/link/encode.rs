//! `spillgate link encode`: the link that opens a configuration in the playground.

use serde::Serialize;
use spillgate_answers::{input::Faults, names::unknown_cluster, split::json_text};
use spillgate_codec::link::{
    Disclosure, MAXIMUM_LINK_BYTES, Scenario, SharedScenario, left_out, proposed, write,
};
use spillgate_config::{Diagnostic, node::quote};
use spillgate_core::visible::is_hidden;

use super::args::{EncodeArgs, EncodeFormat};
use crate::{
    command::{Done, Finished},
    config::Config,
};

/// The output of `--format json`.
#[derive(Serialize)]
struct Encoded<'a> {
    link: &'a str,
    cluster: &'a str,
    addresses: &'static str,
    names: &'static str,
    left_out: &'a [&'static str],
}

/// The link of a configuration.
pub(crate) struct EncodedLink {
    /// The fragment, without `#`.
    pub(crate) fragment: String,
    /// The name of the cluster that the playground shows.
    cluster: String,
    /// The settings that the link drops.
    left_out: Vec<&'static str>,
}

/// The link that shows a cluster of a configuration. Adds a warning about the settings that it drops.
///
/// # Errors
/// An unknown cluster, a configuration that the playground cannot show, or a link that it refuses.
pub(crate) fn encoded(
    config: &Config,
    cluster: Option<&str>,
    disclosure: Disclosure,
    done: &mut Done,
) -> Result<EncodedLink, Faults> {
    let model = config.effective_model(done).into_owned();
    let shown = match cluster {
        None => proposed(model.clusters()),
        Some(name) => {
            let mut clusters = model.clusters().iter();
            clusters.position(|c| c.name == *name).ok_or_else(|| {
                let fault = unknown_cluster("link/unknown-cluster", name, &model);
                Faults::one(config, &fault)
            })?
        }
    };
    let scenario: Scenario = Scenario::new(model.clusters().to_vec(), shown).map_err(|error| {
        let what = format!("the playground cannot show this configuration: {error}");
        Faults::one(config, &Diagnostic::error("link/not-shown", what))
    })?;
    let left_out = left_out(&scenario);
    if !left_out.is_empty() {
        let warning = Diagnostic::warning("link/left-out", "the link drops settings")
            .found(left_out.join(", "));
        done.warn(config, &[warning]);
    }
    let shared = SharedScenario::new(&scenario, disclosure).scenario;
    let fragment = write(&shared);
    if fragment.len() > MAXIMUM_LINK_BYTES {
        let what = "the playground refuses links of this length; import the configuration there";
        let fault = Diagnostic::error("link/too-long", what)
            .found(format!("{} bytes", fragment.len()))
            .expected(format!(
                "at most {MAXIMUM_LINK_BYTES} bytes: fewer clusters, or a link without addresses"
            ));
        return Err(Faults::one(config, &fault));
    }
    Ok(EncodedLink {
        fragment,
        cluster: shared.name(shown).to_owned(),
        left_out,
    })
}

/// The URL of the playground without its fragment, which the link replaces.
///
/// # Errors
/// Any other text.
fn page_of(text: &str) -> Result<&str, Faults> {
    let page = text.split('#').next().unwrap_or_default();
    let is_url = page.split_once("://").is_some_and(|(scheme, rest)| {
        let host = rest.split(['/', '?']).next().unwrap_or_default();
        match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => !host.is_empty() && !host.starts_with(':'),
            "file" => rest.len() > host.len(),
            _ => false,
        }
    });
    if is_url && !page.contains(|c: char| c.is_whitespace() || is_hidden(c)) {
        return Ok(page);
    }
    let fault = Diagnostic::error("link/page", "invalid URL")
        .found(quote(text))
        .expected("http://HOST/PATH, https://HOST/PATH or file:///PATH");
    Err(Faults::one("--page", &fault))
}

/// Prints the link of a configuration.
pub(super) fn run(args: &EncodeArgs) -> Finished {
    let page = args.page.as_deref().map(page_of).transpose()?;
    let config = args.config.read()?;
    let mut done = Done::default();
    config.warn_all(&mut done);
    let disclosure = match (args.include_addresses, args.include_names) {
        (true, _) => Disclosure::Addresses,
        (false, true) => Disclosure::Names,
        (false, false) => Disclosure::Shape,
    };
    let encoded = encoded(&config, args.cluster.as_deref(), disclosure, &mut done)?;
    let fragment = &encoded.fragment;
    let word = |included| if included { "included" } else { "replaced" };
    let link = format!("{}#{fragment}", page.unwrap_or_default());
    done.output = match args.format {
        EncodeFormat::Text => format!("{link}\n"),
        EncodeFormat::Json => json_text(&Encoded {
            link: &link,
            cluster: &encoded.cluster,
            addresses: word(disclosure == Disclosure::Addresses),
            names: word(disclosure != Disclosure::Shape),
            left_out: &encoded.left_out,
        }),
    };
    Ok(done)
}
