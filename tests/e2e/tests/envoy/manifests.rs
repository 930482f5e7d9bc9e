//! The Kubernetes resources in `envoy-config/`: they fit the published schemas of their kinds, and
//! Envoy and the filter accept their content.
//!
//! The tests combine the parts as a control plane does; no control plane runs.

use std::fs;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};
use spillgate_e2e::{Need, Workdir, documents, needed, refusal};
use spillgate_testkit::repository;

const ROUTER: &str = "envoy.filters.http.router";

#[test]
fn resources_for_istio_fit_their_schema() -> Result<()> {
    for file in ["istio/wasmplugin.yaml", "istio/envoyfilter.yaml"] {
        fits("istio", file)?;
    }
    Ok(())
}

#[test]
fn resources_for_envoy_gateway_fit_their_schema() -> Result<()> {
    for file in [
        "envoy-gateway/extensionpolicy.yaml",
        "envoy-gateway/patchpolicy.yaml",
        "envoy-gateway/envoyproxy.yaml",
    ] {
        fits("envoy-gateway", file)?;
    }
    Ok(())
}

#[test]
fn resources_for_kuma_fit_their_schema() -> Result<()> {
    fits("kuma", "kuma/meshproxypatch.yaml")
}

/// The results of `adopt` in the tests of the command line.
#[test]
fn adopted_objects_fit_their_schema() -> Result<()> {
    for (schema, file, count) in [
        ("istio", "adopt-istio-weighted.diff", 2),
        ("istio", "adopt-istio-hash.diff", 2),
        ("envoy-gateway", "adopt-envoy-gateway.diff", 2),
    ] {
        let schema: Value =
            serde_json::from_str(&read(&format!("tests/e2e/schemas/{schema}.json"))?)?;
        let validator = jsonschema::validator_for(&schema)?;
        let diff = read(&format!("cli/tests/cli/golden/{file}"))?;
        let lines = diff
            .lines()
            .skip(3)
            .filter_map(|line| line.strip_prefix('+'));
        let objects = documents(&lines.collect::<Vec<_>>().join("\n"))?;
        ensure!(objects.len() == count, "{file} has {}", objects.len());
        for object in &objects {
            let faults = validator.iter_errors(object).map(|one| one.to_string());
            let faults: Vec<String> = faults.collect();
            ensure!(faults.is_empty(), "{file}: {faults:#?}");
        }
    }
    Ok(())
}

/// A base lists exactly the other resources of its folder.
#[test]
fn kustomize_bases_list_the_resources() -> Result<()> {
    for name in ["istio", "envoy-gateway", "kuma"] {
        let file = format!("{name}/kustomization.yaml");
        let base = resource(&file)?;
        let schema: Value = serde_json::from_str(&read("tests/e2e/schemas/kustomize.json")?)?;
        let validator = jsonschema::validator_for(&schema)?;
        let faults: Vec<String> = validator
            .iter_errors(&base)
            .map(|one| one.to_string())
            .collect();
        ensure!(faults.is_empty(), "{file}: {faults:#?}");
        let folder = repository().join("envoy-config");
        let mut others = Vec::new();
        for entry in fs::read_dir(folder.join(name))? {
            let other = entry?.file_name().to_string_lossy().into_owned();
            if other.ends_with(".yaml") && other != "kustomization.yaml" {
                others.push(Value::from(other));
            }
        }
        others.sort_by_key(ToString::to_string);
        ensure!(base["resources"] == Value::from(others), "{file}: {base}");
    }
    Ok(())
}

#[test]
fn envoy_accepts_the_kuma_resource() -> Result<()> {
    let policy = resource("kuma/meshproxypatch.yaml")?;
    let changes = list(&policy["spec"]["default"]["appendModifications"])?;
    let configuration = changes
        .iter()
        .find_map(|change| {
            let value = content(&change["httpFilter"]).ok()?;
            let configuration = &value["typed_config"]["config"]["configuration"]["value"];
            (!configuration.is_null()).then(|| configuration.clone())
        })
        .context("no filter")?;
    let mut parts = Parts::new("kuma", &configuration, Value::Null)?;
    // The policy brings the filter itself; the parts know where this build of it is.
    let shipped = parts.manager["http_filters"][0].clone();
    let filters = parts.manager["http_filters"].as_array_mut();
    filters.context("no filters")?.remove(0);
    for change in changes {
        let (kind, change) = change
            .as_object()
            .and_then(|one| one.iter().next())
            .context("no change")?;
        let mut value = content(change)?;
        let name = &change["match"]["name"];
        match (kind.as_str(), change["operation"].as_str()) {
            ("networkFilter", Some("Patch")) => merge(&mut parts.manager, &value["typed_config"]),
            ("httpFilter", Some("AddBefore")) if *name == ROUTER => {
                let code = "/typed_config/config/vm_config/code";
                if let Some(code_of_policy) = value.pointer_mut(code) {
                    *code_of_policy = shipped.pointer(code).context("no code")?.clone();
                }
                parts.before_router(&value)?;
            }
            ("cluster", Some("Patch")) if *name == parts.cluster["name"] => {
                merge(&mut parts.cluster, &value);
            }
            ("cluster", Some("Add")) => parts.further.push(value),
            other => bail!("{other:?} is not played here"),
        }
    }
    // A MeshProxyPatch has no part for the bootstrap; Kuma's metrics come without these tags.
    parts.bootstrap = json!({"stats_config": manual_tags()?});
    parts.are_accepted()
}

/// The Envoy message in a modification.
fn content(change: &Value) -> Result<Value> {
    let text = change["value"].as_str().context("no value")?;
    Ok(documents(text)?.remove(0))
}

#[test]
fn envoy_accepts_the_istio_resources() -> Result<()> {
    let plugin = resource("istio/wasmplugin.yaml")?;
    let config = &plugin["spec"]["pluginConfig"];
    let mut parts = Parts::new("istio", config, plugin["spec"]["failStrategy"].clone())?;
    let patches = resource("istio/envoyfilter.yaml")?;
    for patch in list(&patches["spec"]["configPatches"])? {
        let (operation, value) = (&patch["patch"]["operation"], &patch["patch"]["value"]);
        match (patch["applyTo"].as_str(), operation.as_str()) {
            (Some("NETWORK_FILTER"), Some("MERGE")) => {
                merge(&mut parts.manager, &value["typed_config"]);
            }
            (Some("HTTP_FILTER"), Some("INSERT_BEFORE")) => parts.before_router(value)?,
            (Some("CLUSTER"), Some("MERGE")) => merge(&mut parts.cluster, value),
            (Some("CLUSTER"), Some("ADD")) => parts.further.push(value.clone()),
            (Some("BOOTSTRAP"), Some("MERGE")) => merge(&mut parts.bootstrap, value),
            other => bail!("{other:?} is not played here"),
        }
    }
    parts.are_accepted()
}

#[test]
fn envoy_accepts_the_envoy_gateway_resources() -> Result<()> {
    let policy = resource("envoy-gateway/extensionpolicy.yaml")?;
    let config = &policy["spec"]["wasm"][0]["config"];
    let mut parts = Parts::new("envoy-gateway", config, Value::Null)?;
    let patches = resource("envoy-gateway/patchpolicy.yaml")?;
    for patch in list(&patches["spec"]["jsonPatches"])? {
        let operation = &patch["operation"];
        ensure!(operation["op"] == "add", "{operation} is not played here");
        let path = operation["path"].as_str().unwrap_or_default();
        let field = path.trim_start_matches('/');
        let value = operation["value"].clone();
        let place = operation["jsonPath"].as_str().unwrap_or_default();
        if place.contains("http_connection_manager") {
            parts.manager[field] = value;
        } else if place.contains(ROUTER) {
            parts.before_router(&value)?;
        } else if place.contains("envoy.filters.http.wasm/") {
            parts.manager["http_filters"][0]["typed_config"]["config"][field] = value;
        } else if patch["name"] == parts.cluster["name"] {
            parts.cluster[field] = value;
        } else {
            ensure!(path.is_empty(), "{operation} is not played here");
            parts.further.push(value);
        }
    }
    let proxy = resource("envoy-gateway/envoyproxy.yaml")?;
    let bootstrap = &proxy["spec"]["bootstrap"];
    ensure!(
        bootstrap["type"] == "Merge",
        "{bootstrap}: this test supports only the type Merge"
    );
    let text = bootstrap["value"].as_str().context("no bootstrap")?;
    for document in documents(text)? {
        merge(&mut parts.bootstrap, &document);
    }
    parts.are_accepted()
}

/// What a control plane would make of its own resources, as far as patches meet it.
struct Parts {
    name: &'static str,
    manager: Value,
    cluster: Value,
    further: Vec<Value>,
    bootstrap: Value,
    configuration: String,
}

impl Parts {
    /// A listener with the filter, and the cluster that the filter balances.
    fn new(name: &'static str, configuration: &Value, on_failure: Value) -> Result<Self> {
        let configuration = configuration.to_string();
        let target = target(&configuration)?;
        let cluster =
            json!({"name": target, "type": "STATIC", "load_assignment": {"cluster_name": target}});
        let router = json!({"name": ROUTER, "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}});
        let mut plugin = json!({
            "name": "spillgate",
            "vm_config": {
                "runtime": "envoy.wasm.runtime.v8",
                "code": {"local": {"filename": needed(Need::FilterWasm)?}},
            },
            "configuration": {
                "@type": "type.googleapis.com/google.protobuf.StringValue",
                "value": configuration,
            },
        });
        if !on_failure.is_null() {
            plugin["failure_policy"] = on_failure;
        }
        let filter = json!({"name": "spillgate", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm",
            "config": plugin}});
        let manager = json!({
            "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
            "stat_prefix": "gateway",
            "route_config": {"virtual_hosts": [{"name": "shop", "domains": ["*"], "routes": [
                {"match": {"prefix": "/"}, "route": {"cluster": cluster["name"]}},
            ]}]},
            "http_filters": [filter, router],
        });
        Ok(Self {
            name,
            manager,
            cluster,
            further: Vec::new(),
            bootstrap: json!({}),
            configuration,
        })
    }

    fn before_router(&mut self, filter: &Value) -> Result<()> {
        let filters = self.manager["http_filters"]
            .as_array_mut()
            .context("no filters")?;
        let router = filters.iter().position(|filter| filter["name"] == ROUTER);
        filters.insert(router.context("no router")?, filter.clone());
        Ok(())
    }

    /// Envoy takes all of it, and not just anything; the filter takes its configuration.
    fn are_accepted(mut self) -> Result<()> {
        for (field, what) in [
            ("early_header_mutation_extensions", &self.manager),
            ("load_balancing_policy", &self.cluster),
        ] {
            ensure!(!what[field].is_null(), "no patch gave {field}");
        }
        let admin = self
            .further
            .iter()
            .any(|one| one["name"] == "spillgate_admin");
        ensure!(admin, "no patch gave the admin's cluster");
        let tags = &self.bootstrap["stats_config"];
        ensure!(
            *tags == manual_tags()?,
            "{}: the manual has other stats_tags than {tags}",
            self.name
        );
        if let Err(faults) = spillgate_config::filter::read(&self.configuration) {
            bail!("{}: the filter finds {faults:#?}", self.name);
        }
        let workdir = Workdir::new(&format!("manifests-{}", self.name))?;
        let text = self.bootstrap();
        if let Some(message) = refusal(&workdir, "bootstrap.json", &text)? {
            bail!("{}: Envoy refuses it: {message}", self.name);
        }
        let policy = "/load_balancing_policy/policies/0/typed_extension_config/typed_config";
        let policy = self.cluster.pointer_mut(policy).context("no policy")?;
        policy["no_such_field"] = json!(true);
        let text = self.bootstrap();
        let refused = refusal(&workdir, "broken.json", &text)?;
        let message = refused.context("Envoy accepts an unknown field")?;
        ensure!(
            message.contains("no_such_field"),
            "unexpected message: {message}"
        );
        Ok(())
    }

    fn bootstrap(&self) -> String {
        let mut clusters = self.further.clone();
        clusters.push(self.cluster.clone());
        let mut bootstrap = json!({
            "node": {"id": self.name, "cluster": self.name},
            "static_resources": {
                "listeners": [{
                    "name": "gateway",
                    "address": {"socket_address": {"address": "127.0.0.1", "port_value": 0}},
                    "filter_chains": [{"filters": [{
                        "name": "envoy.filters.network.http_connection_manager",
                        "typed_config": self.manager,
                    }]}],
                }],
                "clusters": clusters,
            },
        });
        merge(&mut bootstrap, &self.bootstrap);
        bootstrap.to_string()
    }
}

/// The `stats_config` of the manual, which the dashboard needs.
fn manual_tags() -> Result<Value> {
    let manual = read("docs/operations.md")?;
    let start = manual.find("stats_config:\n").context("no stats_config")?;
    let text = manual[start..].split("```").next().context("no end")?;
    Ok(documents(text)?.remove(0)["stats_config"].clone())
}

fn target(configuration: &str) -> Result<Value> {
    let configuration: Value = serde_json::from_str(configuration)?;
    let target = &configuration["target"];
    ensure!(target.is_string(), "the filter has no target");
    Ok(target.clone())
}

/// A field of objects is set, items of lists are added, as protobuf merges messages.
fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (name, value) in from {
                merge(into.entry(name).or_insert(Value::Null), value);
            }
        }
        (Value::Array(into), Value::Array(from)) => into.extend(from.iter().cloned()),
        (into, from) => *into = from.clone(),
    }
}

fn fits(schema: &str, file: &str) -> Result<()> {
    let path = format!("tests/e2e/schemas/{schema}.json");
    let schema: Value = serde_json::from_str(&read(&path)?)?;
    let validator = jsonschema::validator_for(&schema)?;
    let whole = resource(file)?;
    let faults: Vec<String> = validator
        .iter_errors(&whole)
        .map(|one| one.to_string())
        .collect();
    ensure!(faults.is_empty(), "{file}: {faults:#?}");
    let mut wrong = whole.clone();
    wrong["spec"]["noSuchField"] = json!(true);
    ensure!(!validator.is_valid(&wrong), "{path} takes an unknown field");
    Ok(())
}

fn resource(file: &str) -> Result<Value> {
    let mut documents = documents(&read(&format!("envoy-config/{file}"))?)?;
    ensure!(documents.len() == 1, "{file} has {}", documents.len());
    Ok(documents.remove(0))
}

fn read(file: &str) -> Result<String> {
    let path = repository().join(file);
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

fn list(value: &Value) -> Result<&Vec<Value>> {
    value.as_array().context("a list is expected")
}
