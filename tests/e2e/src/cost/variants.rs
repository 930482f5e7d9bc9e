//! The filters that are compared: one Envoy, a listener each, the same hosts behind all.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm;
use spillgate_core::model::{Cluster, MaglevConfig, Policy};

use super::modules::{self, MODULE_COOKIE, ModuleTask};
use super::version::{VERSION_HEADER, label_v1};
use crate::config::{
    Bootstrap, CLUSTER_HEADER, HOST_HEADER, KEY_HEADER, aggregate, hash_policy,
    host_list_to_metadata, http_listener, native, our_filters_in, plain, priority, steered,
    to_cluster_by_header, wasm,
};
use crate::sessions::{COOKIE as OUR_COOKIE, native_sessions, sticky};
use crate::{Guest, Hostcall, Port, Workdir, fresh_secret};

/// How often a guest makes its hostcall a request: one alone would be lost in the noise.
pub(super) const REPEATED: u32 = 40;
/// The trace header of our filter.
const TRACE_HEADER: &str = "x-spillgate-trace";
/// The cookie of the native session.
const COOKIE: &str = "session";
/// The header of a client that steers itself. Only [`Variant::Steered`] uses it.
const GIVEN_HOSTS: &str = "x-given-hosts";
const GIVEN_CLUSTER: &str = "x-given-cluster";
/// Users whose requests alternate.
pub(super) const USERS: usize = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    /// What every sample is held against.
    Nothing,
    /// The same again: what differs here is noise.
    Control,
    /// A module without a callback.
    Absent,
    /// Callbacks that do nothing.
    Idle,
    /// The hostcalls of our filter, and nothing decided.
    OurCalls,
    /// Envoy's own: `header_to_metadata`, a subset, a session.
    Native,
    /// The same without a session: the subset chooses every time.
    Subset,
    /// The cost of a request that was steered before: `header_to_metadata`,
    /// `override_host`, `cluster_header`. Lua and our filter need it too.
    Steered,
    /// What our filter does, in Lua.
    Lua,
    /// Our filter, where it strips responses itself.
    Stripping,
    /// Our filter, where the route strips responses.
    Ours,
    /// `Ours` with a session in a cookie that stays, and a subset from a header.
    Sessions,
    /// The dynamic module.
    Module(ModuleTask),
    /// One hostcall, many times.
    Calls(Hostcall),
}

impl Variant {
    /// All that are held against [`Variant::Nothing`].
    pub(super) fn measured(hostcalls: bool) -> Vec<Self> {
        let mut all = vec![
            Self::Control,
            Self::Absent,
            Self::Idle,
            Self::OurCalls,
            Self::Native,
            Self::Subset,
            Self::Steered,
            Self::Lua,
            Self::Stripping,
            Self::Ours,
            Self::Sessions,
        ];
        all.extend(ModuleTask::ALL.map(Self::Module));
        if hostcalls {
            all.extend(Hostcall::ALL.map(Self::Calls));
        }
        all
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "no filter",
            Self::Control => "no filter again (A/A control)",
            Self::Absent => "wasm, no callback of a request",
            Self::Idle => "wasm, callbacks that do nothing",
            Self::OurCalls => "wasm, our hostcalls and nothing decided",
            Self::Native => "header_to_metadata + subset + stateful_session",
            Self::Subset => "header_to_metadata + subset, no session",
            Self::Steered => "header_to_metadata + override_host + cluster_header",
            Self::Lua => "Lua, the same decision and headers",
            Self::Stripping => "spillgate.wasm, which strips responses itself",
            Self::Ours => "spillgate.wasm",
            Self::Sessions => "spillgate.wasm, a session kept in a subset",
            Self::Module(task) => task.name(),
            Self::Calls(call) => call.name(),
        }
    }

    /// The highest passing ratio to [`Variant::Idle`].
    pub(super) const fn limit(self) -> Option<f64> {
        match self {
            Self::Ours => Some(2.8),
            Self::Sessions => Some(3.8),
            _ => None,
        }
    }

    /// Its filters before the router.
    fn filters(self, workdir: &Workdir, clusters: &Clusters) -> Result<Vec<Value>> {
        let guest = |guest: Guest, name: &str| -> Result<Vec<Value>> {
            let module = guest.write(workdir, &format!("{name}.wasm"))?;
            Ok(vec![wasm_filter(&wasm(&module, name, "FAIL_CLOSED", ""))])
        };
        Ok(match self {
            Self::Nothing | Self::Control => Vec::new(),
            Self::Absent => guest(Guest::Absent, "absent")?,
            Self::Idle => guest(Guest::Idle, "idle")?,
            Self::OurCalls => guest(Guest::OurCalls, "our-calls")?,
            Self::Calls(call) => guest(Guest::Calls(call, REPEATED), &format!("{call:?}"))?,
            Self::Module(task) => task.filters(&clusters.members)?,
            Self::Native => native_filters(),
            Self::Subset => vec![to_metadata(VERSION_HEADER, "envoy.lb", "version")],
            Self::Steered => vec![to_metadata(GIVEN_HOSTS, "spillgate", "host")],
            Self::Lua => vec![lua(clusters)?, host_list_to_metadata()],
            Self::Stripping => our_filters_in("stripping", &configuration(clusters)?)?,
            Self::Ours => our_filters_in("ours", &stripped_by_route(configuration(clusters)?))?,
            Self::Sessions => {
                let configuration = stripped_by_route(configuration(clusters)?);
                our_filters_in("sessions", &with_sessions(configuration)?)?
            }
        })
    }

    /// The chain of Envoy's own filters with the same task.
    pub(super) const fn native_peer(self) -> Self {
        match self {
            Self::Module(ModuleTask::Criteria) => Self::Subset,
            _ => Self::Native,
        }
    }

    fn route(self, clusters: &Clusters) -> Value {
        match self {
            Self::Module(task) => task.route(&clusters.members),
            Self::Lua | Self::Stripping => to_cluster_by_header(),
            Self::Ours | Self::Sessions => {
                let mut route = to_cluster_by_header();
                route["response_headers_to_remove"] =
                    json!([HOST_HEADER, CLUSTER_HEADER, TRACE_HEADER]);
                route
            }
            Self::Native | Self::Subset => to("subsets"),
            Self::Steered => {
                let mut route = to_cluster_by_header();
                route["route"]["cluster_header"] = json!(GIVEN_CLUSTER);
                route
            }
            _ => to("plain"),
        }
    }
}

/// Two members of an aggregate, and what the other variants use.
pub(super) struct Clusters {
    members: [Cluster; 2],
    port: u16,
}

impl Clusters {
    pub(super) fn new(port: u16) -> Result<Self> {
        let member = |name, network| -> Result<Cluster> {
            let policy = Policy::Maglev(MaglevConfig::default());
            Ok(plain(name, policy, vec![priority(network, port, "hhhhh")?]))
        };
        Ok(Self {
            members: [
                member("primary", "127.4.0")?,
                member("secondary", "127.4.1")?,
            ],
            port,
        })
    }

    /// The addresses of the hosts that serve.
    pub(super) fn hosts(&self) -> impl Iterator<Item = String> {
        let port = self.port;
        (1..=5).map(move |host| format!("127.4.0.{host}:{port}"))
    }
}

/// The whole bootstrap: a listener for each variant, at its port.
pub(super) fn bootstrap(
    workdir: &Workdir,
    clusters: &Clusters,
    listeners: &[(Variant, Port)],
) -> Result<Bootstrap> {
    let mut bootstrap = Bootstrap::new();
    for (number, (variant, port)) in listeners.iter().enumerate() {
        bootstrap = bootstrap.listener(http_listener(
            &format!("listener-{number}"),
            port.number(),
            &[variant.route(clusters)],
            variant.filters(workdir, clusters)?,
        ));
    }
    let primary = &clusters.members[0];
    let hosts = native(primary)?["load_assignment"].take();
    let mut plain = json!({
        "name": "plain", "type": "STATIC", "connect_timeout": "2s", "load_assignment": hosts,
    });
    plain["load_assignment"]["cluster_name"] = json!("plain");
    bootstrap = bootstrap.cluster(subsets(&plain)).cluster(plain);
    for member in &clusters.members {
        bootstrap = bootstrap.cluster(steered(FilterForm::Wasm, member)?);
    }
    for cluster in modules::clusters(&clusters.members)? {
        bootstrap = bootstrap.cluster(cluster);
    }
    Ok(bootstrap)
}

/// The same requests for every variant, as a browser sends them; `sessions` are the users' own: the
/// native chain's, and those of both forms of our filter.
pub(super) fn requests(clusters: &Clusters, sessions: &[[String; 3]]) -> Vec<Vec<u8>> {
    let hosts: Vec<String> = clusters.hosts().collect();
    let request = |(user, [native, ours, module]): (usize, &[String; 3])| {
        let list: Vec<&str> = (user..user + 3)
            .map(|host| hosts[host % hosts.len()].as_str())
            .collect();
        format!(
            "GET /catalog/items?page=2 HTTP/1.1\r\n\
             host: shop.example\r\n\
             user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n\
             accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n\
             accept-language: en-US,en;q=0.5\r\n\
             accept-encoding: gzip, deflate, br\r\n\
             referer: http://shop.example/catalog\r\n\
             {KEY_HEADER}: user-{user}\r\n\
             {VERSION_HEADER}: v1\r\n\
             {GIVEN_HOSTS}: {}\r\n\
             {GIVEN_CLUSTER}: primary\r\n\
             cookie: {COOKIE}={native}; {OUR_COOKIE}={ours}; {MODULE_COOKIE}={module}\r\n\r\n",
            list.join(",")
        )
        .into_bytes()
    };
    sessions.iter().enumerate().map(request).collect()
}

/// What begins a session in the native chain, and in ours.
pub(super) const BEGINS: [(&str, &str); 4] = [
    (KEY_HEADER, "user-1"),
    (VERSION_HEADER, "v1"),
    (GIVEN_HOSTS, "127.4.0.1:1"),
    (GIVEN_CLUSTER, "primary"),
];

/// The value of the session that an answer begins.
pub(super) fn session_of(set_cookie: &str) -> Result<String> {
    let pair = set_cookie.split(';').next();
    let value = pair
        .and_then(|pair| pair.split_once('='))
        .filter(|(name, _)| [COOKIE, OUR_COOKIE, MODULE_COOKIE].contains(name));
    let (_, value) = value.with_context(|| format!("`{set_cookie}` begins no session"))?;
    Ok(value.trim_matches('"').to_owned())
}

fn to(cluster: &str) -> Value {
    json!({
        "match": {"prefix": "/"},
        "request_headers_to_remove": [CLUSTER_HEADER],
        "route": {"cluster": cluster, "hash_policy": hash_policy()},
    })
}

fn wasm_filter(typed_config: &Value) -> Value {
    json!({"name": "envoy.filters.http.wasm", "typed_config": typed_config})
}

/// The subset of a header's version, and a session within it.
fn native_filters() -> Vec<Value> {
    vec![
        to_metadata(VERSION_HEADER, "envoy.lb", "version"),
        native_sessions(COOKIE),
    ]
}

fn to_metadata(header: &str, namespace: &str, key: &str) -> Value {
    json!({
        "name": "envoy.filters.http.header_to_metadata",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.header_to_metadata.v3.Config",
            "request_rules": [{
                "header": header,
                "on_header_present": {"metadata_namespace": namespace, "key": key, "type": "STRING"},
                "remove": false,
            }],
        },
    })
}

/// The same hosts, all of version v1.
fn subsets(plain: &Value) -> Value {
    let mut cluster = plain.clone();
    cluster["name"] = json!("subsets");
    cluster["load_assignment"]["cluster_name"] = json!("subsets");
    of_version_v1(&mut cluster);
    cluster
}

/// Labels the hosts of a cluster, and makes subsets of the label.
fn of_version_v1(cluster: &mut Value) {
    cluster["lb_subset_config"] = json!({
        "fallback_policy": "NO_FALLBACK",
        "subset_selectors": [{"keys": ["version"]}],
    });
    label_v1(cluster);
}

/// The same, with responses stripped by the route.
fn stripped_by_route(mut configuration: Value) -> Value {
    configuration["output"]["route_strips_response_headers"] = json!(true);
    configuration
}

/// As in `envoy-config/demo`, including a trace for requests with the secret.
fn configuration(clusters: &Clusters) -> Result<Value> {
    let mut all = clusters
        .members
        .iter()
        .map(native)
        .collect::<Result<Vec<_>>>()?;
    all.push(native(&aggregate("shop", &["primary", "secondary"]))?);
    Ok(json!({
        "clusters": all,
        "target": "shop",
        "hash_policy": hash_policy(),
        "trace": {"header": TRACE_HEADER, "when": {"header": "x-spillgate-debug", "value": "demo-trace-secret"}},
    }))
}

/// The same with what the native chain has: a subset from a header, and sessions in a cookie.
fn with_sessions(mut configuration: Value) -> Result<Value> {
    let clusters = configuration["clusters"].as_array_mut();
    for cluster in clusters.into_iter().flatten() {
        if cluster["load_assignment"].is_object() {
            of_version_v1(cluster);
        }
    }
    configuration["criteria"] = json!([{"key": "version", "header": VERSION_HEADER}]);
    configuration["affinity"] = sticky(&[(1, &fresh_secret()?)]);
    // Sessions begin under another authority than the one that is measured.
    configuration["affinity"]["scope"] = json!("shop");
    Ok(configuration)
}

/// The client's copies dropped, a hash of the key, three hosts of a table, both headers written,
/// nothing of it on the way back.
fn lua(clusters: &Clusters) -> Result<Value> {
    let hosts: Vec<String> = clusters.hosts().map(|host| format!("\"{host}\"")).collect();
    let code = LUA
        .replace("HOSTS", &hosts.join(", "))
        .replace("HOST_HEADER", HOST_HEADER)
        .replace("CLUSTER_HEADER", CLUSTER_HEADER)
        .replace("KEY_HEADER", KEY_HEADER);
    Ok(json!({
        "name": "envoy.filters.http.lua",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua",
            "default_source_code": {"inline_string": code},
        },
    }))
}

const LUA: &str = r#"
local hosts = {HOSTS}
local internal = {"HOST_HEADER", "CLUSTER_HEADER", "x-spillgate-trace"}
function envoy_on_request(handle)
  local headers = handle:headers()
  for _, name in ipairs(internal) do headers:remove(name) end
  headers:remove("x-spillgate-debug")
  local key = headers:get("KEY_HEADER") or ""
  local hash = 5381
  for at = 1, #key do hash = (hash * 33 + string.byte(key, at)) % 4294967296 end
  local first, count = hash % #hosts, #hosts
  headers:replace("HOST_HEADER", hosts[first + 1] .. "," .. hosts[(first + 1) % count + 1] .. "," .. hosts[(first + 2) % count + 1])
  headers:replace("CLUSTER_HEADER", "primary")
end
function envoy_on_response(handle)
  local headers = handle:headers()
  for _, name in ipairs(internal) do headers:remove(name) end
end
"#;
