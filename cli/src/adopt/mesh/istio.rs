//! Istio: from mesh documents to a WasmPlugin and an EnvoyFilter.

use serde_json::Value;
use spillgate_adopt::{AdoptForm, GeneratedChanges, adopt_generated, istio_objects};
use spillgate_answers::input::Faults;
use spillgate_config::{
    Diagnostic, NamedText, Position,
    mesh::{IstioInputs, IstioProtocol, MeshKind, PointOfView},
    node::Node,
};
use spillgate_mesh::Compat;

use super::{
    bootstrap::bootstrap,
    gateway_api::{full_name, of_istio, refused},
    objects::{documents, list, objects_file},
    origin::placed,
    outcome::{Outcome, finish, image_note},
    route::Object,
    workload::workload,
};
use crate::{
    adopt::{AdoptArgs, notes, options},
    command::{Done, Finished},
    control_planes::string,
    inputs::Inputs,
    mesh::{MeshInput, gateway_or_zone},
};

/// The port of the admin interface in Istio's proxies, on 127.0.0.1.
const ADMIN_PORT: u16 = 15000;

/// Runs the command for documents of Istio. `own`: the texts with objects of an earlier run.
///
/// # Errors
/// Documents of Kuma, and everything that cannot be carried over, with its place.
pub(super) fn run(args: &AdoptArgs, own: Vec<NamedText>, inputs: Inputs) -> Finished {
    let mut done = Done::default();
    let chosen = inputs.mesh()?;
    for (name, warnings) in &chosen.skipped {
        done.warn(name.as_str(), warnings);
    }
    let texts = chosen.texts;
    let file = objects_file(own, &texts)?;
    let input = MeshInput::new(texts.clone(), None, args.istio)?;
    if input.mesh != MeshKind::Istio {
        let fault = Diagnostic::error(
            "adopt/not-carried-over",
            "adopt does not patch objects of Kuma",
        );
        let fault = fault.expected("documents of Istio alone");
        return Err(Faults::one(&input.name, &fault));
    }
    check_options(args, &input)?;
    input.warn(&mut done);
    let by_gateway_api = of_istio(&texts)?;
    let view = view(args, &input, &by_gateway_api)?;
    let gateway = match &view {
        PointOfView::Gateway(name) => Some(name.as_str()),
        _ => None,
    };
    let outbound = input.outbound(&view, Compat::Kuma)?;
    done.warn(&input.name, &outbound.warnings);
    let mut workload = workload(args, gateway, (&input, &file))?;
    let left_out = other_protocols(&input, &view, gateway.is_some())?;
    let (before, warnings) = bootstrap(&outbound, &left_out, args.listener.as_deref())
        .map_err(|faults| Faults::all(&input.name, &faults))?;
    done.warn(&input.name, &warnings);
    let changes = adopt_generated(&before, ADMIN_PORT, &options(args)?)
        .map_err(|faults| placed(faults, &before, (&input, &texts)))?;
    let listeners = before.pointer("/static_resources/listeners");
    if listeners
        .and_then(Value::as_array)
        .is_some_and(|all| all.len() > 1)
    {
        workload.port = args.listener.as_deref().and_then(port);
    }
    check_matches(&changes, &texts)?;
    let outcome = Outcome {
        texts: &texts,
        file: &file,
        before: &before,
        objects: istio_objects(&changes, &workload),
        changes: &changes,
        notes: notes_of(args, &changes, &workload.url, (&left_out, &by_gateway_api))?,
    };
    finish(args, outcome, done)
}

/// Options that mean nothing for Istio.
fn check_options(args: &AdoptArgs, input: &MeshInput) -> Result<(), Faults> {
    if args.criteria.is_empty() && args.chain.is_empty() {
        return Ok(());
    }
    let what = "--criteria and --chain: hosts of Istio have no metadata in envoy.lb, so no criterion could match; \
        subsets are clusters of their own";
    Err(Faults::one(
        &input.name,
        &Diagnostic::error("adopt/option", what),
    ))
}

/// The point of view of `--as`, or the only Gateway of the documents.
fn view(
    args: &AdoptArgs,
    input: &MeshInput,
    by_gateway_api: &[Object],
) -> Result<PointOfView, Faults> {
    let own = &input.documents.istio.gateways;
    if let Some(view) = &args.view {
        let view = gateway_or_zone(view);
        if let PointOfView::Gateway(name) = &view
            && !own
                .iter()
                .any(|of| of.name == *name || of.full_name() == *name)
            && let Some(gateway) = by_gateway_api
                .iter()
                .find(|of| of.meta("name") == name || full_name(of) == *name)
        {
            return Err(refused(gateway));
        }
        return Ok(view);
    }
    if let ([], Some(gateway)) = (own.as_slice(), by_gateway_api.first()) {
        return Err(refused(gateway));
    }
    match own.as_slice() {
        [only] => Ok(PointOfView::Gateway(only.full_name())),
        several => {
            let names = several
                .iter()
                .map(|of| format!("gateway:{}", of.full_name()));
            let names: Vec<String> = names.chain(["a zone for sidecars".into()]).collect();
            let what = "the objects depend on the proxies that get the filter";
            let fault = Diagnostic::error("input/no-view", what);
            let fault = fault.expected(format!("--as with one of {}", names.join(", ")));
            Err(Faults::one(&input.name, &fault))
        }
    }
}

/// The services whose requests sidecars do not know as HTTP, by the names of their clusters: a cluster that
/// follows a host list would have no host for their connections.
fn other_protocols(
    input: &MeshInput,
    view: &PointOfView,
    is_gateway: bool,
) -> Result<Vec<String>, Faults> {
    if is_gateway {
        return Ok(Vec::new());
    }
    let inputs = IstioInputs::new(&input.documents, view);
    let inputs = inputs.map_err(|fault| Faults::one(&input.name, &fault))?;
    let services = inputs.services.into_iter();
    let others = services.filter(|of| of.protocol != IstioProtocol::Http);
    Ok(others.map(|of| of.cluster).collect())
}

/// The port of a listener by the name of its routes: `http.80`, `https.443.NAME.GATEWAY.NAMESPACE`.
fn port(listener: &str) -> Option<u16> {
    listener.split('.').nth(1)?.parse().ok()
}

/// The place of a name in `http[].match[]` of a VirtualService.
fn named_match(root: &Node<'_>) -> Option<Position> {
    if string(root, "kind") != Some("VirtualService") {
        return None;
    }
    let routes = list(root.get("spec")?.get("http")?)?;
    let entries = routes.iter().filter_map(|route| list(route.get("match")?));
    let mut names = entries.flatten().filter_map(|entry| entry.get("name"));
    names.next().map(|name| name.position)
}

/// A name in `match` becomes part of the names of routes, which the documents' reader does not know.
fn check_matches(changes: &GeneratedChanges, texts: &[NamedText]) -> Result<(), Faults> {
    if !changes.names_routes() {
        return Ok(());
    }
    for text in texts {
        let Ok(document) = text.source().format.parse(&text.text) else {
            continue;
        };
        for root in documents(&document.roots) {
            let named = named_match(root);
            if let Some(position) = named {
                let what = "a name in match becomes part of the route's name, by which the EnvoyFilter would find it";
                let fault = Diagnostic::error("adopt/not-carried-over", what);
                let fault = fault.at("spec.http.match.name", position);
                return Err(Faults::one(&text.name, &fault.expected("http.name alone")));
            }
        }
    }
    Ok(())
}

fn notes_of(
    args: &AdoptArgs,
    changes: &GeneratedChanges,
    url: &str,
    (left_out, by_gateway_api): (&[String], &[Object]),
) -> Result<Vec<String>, Faults> {
    let form = args.form_of_plan()?;
    let mut lines = notes(&changes.adopted, &form);
    if !left_out.is_empty() {
        let names = left_out.join(", ");
        lines.push(format!(
            "not steered, because the name of the port does not say HTTP: {names}"
        ));
    }
    if !by_gateway_api.is_empty() {
        let names: Vec<String> = by_gateway_api.iter().map(full_name).collect();
        let names = names.join(", ");
        lines.push(format!(
            "not steered, because adopt writes no objects for Gateways of the Gateway API: {names}"
        ));
    }
    match form {
        AdoptForm::Wasm(_) => lines.extend(image_note(args, url)),
        AdoptForm::Module(_) => lines.push(
            "the image of the proxies needs the module, and an Envoy with dynamic modules".into(),
        ),
    }
    lines.push(
        "BOOTSTRAP patches need BOOTSTRAP_XDS_AGENT: \"true\" in proxyMetadata, and a restart of the proxies".into(),
    );
    Ok(lines)
}
