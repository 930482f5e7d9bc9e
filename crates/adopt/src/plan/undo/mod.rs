//! The way back, from the result alone: the filter's configuration has what it took over.

use spillgate_core::visible::quoted;
mod bootstrap;
mod clusters;
mod removal;
mod routes;
mod sessions;

use serde_json::Value;
use spillgate_config::{Diagnostic, envoy::SpillgateFilter};

use self::removal::of_items;
use super::{
    files::{Edit, Files},
    listener::{all_managers, manager},
    place::Place,
    present::{configuration, present},
    wasm::{HOST_HEADER, early_mutation},
};
use crate::edit::EditText;

/// Takes back what [`adopt`](super::adopt()) has changed, from the result alone. Comments inside of what it
/// replaced, and the order of fields, are not restored.
///
/// `None` for a configuration without the filter.
///
/// # Errors
/// A configuration that does not say what was there before.
pub fn undo(
    texts: &[EditText],
    listener: Option<&str>,
) -> Result<Option<Vec<String>>, Vec<Diagnostic>> {
    let files = Files(texts);
    let manager = manager(files, listener)?;
    let Some(filter) = present(files, &manager)? else {
        return Ok(None);
    };
    let config = configuration(&filter).map_err(|error| {
        let what = format!("--undo: the filter's configuration is not JSON: {error}");
        Vec::from([manager.fault(files, &what)])
    })?;
    if config.get("subset_chain").is_some() {
        let what = "--undo: the filter's chain took the place of subsets, which are not known here";
        return Err(vec![
            manager.fault(files, what).expected("the original files"),
        ]);
    }
    let mut edits = routes::edits(files, &manager, &config)?;
    edits.extend(clusters::edits(files, &config));
    edits.extend(of_manager(files, &manager, &filter, &config)?);
    // Another listener can be steered, too, and needs the same parts.
    let mut others = all_managers(files)
        .into_iter()
        .filter(|other| other.file != manager.file || other.path != manager.path);
    let is_shared = others.any(|other| !matches!(present(files, &other), Ok(None)));
    if let (false, Some(root)) = (is_shared, files.bootstrap()) {
        edits.extend(bootstrap::edits(&root));
    }
    files.changed(&edits).map(Some)
}

/// The filters, and the removal of forged headers.
fn of_manager(
    files: Files<'_>,
    manager: &Place<'_>,
    filter: &SpillgateFilter,
    config: &Value,
) -> Result<Vec<Edit>, Vec<Diagnostic>> {
    let filters = manager.items("http_filters");
    let is_ours = |one: &Place<'_>| one.text("name") == Some("spillgate") || reads_list(one);
    let Some(at) = filters.iter().position(is_ours) else {
        let what = "--undo: the filter has a name that adopt does not give";
        let fault = manager.fault(files, what).found(quoted(&filter.name));
        return Err(vec![fault.expected("the original files")]);
    };
    let mut edits = of_items(manager, "http_filters", is_ours);
    edits.extend(
        sessions::filter(config).map(|own| manager.add_item("http_filters", Some(at), own)),
    );
    let mutation = early_mutation();
    edits.extend(of_items(
        manager,
        "early_header_mutation_extensions",
        |one| *one.value == mutation,
    ));
    Ok(edits)
}

/// Whether a filter moves our list into metadata.
fn reads_list(filter: &Place<'_>) -> bool {
    let rules = filter
        .field("typed_config")
        .map(|config| config.items("request_rules"))
        .unwrap_or_default();
    matches!(rules.as_slice(), [only] if only.text("header") == Some(HOST_HEADER))
}
