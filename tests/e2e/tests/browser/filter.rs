//! The shipped filter in the playground: its decisions are those of the model, and those of the command.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_config::write::envoy_json;
use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, PanicThreshold, PlainCluster, Policy, SelectionMethod,
    Value as Label,
};
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Need, Workdir, needed, spillgate};
use spillgate_export::{
    ExportSource, FileFormat, ScenarioQuestion, ShippedConfig, ShippedNeeds, write_file,
};
use spillgate_scenario::{EditedScenario, ShippedRequest};
use spillgate_testkit::models::{Dice, Extent, plain};
use spillgate_testkit::{amount, figure};

/// Random scenarios, in short and in full form.
const SCENARIOS: [u64; 2] = [60, 1_000];
/// Scenarios of one script.
const BATCH: usize = 10;
/// A label of a criterion that the playground turns into one without hosts.
const NO_VALUE: &str = "a value that no host has";

/// Imports each scenario, which opens the Trace screen with its request, and returns its results.
const SHOW: &str = r#"
const pause = () => new Promise((done) => setTimeout(done, 2));
const find = (name) => [...document.querySelectorAll(`[data-test="${name}"]`)];
const texts = (name) => find(name).map((element) => element.textContent);
async function until(holds) {
  const end = performance.now() + 30000;
  while (!holds() && performance.now() < end) await pause();
}
async function show(config) {
  find("import")[0].click();
  await until(() => find("import-text")[0]);
  const [area] = find("import-text");
  area.value = config;
  area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  await pause(); // Until the page has drawn that the text is new, the button is that of the earlier one.
  await until(() => find("import-apply")[0]?.disabled === false);
  find("import-apply")[0]?.click();
  await until(() => !document.querySelector("dialog"));
  await until(() => find("filter")[0]?.getAttribute("aria-busy") === "false");
  return { sentence: texts("filter-sentence").join(), json: texts("filter-json"), headline: texts("trace-headline").join() };
}
return (async () => {
  const shown = [];
  for (const config of arguments[0]) shown.push(await show(config));
  return shown;
})();
"#;

/// A random scenario, with a request that the user describes.
struct Scenario {
    page: EditedScenario,
    seed: u64,
    key: String,
    criteria: Vec<(String, String)>,
    kind: Kind,
}

/// What is compared.
enum Kind {
    /// One request, also with the command.
    Command,
    /// One request with a session of the filter on this host; empty for a new session.
    Session(String),
    /// 1,000 requests.
    Many,
}

impl Scenario {
    /// The scenario of a seed: clusters `a` and `b` and an aggregate of both, one of which is shown.
    fn of(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let page = (0..1_000)
            .find_map(|_| legal(&mut dice))
            .unwrap_or_else(|| panic!("no legal clusters of seed {seed}"));
        let key = dice.chance(50).then(|| format!("user {seed}"));
        let key = key.unwrap_or_default();
        let criteria = criteria(&page, &mut dice);
        let kind = match dice.below(10) {
            0 => Kind::Many,
            1 => Kind::Session(String::new()),
            2 => Kind::Session(dice.one(&addresses(&page))),
            _ => Kind::Command,
        };
        Self {
            page,
            seed,
            key,
            criteria,
            kind,
        }
    }

    /// A file of the scenario that opens the Trace screen.
    fn for_page(&self) -> Result<String> {
        let mut input = format!("seed={}\nkey={}\nfilter=yes\n", self.seed, self.key);
        for (key, label) in &self.criteria {
            input += &format!("criteria.{key}={label}\n");
        }
        match &self.kind {
            Kind::Command => {}
            Kind::Session(host) => input += &format!("session=spillgate\nhost={host}\n"),
            Kind::Many => input += "many=yes\n",
        }
        let view = [("screen", "trace".to_owned()), ("trace", input)];
        let view = view.map(|(name, value)| (name.to_owned(), value));
        let question = ScenarioQuestion::from_view(view.into());
        let model = self.page.model();
        let source = ExportSource {
            target: Some(self.page.name(self.page.root())),
            question: &question,
            ..ExportSource::of(model)
        };
        let written = write_file(&source, FileFormat::Scenario);
        let written = written.map_err(|faults| anyhow::anyhow!("{faults:?}"))?;
        Ok(written.text)
    }

    /// The decision of `spillgate explain`, for a listener with one route to the cluster.
    fn by_command(&self, workdir: &Workdir) -> Result<Value> {
        let written =
            envoy_json(self.page.model(), &[]).map_err(|faults| anyhow::anyhow!("{faults:?}"))?;
        let mut bootstrap: Value = serde_json::from_str(&written.text)?;
        let criteria: Value = self
            .criteria
            .iter()
            .map(|(key, label)| (key.clone(), json!(label)))
            .collect();
        bootstrap["static_resources"]["listeners"] = json!([listener(&json!({
            "cluster": self.page.name(self.page.root()),
            "hash_policy": [{"header": {"header_name": "x-key"}}],
            "metadata_match": {"filter_metadata": {"envoy.lb": criteria}},
        }))]);
        let file = workdir.path().join("envoy.json");
        fs::write(&file, bootstrap.to_string())?;
        let (file, seed) = (file.to_string_lossy().into_owned(), self.seed.to_string());
        let key = format!("x-key:{}", self.key);
        let mut words = vec!["explain", &file, "--seed", &seed, "--format", "json"];
        if !self.key.is_empty() {
            words.extend(["--header", &key]);
        }
        Ok(serde_json::from_str(&spillgate(words)?.output)?)
    }
}

fn listener(route: &Value) -> Value {
    const TYPES: &str = "type.googleapis.com/envoy.extensions.filters";
    json!({
        "name": "requests",
        "address": {"socket_address": {"address": "127.0.0.1", "port_value": 10000}},
        "filter_chains": [{"filters": [{
            "name": "envoy.filters.network.http_connection_manager",
            "typed_config": {
                "@type": format!("{TYPES}.network.http_connection_manager.v3.HttpConnectionManager"),
                "stat_prefix": "requests",
                "route_config": {"virtual_hosts": [{
                    "name": "all",
                    "domains": ["*"],
                    "routes": [{"match": {"prefix": "/"}, "route": route}],
                }]},
                "http_filters": [{
                    "name": "envoy.filters.http.router",
                    "typed_config": {"@type": format!("{TYPES}.http.router.v3.Router")},
                }],
            },
        }]}],
    })
}

/// Clusters that page and filter accept, one of which is shown; `None` for others.
fn legal(dice: &mut Dice) -> Option<EditedScenario> {
    let few = dice.chance(70);
    let extent = if few {
        Extent::few(4)
    } else {
        Extent {
            any_number: false,
            any_text: false,
            any_address: false,
            largest_table: 1_024,
            ..Extent::all(4)
        }
    };
    let mut clusters: Vec<Cluster> = ["a", "b"]
        .map(|name| Cluster::plain(name, supported(plain(dice, 3, extent))))
        .into();
    clusters.push(Cluster {
        name: "both".into(),
        kind: ClusterKind::Aggregate(AggregateCluster {
            members: vec!["a".into(), "b".into()],
            panic_threshold: PanicThreshold::DEFAULT,
            flatten: false,
        }),
    });
    let page = EditedScenario::new(clusters, dice.one(&[0, 1, 2, 2])).ok()?;
    let source = ExportSource {
        target: Some(page.name(page.root())),
        ..ExportSource::of(page.model())
    };
    ShippedConfig::new(&source, ShippedNeeds::of(&ShippedRequest::default())).ok()?;
    (!addresses(&page).is_empty()).then_some(page)
}

/// The cluster without settings that the filter refuses or the playground does not pass to its screens.
fn supported(mut plain: PlainCluster) -> PlainCluster {
    plain.slow_start = None;
    plain.override_hosts.clear();
    plain.hash_policies.clear();
    match &mut plain.policy {
        Policy::ClientSideWeightedRoundRobin => plain.policy = Policy::RoundRobin,
        Policy::LeastRequest(config) => {
            if let SelectionMethod::Choices(choices) = &mut config.selection {
                *choices = (*choices).min(100);
            }
        }
        _ => {}
    }
    plain
}

fn shown(page: &EditedScenario) -> impl Iterator<Item = &PlainCluster> {
    page.shown().into_iter().filter_map(|at| page.plain(at))
}

fn addresses(page: &EditedScenario) -> Vec<String> {
    let hosts = shown(page)
        .flat_map(|plain| &plain.priorities)
        .flat_map(|priority| &priority.endpoints);
    hosts.map(|host| host.address.clone()).collect()
}

/// Criteria for keys of the selectors, each with a text of a host of such a cluster or with a text that no
/// host has.
fn criteria(page: &EditedScenario, dice: &mut Dice) -> Vec<(String, String)> {
    let mut labels: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for plain in shown(page) {
        let configs = plain.subsets.iter();
        let selectors = configs.flat_map(|config| &config.selectors);
        for key in selectors.flat_map(|selector| selector.keys().iter()) {
            let of_key = labels.entry(key.to_string()).or_default();
            let hosts = plain
                .priorities
                .iter()
                .flat_map(|priority| &priority.endpoints);
            of_key.extend(hosts.filter_map(|host| match host.metadata.get(key) {
                Some(Label::Text(text)) if !text.is_empty() => Some(text.to_string()),
                _ => None,
            }));
        }
    }
    let mut criteria = Vec::new();
    for (key, mut labels) in labels {
        labels.push(NO_VALUE.into());
        if dice.chance(70) {
            criteria.push((key, dice.one(&labels)));
        }
    }
    criteria
}

/// What page, command and filter must agree on: the whole decision, and the sentences of its steps. Only the
/// command has a route and positions.
fn agreed(decision: &Value) -> Value {
    let fields = [
        "cluster", "owner", "priority", "degraded", "panic", "endpoint", "reason",
    ]
    .map(|field| decision[field].clone());
    let steps = decision["steps"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|step| step["step"] != "route" && step["step"] != "criteria")
        .map(|step| json!([step["step"], step["what"], step["values"]]));
    json!([fields, steps.collect::<Value>()])
}

#[test]
fn page_command_and_filter_give_the_same_answers() -> Result<()> {
    let workdir = Workdir::new("page_filter_random")?;
    let page = Playground::open(&workdir)?;
    let [short, full] = SCENARIOS;
    let scenarios: Vec<Scenario> = (0..amount(short, full)).map(Scenario::of).collect();
    let (mut one, mut many, mut commands, mut sessions) = (0, 0, 0, 0);
    let mut without_host = 0;
    for batch in scenarios.chunks(BATCH) {
        let given: Vec<String> = batch
            .iter()
            .map(Scenario::for_page)
            .collect::<Result<_>>()?;
        let shown = page.browser.script(SHOW, vec![json!(given)])?;
        let shown = shown.as_array().context("no list")?;
        ensure!(shown.len() == batch.len(), "{} results", shown.len());
        for (scenario, shown) in batch.iter().zip(shown) {
            let seed = scenario.seed;
            let sentence = shown["sentence"].as_str().unwrap_or_default();
            if let Kind::Many = scenario.kind {
                let same = "spillgate.wasm makes the same 1000 decisions as the model.";
                ensure!(sentence == same, "seed {seed}: {sentence}");
                many += 1;
                continue;
            }
            let same = "spillgate.wasm makes the same decision as the model: ";
            ensure!(
                sentence.starts_with(same),
                "seed {seed}: {sentence} {shown}"
            );
            let [json] = shown["json"].as_array().context("no list")?.as_slice() else {
                anyhow::bail!("seed {seed}: {shown}");
            };
            // The command has a text where the playground has a value without hosts.
            let json = json
                .as_str()
                .unwrap_or_default()
                .replace("=no value", &format!("={NO_VALUE}"));
            let decision: Value = serde_json::from_str(&json)?;
            one += 1;
            without_host += u32::from(decision["endpoint"].is_null());
            if let Kind::Session(_) = scenario.kind {
                sessions += 1;
                continue;
            }
            let command = scenario.by_command(&workdir)?;
            let (filter, command) = (agreed(&decision), agreed(&command));
            ensure!(filter == command, "seed {seed}:\n{filter}\n{command}");
            commands += 1;
        }
    }
    ensure!(
        one > without_host && without_host > 0,
        "{without_host} of {one}"
    );
    ensure!(sessions > 0 && many > 0, "{sessions}, {many}");
    figure(format_args!(
        "{} scenarios: {one} decisions of spillgate.wasm and the model, {commands} of them with spillgate explain, \
         and {many} times 1,000 decisions, 0 differences",
        scenarios.len()
    ));
    page.finish()
}

/// Subsets with a ring, a random choice and a schedule.
const CLUSTERS: &str = include_str!("../../../../playground/src/view/screens/trace/clusters.yaml");

fn open(workdir: &Workdir) -> Result<Playground> {
    let page = Playground::open(workdir)?;
    page.import(CLUSTERS)?;
    start(&page)?;
    Ok(page)
}

/// Opens the Trace screen, and switches the filter on.
fn start(page: &Playground) -> Result<()> {
    page.click("screen-trace")?;
    page.wait_for_text("trace-headline", "The request")?;
    page.click("trace-filter")
}

/// Waits for a result about the present input, and checks its sentence.
fn wait_for_result(page: &Playground, words: &str) -> Result<()> {
    let done = format!("{}[aria-busy=false]", test("filter"));
    page.browser.wait_for(words, |browser| {
        if !browser.has(&done)? {
            return Ok(Err("no result".into()));
        }
        let sentence = page.shown("filter-sentence")?;
        Ok(sentence.contains(words).then_some(()).ok_or(sentence))
    })
}

#[test]
fn subsets_sessions_and_aggregates_are_decided_the_same() -> Result<()> {
    let workdir = Workdir::new("page_filter")?;
    let page = open(&workdir)?;
    let same = "makes the same decision as the model";
    wait_for_result(&page, same)?;
    page.choose("trace-criterion-stage", "prod")?;
    page.choose("trace-criterion-version", "2")?;
    wait_for_result(&page, "the model: 10.0.0.1:80.")?;
    ensure!(page.shown("filter-shipped-host-list")? == "10.0.0.1:80");
    ensure!(page.shown("filter-model-cluster")? == "shop");
    // The filter keeps the session of a token, although the host is not in the subset of the criteria.
    page.choose("trace-session", "spillgate")?;
    page.browser
        .paste(&test("trace-session-host"), "10.0.0.4:80")?;
    wait_for_result(&page, same)?;
    page.choose("trace-criterion-stage", "dev")?;
    page.choose("trace-criterion-version", "")?;
    wait_for_result(&page, "the model: 10.0.0.4:80.")?;
    page.wait_for_text("trace-step-session", "stays on 10.0.0.4:80")?;
    // Envoy's own sessions are not the filter's.
    page.choose("trace-session", "envoy")?;
    page.wait_for_text("filter", "stateful_session is a filter of Envoy")?;
    wait_for_result(&page, same)?;
    page.choose("trace-session", "none")?;
    page.choose("trace-criterion-stage", "")?;
    page.choose("trace-mode", "many")?;
    wait_for_result(&page, "makes the same 1000 decisions as the model")?;
    page.wait_for_text("filter", "Different decisions: 0 of 1000")?;
    page.browser.screenshot("filter-many")?;
    // The size is that of the shipped file.
    let size = fs::metadata(needed(Need::Www)?.join("spillgate.wasm"))?.len();
    let facts = page.shown("filter-facts")?;
    let digits: String = facts.chars().filter(|c| *c != '\u{202f}').collect();
    let digits = digits.replace(' ', "");
    ensure!(digits.contains(&format!("{size}bytes")), "{facts}");
    let hash = facts.rsplit(' ').next().unwrap_or_default();
    ensure!(hash.len() == 64, "{facts}");
    // An aggregate, from the presets.
    page.click("screen-build")?;
    page.choose("preset", "shop")?;
    page.click("screen-trace")?;
    page.choose("trace-mode", "one")?;
    wait_for_result(&page, same)?;
    page.wait_for_text("filter-shipped-cluster", "shop-")?;
    page.finish()
}

#[test]
fn a_difference_is_named() -> Result<()> {
    let workdir = Workdir::new("page_filter_differs")?;
    let page = Playground::open_changed(&workdir, |folder| {
        let file = folder.join("filter.js");
        let text = fs::read_to_string(&file)?;
        let changed = text.replace("BigInt(seed)", "BigInt(seed) + 1n");
        ensure!(changed != text, "the script has no such text");
        Ok(fs::write(file, changed)?)
    })?;
    page.import(CLUSTERS)?;
    start(&page)?;
    page.choose("trace-mode", "many")?;
    wait_for_result(
        &page,
        "decisions of spillgate.wasm and the model differ. The first is",
    )?;
    page.browser.screenshot("filter-differs")?;
    page.finish()
}

#[test]
fn a_filter_that_stops_is_reported() -> Result<()> {
    let workdir = Workdir::new("page_filter_stops")?;
    let page = Playground::open_changed(&workdir, |folder| {
        let module = "(module (memory (export \"memory\") 1)
            (func (export \"malloc\") (param i32) (result i32) (i32.const 64))
            (func (export \"proxy_abi_version_0_2_1\"))
            (func (export \"proxy_on_configure\") (param i32 i32) (result i32) unreachable))";
        Ok(fs::write(
            folder.join("spillgate.wasm"),
            wat::parse_str(module)?,
        )?)
    })?;
    start(&page)?;
    wait_for_result(
        &page,
        "Cannot run spillgate.wasm: the filter stopped in proxy_on_configure",
    )?;
    page.finish()
}

#[test]
fn the_single_file_page_says_that_it_has_no_filter() -> Result<()> {
    let workdir = Workdir::new("page_filter_file")?;
    let page = Playground::open_file(&workdir)?;
    start(&page)?;
    wait_for_result(
        &page,
        "the single-file page does not contain spillgate.wasm",
    )?;
    page.finish()
}

/// A module that exports what it imports, so that a test can call the host.
const CALLS: &str = r#"(module
    (import "env" "proxy_get_header_map_value" (func $value (param i32 i32 i32 i32 i32) (result i32)))
    (import "env" "proxy_get_header_map_pairs" (func $pairs (param i32 i32 i32) (result i32)))
    (import "env" "proxy_add_header_map_value" (func $add (param i32 i32 i32 i32 i32) (result i32)))
    (import "env" "proxy_get_buffer_bytes" (func $buffer (param i32 i32 i32 i32 i32) (result i32)))
    (import "env" "proxy_get_property" (func $property (param i32 i32 i32 i32) (result i32)))
    (import "env" "proxy_set_shared_data" (func $share (param i32 i32 i32 i32 i32) (result i32)))
    (import "env" "proxy_increment_metric" (func $count (param i32 i64) (result i32)))
    (import "env" "proxy_send_local_response" (func $respond (param i32 i32 i32 i32 i32 i32 i32 i32) (result i32)))
    (import "env" "proxy_get_current_time_nanoseconds" (func $now (param i32) (result i32)))
    (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
    (memory (export "memory") 1)
    (data (i32.const 16) "x-a\ff")
    (func (export "malloc") (param i32) (result i32) (i32.const 1024))
    (func (export "proxy_abi_version_0_2_1"))
    (func (export "stop") unreachable)
    (export "value" (func $value)) (export "pairs" (func $pairs)) (export "add" (func $add))
    (export "buffer" (func $buffer)) (export "property" (func $property)) (export "share" (func $share))
    (export "count" (func $count)) (export "respond" (func $respond)) (export "now" (func $now))
    (export "random" (func $random)))"#;

/// Calls the host with valid and invalid arguments: names and statuses, or texts.
const CALL: &str = r#"
return import(new URL("./filter-host.js", document.baseURI)).then(async ({ FilterVm }) => {
  const vm = new FilterVm(await WebAssembly.compile(new Uint8Array(arguments[0])));
  const found = {};
  const end = 65536;
  found["no map"] = vm.call("value", 0, 16, 3, 32, 36);
  found["no pairs"] = vm.call("pairs", 2, 32, 36);
  vm.maps.set(0, [["x-a", new TextEncoder().encode("1")]]);
  found["a value"] = vm.call("value", 0, 16, 3, 32, 36);
  found["the value"] = vm.text(1024, 1);
  found["its length"] = vm.bytes(36, 1)[0];
  found["no value"] = vm.call("value", 0, 16, 2, 32, 36);
  found["another map"] = vm.call("value", 2, 16, 3, 32, 36);
  found["a name outside"] = vm.call("value", 0, end - 2, 3, 32, 36);
  found["a length of 4 GiB"] = vm.call("value", 0, 16, -1, 32, 36);
  found["a name at the last address"] = vm.call("value", 0, -1, 1, 32, 36);
  found["no room for the address"] = vm.call("value", 0, 16, 3, end - 3, 36);
  found["no room for the length"] = vm.call("value", 0, 16, 3, 32, -4);
  found["a name that is not UTF-8"] = vm.call("add", 0, 16, 4, 16, 1);
  found["a value outside"] = vm.call("add", 0, 16, 3, end, 1);
  found["no bytes at the end"] = vm.call("add", 0, 16, 3, end, 0);
  found["headers"] = vm.maps.get(0).map(([name, value]) => `${name}=${new TextDecoder().decode(value)}`).join();
  found["no buffer"] = vm.call("buffer", 7, 0, 10, 32, 36);
  vm.buffers.set(7, new Uint8Array(3));
  found["a buffer from behind its end"] = vm.call("buffer", 7, 9, -1, 32, 36);
  found["its bytes"] = vm.bytes(32, 8).join();
  found["no property"] = vm.call("property", 16, 3, 32, 36);
  found["no metric"] = vm.call("count", 0, 1n);
  found["shared"] = vm.call("share", 16, 3, 16, 1, 0);
  found["shared at another revision"] = vm.call("share", 16, 3, 16, 1, 7);
  found["a response with cut headers"] = vm.call("respond", 503, 16, 0, 16, 0, 16, 3, -1);
  found["a response"] = vm.call("respond", 503, 16, 3, 16, 0, 16, 0, -1);
  found["a second response"] = vm.call("respond", 503, 16, 3, 16, 0, 16, 0, -1);
  found["the time outside"] = vm.call("now", end - 7);
  vm.random = 258n;
  found["random bytes"] = vm.call("random", 40, 3);
  found["the bytes"] = vm.bytes(40, 4).join();
  const failure = (...values) => { try { vm.call(...values); } catch (error) { return error.message.split(":")[0]; } };
  found["a trap"] = failure("stop");
  found["after the trap"] = failure("now", 40);
  found["an export that does not exist"] = new FilterVm(await WebAssembly.compile(new Uint8Array(arguments[0]))).call("x") ?? "nothing";
  return found;
});
"#;

#[test]
fn the_host_trusts_no_address() -> Result<()> {
    let workdir = Workdir::new("page_filter_host")?;
    let page = Playground::open(&workdir)?;
    let module = wat::parse_str(CALLS)?;
    let found = page.browser.script(CALL, vec![json!(module)])?;
    let stopped = "the filter stopped in stop";
    let expected = json!({
        "no map": 2, "no pairs": 2, "a value": 0, "the value": "1", "its length": 1,
        "no value": 1, "another map": 2, "a name outside": 6, "a length of 4 GiB": 6,
        "a name at the last address": 6, "no room for the address": 6, "no room for the length": 6,
        "a name that is not UTF-8": 2, "a value outside": 6, "no bytes at the end": 0, "headers": "x-a=1,x-a=",
        "no buffer": 1, "a buffer from behind its end": 0, "its bytes": "0,0,0,0,0,0,0,0",
        "no property": 1, "no metric": 1, "shared": 0, "shared at another revision": 8,
        "a response with cut headers": 2, "a response": 0, "a second response": 2,
        "the time outside": 6, "random bytes": 0, "the bytes": "2,1,0,0",
        "a trap": stopped, "after the trap": stopped, "an export that does not exist": "nothing",
    });
    ensure!(found == expected, "{found:#}");
    page.finish()
}

#[test]
fn the_result_fits_a_phone_and_has_all_schemes() -> Result<()> {
    let workdir = Workdir::new("page_filter_phone")?;
    let page = open(&workdir)?;
    let same = "makes the same decision as the model";
    wait_for_result(&page, same)?;
    page.browser.screenshot("filter")?;
    let media = |features: Value| {
        let features = json!({"features": features});
        page.browser
            .devtools("Emulation.setEmulatedMedia", features)
    };
    media(json!([{"name": "prefers-color-scheme", "value": "dark"}]))?;
    page.browser.screenshot("filter-dark")?;
    media(json!([{"name": "forced-colors", "value": "active"}]))?;
    page.browser.screenshot("filter-forced-colors")?;
    media(json!([]))?;
    let size = json!({"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true});
    page.browser
        .devtools("Emulation.setDeviceMetricsOverride", size)?;
    page.browser.click(&format!("{} summary", test("filter")))?;
    page.wait_until_it_fits_a_phone()?;
    page.browser.screenshot("filter-phone")?;
    page.choose("trace-mode", "many")?;
    wait_for_result(&page, "1000 decisions")?;
    page.wait_until_it_fits_a_phone()?;
    page.browser.screenshot("filter-many-phone")?;
    page.finish()
}
