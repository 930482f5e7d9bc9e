//! `spillgate link encode`: the link that opens a configuration in the page.

use serde::Serialize;
use spillgate_answers::{input::Faults, names::unknown_cluster, split::json_text};
use spillgate_codec::link::{Disclosure, Scenario, SharedScenario, left_out, proposed, write};
use spillgate_config::Diagnostic;

use super::args::{EncodeArgs, EncodeFormat};
use crate::command::{Done, Finished};

/// The output of `--format json`.
#[derive(Serialize)]
struct Encoded<'a> {
    link: &'a str,
    cluster: &'a str,
    addresses: &'static str,
    names: &'static str,
    left_out: &'a [&'static str],
}

/// Prints the link of a configuration.
pub(super) fn run(args: &EncodeArgs) -> Finished {
    let config = args.config.read()?;
    let mut done = Done::default();
    config.warn_all(&mut done);
    let model = config.served_model(&mut done).into_owned();
    let shown = match &args.cluster {
        None => proposed(model.clusters()),
        Some(name) => {
            let mut clusters = model.clusters().iter();
            clusters.position(|c| c.name == *name).ok_or_else(|| {
                let fault = unknown_cluster("link/unknown-cluster", name, &model);
                Faults::one(config.files(), &fault)
            })?
        }
    };
    let scenario: Scenario = Scenario::new(model.clusters().to_vec(), shown).map_err(|error| {
        let what = format!("the page cannot show this configuration: {error}");
        Faults::one(config.files(), &Diagnostic::error("link/not-shown", what))
    })?;
    let disclosure = match (args.include_addresses, args.include_names) {
        (true, _) => Disclosure::Addresses,
        (false, true) => Disclosure::Names,
        (false, false) => Disclosure::Shape,
    };
    let word = |included| if included { "included" } else { "replaced" };
    let shared = SharedScenario::new(&scenario, disclosure).scenario;
    let fragment = write(&shared);
    let link = match &args.page {
        // The link replaces a fragment of the page.
        Some(page) => format!("{}#{fragment}", page.split('#').next().unwrap_or_default()),
        None => format!("#{fragment}"),
    };
    let left_out = left_out(&scenario);
    done.output = match args.format {
        EncodeFormat::Text => format!("{link}\n"),
        EncodeFormat::Json => {
            let encoded = Encoded {
                link: &link,
                cluster: shared.name(shown),
                addresses: word(disclosure == Disclosure::Addresses),
                names: word(disclosure != Disclosure::Shape),
                left_out: &left_out,
            };
            json_text(&encoded)
        }
    };
    if !left_out.is_empty() {
        let warning = Diagnostic::warning("link/left-out", "the link drops settings")
            .found(left_out.join(", "));
        done.warn(config.files(), &[warning]);
    }
    Ok(done)
}
