//! Bootstraps, options, and results.

use std::sync::Arc;

use serde_json::Value;
use spillgate_adopt::{AdoptForm, AdoptOptions, EditText, adopt};
use spillgate_core::route::{Regex, Rewrite};

pub(crate) const WEIGHTED: &str = include_str!("../bootstraps/weighted.yaml");
pub(crate) const AGGREGATE: &str = include_str!("../bootstraps/aggregate.yaml");
pub(crate) const TENANTS: &str = include_str!("../bootstraps/tenants.yaml");

pub(crate) fn options(form: AdoptForm) -> AdoptOptions {
    AdoptOptions {
        form,
        listener: None,
        clusters: Vec::new(),
        sessions: None,
        criteria: Vec::new(),
        chain: Vec::new(),
        fallback: None,
        regex: Some(compile),
    }
}

pub(crate) fn wasm() -> AdoptOptions {
    options(AdoptForm::Wasm("spillgate.wasm".into()))
}

pub(crate) fn module() -> AdoptOptions {
    options(AdoptForm::Module("spillgate-0123456789abcdef".into()))
}

/// The text of the result, and the configuration of the filter in it.
#[track_caller]
pub(crate) fn adopted(text: &str, options: &AdoptOptions) -> (String, Value) {
    let adopted = adopt(&[EditText::new(text.into()).unwrap()], options).unwrap();
    let value = EditText::new(adopted.texts[0].clone()).unwrap();
    let filters =
        "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/http_filters";
    let filters = value.value().pointer(filters).unwrap().as_array().unwrap();
    let ours = filters
        .iter()
        .find(|filter| filter["name"] == "spillgate")
        .unwrap();
    let config = &ours["typed_config"];
    let config = config
        .pointer("/config/configuration/value")
        .or_else(|| config.pointer("/filter_config/value"));
    (adopted.texts[0].clone(), config.unwrap().clone())
}

#[track_caller]
pub(crate) fn refused(text: &str, options: &AdoptOptions) -> String {
    let faults = adopt(&[EditText::new(text.into()).unwrap()], options).unwrap_err();
    let lines = faults.iter().map(|fault| fault.render("f.yaml"));
    lines.collect::<Vec<_>>().join("\n")
}

/// An expression of whole texts, with the syntax that Rust has in common with RE2.
#[derive(Debug)]
struct Whole(regex::bytes::Regex);

impl Regex for Whole {
    fn matches(&self, text: &[u8]) -> bool {
        self.0.is_match(text)
    }

    fn rewrite(&self, _: &str) -> Result<Arc<dyn Rewrite>, String> {
        Err("no rewrite".into())
    }
}

fn compile(source: &str) -> Result<Arc<dyn Regex>, String> {
    let compiled =
        regex::bytes::Regex::new(&format!("^(?:{source})$")).map_err(|error| error.to_string())?;
    Ok(Arc::new(Whole(compiled)))
}
