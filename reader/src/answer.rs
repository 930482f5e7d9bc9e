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

use alloc::{string::String, vec::Vec};

use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, Format, Options, read_with},
    node::{Writer, decode},
    write::clusters_json,
};

use crate::{places, regex, report};

/// What a configuration says, laid under what `/clusters` said about its hosts. Either may be
/// empty.
#[must_use]
pub fn answer(config: &[u8], clusters: &[u8]) -> String {
    let _ = clusters;
    let read = understand(config);
    let (read, diagnostics) = match &read {
        Ok(read) => (Some(read), &read.config.warnings),
        Err(faults) => (None, faults),
    };
    let mut out = Writer::new();
    out.begin_object();
    out.key("model");
    match read {
        Some(read) => out.string(&read.model),
        None => out.null(),
    }
    out.key("places");
    out.begin_list();
    if let Some(Understood { config, .. }) = read {
        places::write(&config.model, &config.marks, &mut out);
    }
    out.end_list();
    out.key("diagnostics");
    out.begin_list();
    for diagnostic in diagnostics {
        report::diagnostic(diagnostic, "config", &mut out);
    }
    out.end_list();
    out.end_object();
    out.finish()
}

/// A configuration and its clusters as the page takes them.
struct Understood {
    config: EnvoyConfig,
    model: String,
}

fn understand(config: &[u8]) -> Result<Understood, Vec<Diagnostic>> {
    let text = decode(config).map_err(|fault| Vec::from([fault]))?;
    let options = Options {
        regex: Some(regex::keep),
    };
    let config = read_with(text, Format::guess("", text), &options)?;
    let written = clusters_json(&config.model)?;
    Ok(Understood {
        config,
        model: written.text,
    })
}
