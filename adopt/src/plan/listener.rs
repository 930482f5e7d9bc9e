//! The connection manager whose requests are steered.

use spillgate_config::Diagnostic;

use super::place::Place;
use crate::edit::EditText;

/// The `typed_config` of the only connection manager, or of that in the named listener.
pub(super) fn manager<'v>(
    text: &'v EditText,
    name: Option<&str>,
) -> Result<Place<'v>, Vec<Diagnostic>> {
    let root = Place::root(text);
    let Some(resources) = root.field("static_resources") else {
        let what = "not a bootstrap: it has no static_resources";
        return Err(vec![root.fault(text, what)]);
    };
    let listeners = resources.items("listeners");
    let is_named =
        |listener: &&Place<'_>| name.is_none_or(|name| listener.text("name") == Some(name));
    let named: Vec<&Place<'_>> = listeners.iter().filter(is_named).collect();
    if let (Some(name), []) = (name, named.as_slice()) {
        let names = listeners
            .iter()
            .map(|one| one.text("name").unwrap_or("(no name)"));
        let known = names.collect::<Vec<_>>().join(", ");
        let fault = resources.fault(text, "--listener: no listener has this name");
        return Err(vec![fault.found(format!("{name:?}")).expected(known)]);
    }
    let mut managers: Vec<Place<'v>> = Vec::new();
    for listener in &named {
        let own = managers_of(listener);
        if let (Some(_), []) = (name, own.as_slice()) {
            return Err(vec![listener.fault(
                text,
                "no HTTP connection manager, so no filter can run here",
            )]);
        }
        managers.extend(own);
    }
    match managers.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(vec![
            resources.fault(text, "no listener has an HTTP connection manager"),
        ]),
        several => {
            let what = match name {
                Some(_) => "several HTTP connection managers in one listener",
                None => "several HTTP connection managers; choose with --listener",
            };
            let what = |place: &Place<'_>| place.fault(text, what);
            Err(several.iter().map(what).collect())
        }
    }
}

/// The connection managers of a listener.
fn managers_of<'v>(listener: &Place<'v>) -> Vec<Place<'v>> {
    let mut chains = listener.items("filter_chains");
    chains.extend(listener.field("default_filter_chain"));
    let filters = chains.iter().flat_map(|chain| chain.items("filters"));
    let managers = filters.filter(|filter| filter.is_type("HttpConnectionManager"));
    managers
        .filter_map(|filter| filter.field("typed_config"))
        .collect()
}

/// The form of the filter that the connection manager has already.
pub(super) fn steered(manager: &Place<'_>) -> Option<&'static str> {
    manager.items("http_filters").iter().find_map(|filter| {
        let config = filter.field("typed_config")?;
        if filter.is_type("DynamicModuleFilter") && config.text("filter_name") == Some("spillgate")
        {
            return Some("module");
        }
        let plugin = config.at(&["config", "configuration"])?;
        let is_ours = filter.is_type("Wasm") && plugin.value.to_string().contains("clusters");
        is_ours.then_some("wasm")
    })
}
