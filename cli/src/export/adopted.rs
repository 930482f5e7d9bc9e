//! The files for the filter from a bootstrap with routes: what `adopt` makes of it.

use serde_json::Value;
use spillgate_adopt::{
    AdoptForm, AdoptOptions, Adopted, EditText, adopt,
    edit::{EditChange, EditStep},
};
use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, NamedText, envoy::ListenerProtocol, re2};

use super::args::{ExportArgs, To};
use crate::{adopt::filter_configuration, config::Config};

/// The file of the dynamic module, without `lib` and its ending.
const MODULE: &str = "spillgate";
/// The Wasm filter.
const WASM: &str = "spillgate.wasm";

/// The text of a file for the filter; `None` if the configuration is not a bootstrap whose routes lead to
/// the target, so that only clusters can be written.
///
/// # Errors
/// Everything that the filter cannot take over, with its place.
pub(super) fn adopted_file(args: &ExportArgs, config: &Config) -> Result<Option<String>, Faults> {
    let form = match args.to {
        To::Filter | To::FilterClusters => AdoptForm::Wasm(WASM.into()),
        To::Native => AdoptForm::Module(MODULE.into()),
        _ => return Ok(None),
    };
    let [text] = config.texts.as_slice() else {
        return Ok(None);
    };
    if args.disclosure().is_some() || !is_routed(config, args.target.as_deref()) {
        return Ok(None);
    }
    let bootstrap = EditText::new(text.text.clone());
    let has_routes = |bootstrap: &EditText| {
        let listeners = bootstrap.value().pointer("/static_resources/listeners");
        listeners.is_some() && filter_configuration(bootstrap.value()).is_none()
    };
    let Some(bootstrap) = bootstrap.ok().filter(has_routes) else {
        return Ok(None);
    };
    let options = AdoptOptions {
        form,
        listener: None,
        clusters: args.target.iter().cloned().collect(),
        sessions: None,
        criteria: Vec::new(),
        chain: Vec::new(),
        fallback: Some(args.fallback.of_list()),
        regex: Some(re2::compile),
    };
    let adopted = adopt(&[bootstrap], &options).map_err(|faults| {
        let named = faults.into_iter().map(|fault| Diagnostic {
            message: match &args.target {
                None => fault.message.replace("--cluster", "--target"),
                Some(_) => fault.message.replace("; choose with --cluster", ""),
            },
            ..fault
        });
        Faults::all(&text.name, &named.collect::<Vec<_>>())
    })?;
    part(args.to, text, &adopted).map(Some)
}

/// Whether a route of a connection manager leads to a cluster, or to any.
fn is_routed(config: &Config, target: Option<&str>) -> bool {
    let listeners = config.envoy.listeners.iter();
    let http = listeners.filter(|listener| listener.protocol == ListenerProtocol::Http);
    let mut routes = http
        .flat_map(|listener| &listener.routes.virtual_hosts)
        .flat_map(|host| &host.routes);
    routes.any(|route| match target {
        Some(target) => route.clusters().any(|name| name == target),
        None => route.clusters().next().is_some(),
    })
}

/// The part of the result that was asked for.
fn part(to: To, text: &NamedText, adopted: &Adopted) -> Result<String, Faults> {
    let [changed] = adopted.texts.as_slice() else {
        return Ok(String::new());
    };
    if to == To::Native {
        return Ok(changed.clone());
    }
    let failed = |fault: &Diagnostic| Faults::one(&text.name, fault);
    let changed = EditText::new(changed.clone()).map_err(|fault| failed(&fault))?;
    match to {
        To::Filter => {
            let config = filter_configuration(changed.value()).unwrap_or_default();
            Ok(format!("{config:#}\n"))
        }
        _ => clusters(changed, &adopted.clusters).map_err(|fault| failed(&fault)),
    }
}

/// A bootstrap of the filter's clusters: without what is not a cluster or not used by the filter.
fn clusters(mut text: EditText, names: &[String]) -> Result<String, Box<Diagnostic>> {
    const RESOURCES: &str = "static_resources";
    let resources = [EditStep::Key(RESOURCES.into())];
    let filter = filter_configuration(text.value()).unwrap_or_default();
    let admin = filter.pointer("/health/cluster").and_then(Value::as_str);
    let is_used = |cluster: &Value| {
        let name = cluster.get("name").and_then(Value::as_str);
        name.is_some_and(|name| names.iter().any(|one| one == name) || admin == Some(name))
    };
    let list = [resources.to_vec(), vec![EditStep::Key("clusters".into())]].concat();
    let all = text
        .value()
        .pointer("/static_resources/clusters")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let mut changes = Vec::new();
    for (index, _) in all
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, one)| !is_used(one))
    {
        changes.push(EditChange::RemoveItem(list.clone(), index));
    }
    for (path, value, kept) in [
        (&resources[..], text.value().get(RESOURCES), "clusters"),
        (&[][..], Some(text.value()), RESOURCES),
    ] {
        let keys = value
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(|map| map.keys());
        let others = keys.filter(|key| *key != kept);
        changes.extend(others.map(|key| EditChange::RemoveEntry(path.to_vec(), key.clone())));
    }
    for change in &changes {
        text.change(change)?;
    }
    Ok(text.text().to_owned())
}
