//! Envoy Gateway: from an HTTPRoute and its Gateway to policies.

use serde_json::Value;
use spillgate_adopt::{AdoptRoute, adopt_generated, gateway_objects};
use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, NamedText};

use super::{
    gateway_api::{is_of_istio, refused},
    objects::objects_file,
    outcome::{Outcome, finish, image_note},
    route::{Object, bootstrap, objects},
};
use crate::{
    adopt::{AdoptArgs, args::Form, notes, options},
    command::{Done, Finished},
};

/// The port of the admin interface in Envoy Gateway's proxies, on 127.0.0.1.
const ADMIN_PORT: u16 = 19000;

/// The place of the image if nothing names one.
const IMAGE: &str = concat!("registry.example.com/spillgate:", env!("CARGO_PKG_VERSION"));

/// Runs the command for objects of the Gateway API. `own`: the texts with objects of an earlier run.
///
/// # Errors
/// Everything that cannot be carried over, with its place.
pub(super) fn run(args: &AdoptArgs, own: Vec<NamedText>, texts: Vec<NamedText>) -> Finished {
    let file = objects_file(own, &texts)?;
    check_options(args, &texts)?;
    let [routes, gateways, policies] =
        objects(&texts, ["HTTPRoute", "Gateway", "BackendTrafficPolicy"])?;
    let route = chosen(args, &routes, &texts)?;
    let (gateway, section) = gateway_of(route, &gateways)?;
    let before = bootstrap(route, policy_of(route, gateway, &policies))?;
    let changes = adopt_generated(&before, ADMIN_PORT, &options(args)?).map_err(|faults| {
        let mut all = Faults::default();
        for fault in faults {
            all.push(&route.file, &route.fault(None, &fault.message));
        }
        all
    })?;
    let (listeners, route_configs) = names(gateway, section);
    if listeners.is_empty() {
        let what = "the Gateway has no listener for HTTP that the route names";
        return Err(gateway.faults(&gateway.fault(None, what)));
    }
    let present = file.spec("EnvoyExtensionPolicy", "wasm");
    let present = present.and_then(|wasm| wasm.pointer("/0/code"));
    let present = present.and_then(|code| {
        let url = code.pointer("/image/url").or(code.pointer("/http/url"));
        url?.as_str()
    });
    let target = AdoptRoute {
        namespace: route.meta("namespace").into(),
        name: route.meta("name").into(),
        gateway: (
            gateway.meta("namespace").into(),
            gateway.meta("name").into(),
        ),
        listeners,
        route_configs,
        url: args.url.as_deref().or(present).unwrap_or(IMAGE).into(),
    };
    let mut lines = notes(&changes.adopted, &args.form_of_plan()?);
    lines.extend(image_note(args, &target.url));
    lines.push("EnvoyPatchPolicy must be on (extensionApis.enableEnvoyPatchPolicy), without XDSNameSchemeV2".into());
    let unread = "not read: trafficDistribution of Services (zone-aware clusters lose it) and mergeBackends of EnvoyProxy \
        (clusters have other names)";
    lines.push(unread.into());
    lines.push("labels of the metrics: envoy-config/envoy-gateway/envoyproxy.yaml".into());
    let outcome = Outcome {
        texts: &texts,
        file: &file,
        before: &before,
        objects: gateway_objects(&changes, &target),
        changes: &changes,
        notes: lines,
    };
    finish(args, outcome, Done::default())
}

/// Options that mean nothing here.
fn check_options(args: &AdoptArgs, texts: &[NamedText]) -> Result<(), Faults> {
    let what = if args.form == Form::Module {
        "--form module: adopt writes no dynamic modules for Envoy Gateway; use --form wasm, or write them by hand \
         (spillgate explain-code adopt/option)"
    } else if !(args.criteria.is_empty() && args.chain.is_empty()) {
        "--criteria and --chain: hosts of Envoy Gateway have no metadata in envoy.lb, so no criterion could match"
    } else if args.listener.is_some() || args.workload.is_some() {
        "--listener and --workload: the policies name the route and its Gateway"
    } else if !args.clusters.is_empty() {
        "--cluster: the policy is for all rules of the route"
    } else {
        return Ok(());
    };
    let name = texts.first().map_or("-", |text| text.name.as_str());
    Err(Faults::one(name, &Diagnostic::error("adopt/option", what)))
}

/// The route of `--as`, or the only one.
fn chosen<'o>(
    args: &AdoptArgs,
    routes: &'o [Object],
    texts: &[NamedText],
) -> Result<&'o Object, Faults> {
    let full = |route: &Object| format!("{}/{}", route.meta("namespace"), route.meta("name"));
    let is_named = |route: &&Object| {
        args.view
            .as_deref()
            .is_none_or(|name| route.meta("name") == name || full(route) == name)
    };
    let found: Vec<&Object> = routes.iter().filter(is_named).collect();
    match found.as_slice() {
        [only] => Ok(only),
        _ => {
            let name = texts.first().map_or("-", |text| text.name.as_str());
            let names: Vec<String> = routes.iter().map(full).collect();
            let fault = Diagnostic::error("input/no-view", "the policies are for one HTTPRoute");
            let fault = match names.as_slice() {
                [] => fault.found("none"),
                names => fault.expected(format!("--as with one of {}", names.join(", "))),
            };
            Err(Faults::one(name, &fault))
        }
    }
}

/// The Gateway of a route, and the listener that it names.
fn gateway_of<'o>(
    route: &'o Object,
    gateways: &'o [Object],
) -> Result<(&'o Object, Option<&'o str>), Faults> {
    let text = |parent: &'o Value, field: &str| parent.get(field).and_then(Value::as_str);
    let parents = route.items("/spec/parentRefs").iter();
    let parents: Vec<&Value> = parents
        .filter(|parent| text(parent, "kind").is_none_or(|kind| kind == "Gateway"))
        .collect();
    let [parent] = parents.as_slice() else {
        let what =
            "the EnvoyPatchPolicy is for one Gateway, and so must be the parentRefs of the route";
        return Err(route.faults(&route.fault(None, what)));
    };
    let namespace = text(parent, "namespace").unwrap_or_else(|| route.meta("namespace"));
    let name = text(parent, "name").unwrap_or("");
    let found = gateways
        .iter()
        .find(|gateway| gateway.meta("name") == name && gateway.meta("namespace") == namespace);
    match found {
        Some(gateway) if is_of_istio(gateway) => Err(refused(gateway)),
        Some(gateway) => Ok((gateway, text(parent, "sectionName"))),
        None => {
            let what = "the names of Envoy's listeners follow from the Gateway, which no document describes";
            let fault = route.fault(None, what).found(format!("{namespace}/{name}"));
            Err(route.faults(&fault.expected("the Gateway as a further CONFIG")))
        }
    }
}

/// The BackendTrafficPolicy of a route, or that of its Gateway.
fn policy_of<'o>(route: &Object, gateway: &Object, policies: &'o [Object]) -> Option<&'o Object> {
    let is_for = |policy: &&Object, kind: &str, of: &Object| {
        let one = policy.value.pointer("/spec/targetRef");
        let mut targets = one.into_iter().chain(policy.items("/spec/targetRefs"));
        policy.meta("namespace") == of.meta("namespace")
            && targets.any(|target| {
                target.get("kind").and_then(Value::as_str) == Some(kind)
                    && target.get("name").and_then(Value::as_str) == Some(of.meta("name"))
            })
    };
    let mut of_route = policies
        .iter()
        .filter(|policy| is_for(policy, "HTTPRoute", route));
    let mut of_gateway = policies
        .iter()
        .filter(|policy| is_for(policy, "Gateway", gateway));
    of_route.next().or_else(|| of_gateway.next())
}

/// The names of Envoy's listeners and route configurations for the listeners of a Gateway: those of one port
/// are one listener of Envoy, with the name of the first; those for HTTP also share their routes.
fn names(gateway: &Object, section: Option<&str>) -> (Vec<String>, Vec<String>) {
    let text = |listener: &Value, field: &str| {
        let value = listener.get(field).and_then(Value::as_str);
        value.unwrap_or("").to_owned()
    };
    let all = gateway.items("/spec/listeners");
    let full = |listener: &Value| {
        let (namespace, own) = (gateway.meta("namespace"), gateway.meta("name"));
        format!("{namespace}/{own}/{}", text(listener, "name"))
    };
    let (mut listeners, mut routes) = (Vec::new(), Vec::new());
    let push = |list: &mut Vec<String>, name: String| {
        if !list.contains(&name) {
            list.push(name);
        }
    };
    for listener in all {
        let protocol = text(listener, "protocol");
        let is_named = section.is_none_or(|section| text(listener, "name") == section);
        if !is_named || !matches!(protocol.as_str(), "HTTP" | "HTTPS") {
            continue;
        }
        let port = listener.get("port");
        let first = all.iter().find(|other| other.get("port") == port);
        let first = full(first.unwrap_or(listener));
        push(
            &mut routes,
            if protocol == "HTTP" {
                first.clone()
            } else {
                full(listener)
            },
        );
        push(&mut listeners, first);
    }
    (listeners, routes)
}
