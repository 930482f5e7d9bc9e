//! Texts in, one JSON text out.
//!
//! ```json
//! {"model": "{\"clusters\":[...]}",
//!  "places": [{"cluster":[3,5],"panic_threshold":[9,7],"overprovisioning_factor":null,
//!              "members":null,"levels":[[[12,9,0,0],[14,9,15,11]]]}],
//!  "diagnostics": [{"text":"config","severity":"warning","code":"config/not-modelled","path":"...",
//!                   "line":8,"column":3,"message":"...","found":null,"expected":null,"suggestion":null}],
//!  "findings": [{"rule":"...","severity":"error","path":"...","line":8,"column":3,"message":"...","fix":"..."}]}
//! ```
//!
//! `model` is a text of its own, in the JSON that Envoy and the page's small reader know; it is
//! null when the texts are not usable, and then a diagnostic says why. `places` goes with its
//! clusters, one by one.

use alloc::string::String;

use spillgate_config::node::Writer;

use crate::{places, reading::Reading, report};

/// What a configuration says, with the hosts of `clusters` laid over it, what Envoy's `/clusters`
/// answered. That text may be empty.
#[must_use]
pub fn answer(config: &[u8], clusters: &[u8]) -> String {
    let reading = Reading::of(config, clusters);
    let mut out = Writer::new();
    out.begin_object();
    out.key("model");
    match &reading.model {
        Some(model) => out.string(model),
        None => out.null(),
    }
    out.key("places");
    out.begin_list();
    if let Some(config) = &reading.config {
        places::write(&config.model, &config.marks, &mut out);
    }
    out.end_list();
    out.key("diagnostics");
    out.begin_list();
    for diagnostic in &reading.of_config {
        report::diagnostic(diagnostic, "config", &mut out);
    }
    for diagnostic in &reading.of_clusters {
        report::diagnostic(diagnostic, "clusters", &mut out);
    }
    out.end_list();
    out.key("findings");
    out.begin_list();
    for finding in &reading.findings {
        report::finding(finding, &mut out);
    }
    out.end_list();
    out.end_object();
    out.finish()
}
