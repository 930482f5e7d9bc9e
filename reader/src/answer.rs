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
};

use crate::{places, regex, report};

/// What a configuration says, laid under what `/clusters` said about its hosts. Either may be
/// empty.
#[must_use]
pub fn answer(config: &[u8], clusters: &[u8]) -> String {
    let _ = clusters;
    let (read, diagnostics) = match understand(config) {
        Ok(mut read) => {
            let warnings = core::mem::take(&mut read.warnings);
            (Some(read), warnings)
        }
        Err(faults) => (None, faults),
    };
    let mut out = Writer::new();
    out.begin_object();
    out.key("model");
    match &read {
        Some(_) => out.string(core::str::from_utf8(config).unwrap_or_default()),
        None => out.null(),
    }
    out.key("places");
    out.begin_list();
    if let Some(read) = &read {
        places::write(&read.model, &read.marks, &mut out);
    }
    out.end_list();
    out.key("diagnostics");
    out.begin_list();
    for diagnostic in &diagnostics {
        report::diagnostic(diagnostic, "config", &mut out);
    }
    out.end_list();
    out.end_object();
    out.finish()
}

fn understand(config: &[u8]) -> Result<EnvoyConfig, Vec<Diagnostic>> {
    let text = decode(config).map_err(|fault| Vec::from([fault]))?;
    let options = Options {
        regex: Some(regex::keep),
    };
    read_with(text, Format::guess("", text), &options)
}
