//! `--to envoy`: a bootstrap for each point of view.

use spillgate_answers::input::Faults;
use spillgate_config::{
    envoy::Format as EnvoyFormat,
    mesh::{MeshZone, OutboundForm},
};

use super::args::Format;
use crate::{
    command::Done,
    mesh::{MeshInput, no_view},
};

/// The bootstraps. Several ones are YAML documents, each with a comment that names its zone.
pub(super) fn write(
    input: &MeshInput,
    views: &[MeshZone],
    form: OutboundForm,
    format: Option<Format>,
    done: &mut Done,
) -> Result<String, Faults> {
    if format == Some(Format::Json) && views.len() > 1 {
        return Err(no_view(input, views));
    }
    let mut out = String::new();
    let mut wrong = Faults::default();
    for view in views {
        let format = match format {
            Some(Format::Json) => EnvoyFormat::Json,
            _ => EnvoyFormat::Yaml,
        };
        let written = view.outbound.written(form, format);
        match written {
            Ok((written, warnings)) => {
                done.warn(&input.name, &warnings);
                done.warn(&input.name, &written.warnings);
                if views.len() > 1 {
                    out.push_str(&format!("---\n# Proxies in {}\n", view.name));
                }
                out.push_str(&written.text);
            }
            Err(faults) => wrong.extend(Faults::all(&input.name, &faults)),
        }
    }
    // The same cluster of several zones has the same warnings.
    let mut seen = std::collections::BTreeSet::new();
    done.warnings.retain(|warning| seen.insert(warning.line()));
    if wrong.is_empty() {
        Ok(out)
    } else {
        Err(wrong)
    }
}
