//! `spillgate link encode`: the link that opens a configuration in the playground.

use serde::Serialize;
use spillgate_answers::{input::Faults, names::unknown_cluster, split::json_text};
use spillgate_codec::link::{Disclosure, Scenario, SharedScenario, left_out, proposed, write};

use super::{
    args::{EncodeArgs, EncodeFormat},
    comparison::comparison_link,
    encoded_link::{EncodedLink, not_shown, too_long},
};
use crate::{
    command::{Done, Finished},
    config::Config,
    mesh::MeshArgs,
    page_url::page_of,
    sides::GivenSides,
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
    let scenario: Scenario = Scenario::new(model.clusters().to_vec(), shown)
        .map_err(|error| Faults::one(config, &not_shown(&error)))?;
    let shared = SharedScenario::new(&scenario, disclosure).scenario;
    let link = EncodedLink {
        fragment: write(&shared),
        cluster: shared.name(shown).to_owned(),
        left_out: left_out(&scenario),
    };
    done.warn(config, link.drops().as_slice());
    if let Some(fault) = too_long(&link.fragment) {
        return Err(Faults::one(config, &fault));
    }
    Ok(link)
}

/// The link that compares two sides.
fn compared(
    sides: &[String],
    cluster: Option<&str>,
    disclosure: Disclosure,
    done: &mut Done,
) -> Result<EncodedLink, Faults> {
    let given = GivenSides {
        sides,
        git: None,
        mesh: &MeshArgs::default(),
    };
    let (old, new) = given.read(done)?;
    let link = comparison_link(&old, &new, cluster, disclosure)?;
    done.warn(&new.config, link.drops().as_slice());
    Ok(link)
}

/// Prints the link of a configuration.
pub(super) fn run(args: &EncodeArgs) -> Finished {
    let page = args.page.as_deref().map(page_of).transpose()?;
    let mut done = Done::default();
    let disclosure = args.disclosed.disclosure();
    let cluster = args.cluster.as_deref();
    let encoded = match &args.diff {
        Some(sides) => compared(sides, cluster, disclosure, &mut done)?,
        None => {
            let config = args.config.read()?;
            config.warn_all(&mut done);
            encoded(&config, cluster, disclosure, &mut done)?
        }
    };
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
