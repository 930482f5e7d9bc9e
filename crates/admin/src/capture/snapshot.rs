//! Joins the responses.

use serde_json::{Value, json};
use spillgate_config::{Diagnostic, Position, clusters::ClusterStatus, node::MAXIMUM_BYTES};

use super::{anonymous, bootstrap, redact, secrets::SecretValues, statuses};

/// Which names and addresses a snapshot contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CapturedNames {
    /// Those of the proxy.
    Original,
    /// Generated ones.
    Generated,
}

/// The section types that no reader uses. They contain certificates and tokens in many forms.
const OMITTED: [&str; 1] = ["SecretsConfigDump"];

/// A `/config_dump` without secrets, with the hosts and health of `/clusters` as a section of the type
/// `envoy.admin.v3.Clusters`, and the response of `/runtime` as another section, as JSON.
///
/// - The secrets section is omitted, and the bootstrap contains only what balancing uses: the locality of the
///   proxy, its own cluster and its static runtime layers. The other sections contain the resources of the bootstrap.
/// - Token keys of Spillgate filters are replaced by `keys_from_env`; further [secrets](redact::redact) are
///   replaced by `[redacted]`, or by `[redacted 2]` and so on if they differ.
/// - [`CapturedNames::Generated`] replaces addresses and names.
///
/// # Errors
/// If the dump is not JSON, or the result is too large for the readers.
pub fn capture(
    dump: &str,
    statuses: &[ClusterStatus<'_>],
    runtime: Option<&str>,
    names: CapturedNames,
) -> Result<String, Box<Diagnostic>> {
    let mut dump: Value = serde_json::from_str(dump).map_err(|error| {
        let position = Position {
            line: u32::try_from(error.line()).unwrap_or(u32::MAX),
            column: u32::try_from(error.column()).unwrap_or(u32::MAX),
        };
        let fault = Diagnostic::error("admin/response", "response is not valid JSON");
        Box::new(fault.at("", position))
    })?;
    let sections = dump.get_mut("configs").and_then(Value::as_array_mut);
    let mut sections = sections.map(std::mem::take).unwrap_or_default();
    let type_of = |section: &Value| {
        let name = section.get("@type").and_then(Value::as_str);
        name.and_then(|name| name.rsplit('.').next().map(str::to_owned))
    };
    sections.retain(|section| type_of(section).is_none_or(|name| !OMITTED.contains(&&*name)));
    let mut secrets = SecretValues::default();
    for section in &mut sections {
        if type_of(section).as_deref() == Some("BootstrapConfigDump") {
            bootstrap::reduce(section);
        }
        redact::redact(section, &mut secrets);
    }
    sections.push(statuses::section(statuses));
    // A response that is not JSON is omitted, as if Envoy had not sent one.
    if let Some(Ok(mut runtime @ Value::Object(_))) = runtime.map(serde_json::from_str) {
        secrets.redact(&mut runtime);
        sections.push(runtime);
    }
    let mut captured = json!({ "configs": sections });
    if names == CapturedNames::Generated {
        anonymous::rename(&mut captured);
    }
    written(&captured)
}

/// Indented like Envoy's own response, so that positions are useful, or without blanks if it is too large.
fn written(captured: &Value) -> Result<String, Box<Diagnostic>> {
    let indented = format!("{captured:#}\n");
    if indented.len() <= MAXIMUM_BYTES {
        return Ok(indented);
    }
    let dense = captured.to_string() + "\n";
    if dense.len() <= MAXIMUM_BYTES {
        return Ok(dense);
    }
    let fault = Diagnostic::error("input/too-large", "capture exceeds 64 MiB");
    Err(Box::new(fault.found(format!("{} bytes", dense.len()))))
}
