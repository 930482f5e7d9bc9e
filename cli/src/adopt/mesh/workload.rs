//! The proxies that get the filter, and where they get it from.

use spillgate_core::visible::quoted;
use std::collections::BTreeMap;

use serde_json::Value;
use spillgate_adopt::AdoptWorkload;
use spillgate_answers::input::Faults;
use spillgate_config::Diagnostic;

use super::objects::ObjectsFile;
use crate::{adopt::AdoptArgs, mesh::MeshInput};

/// Objects in it are for the proxies of all namespaces.
const ROOT_NAMESPACE: &str = "istio-system";

/// The place of the image if nothing names one.
const IMAGE: &str = concat!(
    "oci://registry.example.com/spillgate:",
    env!("CARGO_PKG_VERSION")
);

/// The proxies of the arguments, or of the present objects, or else those of the Gateway.
///
/// # Errors
/// Sidecars without `--workload`, or an invalid one.
pub(super) fn workload(
    args: &AdoptArgs,
    gateway: Option<&str>,
    (input, file): (&MeshInput, &ObjectsFile),
) -> Result<AdoptWorkload, Faults> {
    let (namespace, labels) = match (&args.workload, present(file), gateway) {
        (Some(text), _, _) => parsed(text)?,
        (None, Some(present), _) => present,
        (None, None, Some(gateway)) => (ROOT_NAMESPACE.to_owned(), selector(gateway, input)),
        (None, None, None) => {
            let what = "sidecars need --workload: nothing says which proxies get the filter";
            let fault = Diagnostic::error("adopt/option", what);
            let fault = fault.expected("--workload NAMESPACE or NAMESPACE/LABEL=VALUE,...");
            return Err(Faults::one(&input.name, &fault));
        }
    };
    let url = file.spec("WasmPlugin", "url").and_then(Value::as_str);
    Ok(AdoptWorkload {
        namespace,
        labels,
        is_gateway: gateway.is_some(),
        port: None,
        url: args.url.as_deref().or(url).unwrap_or(IMAGE).to_owned(),
    })
}

/// The namespace and labels of the objects that are there.
fn present(file: &ObjectsFile) -> Option<(String, BTreeMap<String, String>)> {
    let object = file.object("EnvoyFilter")?;
    let namespace = object.pointer("/metadata/namespace")?.as_str()?;
    let labels = object.pointer("/spec/workloadSelector/labels");
    let labels = labels.and_then(Value::as_object).into_iter().flatten();
    let labels = labels.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())));
    Some((namespace.to_owned(), labels.collect()))
}

/// `NAMESPACE/LABEL=VALUE,...`.
fn parsed(text: &str) -> Result<(String, BTreeMap<String, String>), Faults> {
    let (namespace, labels) = text.split_once('/').unwrap_or((text, ""));
    let parts = labels.split(',').filter(|part| !part.is_empty());
    let parts: Option<BTreeMap<String, String>> = parts
        .map(|part| {
            let (key, value) = part.split_once('=')?;
            Some((key.to_owned(), value.to_owned()))
        })
        .collect();
    match parts {
        Some(labels) if !namespace.is_empty() => Ok((namespace.to_owned(), labels)),
        _ => {
            let what = "--workload: not NAMESPACE or NAMESPACE/LABEL=VALUE,...";
            let fault = Diagnostic::error("adopt/option", what);
            Err(Faults::one("--workload", &fault.found(quoted(text))))
        }
    }
}

/// The labels of a Gateway's proxies.
fn selector(name: &str, input: &MeshInput) -> BTreeMap<String, String> {
    let mut gateways = input.documents.istio.gateways.iter();
    let found = gateways.find(|of| of.name == name || of.full_name() == name);
    found.map_or_else(BTreeMap::new, |of| of.selector.clone())
}
