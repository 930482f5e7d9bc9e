//! The examples of the pages about deployment: Envoy accepts them, with the filter.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use spillgate_e2e::{Need, Workdir, needed, refusal};
use spillgate_testkit::repository;

/// The place of the filter in the example.
const FILTER: &str = "/etc/envoy/spillgate.wasm";

#[test]
fn envoy_accepts_the_examples_of_the_deployment() -> Result<()> {
    let workdir = Workdir::new("deploy_examples")?;
    let filter = needed(Need::FilterWasm)?;
    let filter = filter.to_str().context("a path in UTF-8")?;
    for name in ["before.yaml", "envoy.yaml"] {
        let path = repository().join("docs/how-to/examples").join(name);
        let text = fs::read_to_string(path)?.replace(FILTER, filter);
        let refused = refusal(&workdir, name, &text)?;
        ensure!(refused.is_none(), "{refused:?}");
        // The filter reads its configuration: an unknown field is refused.
        let broken = text.replace("target: shop", "tarket: shop");
        let refused = refusal(&workdir, &format!("broken-{name}"), &broken)?;
        ensure!(
            refused.is_some() == (broken != text),
            "{name}: a broken one"
        );
    }
    Ok(())
}
