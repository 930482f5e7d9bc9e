//! The filter on several versions of Envoy: the same file of the dynamic module, and `spillgate.wasm`.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::model::{Cluster, MaglevConfig, Model, Policy};

use crate::config::{
    Bootstrap, CLUSTER_HEADER, KEY_HEADER, SERVED_HEADER, aggregate, hash_policy, http_listener,
    native, our_filters, plain, priority, steered, to_chosen_cluster, to_cluster_by_header,
};
use crate::{Client, Envoy, EnvoyOptions, Need, Port, ReferenceEngine, Workdir, needed};

/// Requests to each version.
const REQUESTS: usize = 1_000;
/// The first version with bootstrap extensions in modules.
const EXTENSIONS: (u32, u32) = (1, 37);
/// The first version with load-balancing policies in modules.
const FIRST: (u32, u32) = (1, 38);
/// The first version with cluster specifiers in modules.
const SPECIFIERS: (u32, u32) = (1, 40);

/// A version with its binary.
#[derive(Debug)]
pub struct InstalledEnvoy {
    program: PathBuf,
    /// The version in full, such as `1.40.0`.
    pub name: String,
    version: (u32, u32),
}

/// Checks each version. Returns a line for each.
///
/// # Errors
/// When a version differs from what the documentation says.
pub fn check_versions() -> Result<Vec<String>> {
    let older = env::var_os("SPILLGATE_OLDER_ENVOYS")
        .context("SPILLGATE_OLDER_ENVOYS is not set; it must list programs")?;
    let programs = env::split_paths(&older).chain([needed(Need::Envoy)?]);
    let lines = programs.map(|program| {
        let envoy = InstalledEnvoy::new(program)?;
        let line = if envoy.version < FIRST {
            refuses(&envoy)
        } else {
            serves(&envoy, DynamicModule)
        };
        line.with_context(|| envoy.name.clone())
    });
    lines.collect()
}

/// The result of one form of the filter on a version: what it did, or the message with which the version
/// refused it as documented.
///
/// # Errors
/// When the version differs from what the documentation says.
pub fn check_form(envoy: &InstalledEnvoy, form: FilterForm) -> Result<String> {
    match form {
        DynamicModule if envoy.version < FIRST => refuses(envoy),
        form => serves(envoy, form),
    }
}

impl InstalledEnvoy {
    /// The version of this binary.
    ///
    /// # Errors
    /// When it does not run, or prints no version.
    pub fn new(program: PathBuf) -> Result<Self> {
        let output = Command::new(&program).arg("--version").output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        // `PATH/envoy  version: HASH/1.40.0/Clean/RELEASE/BoringSSL`
        let version = text.split_once("version: ").context("no version")?.1;
        let name = version.split('/').nth(1).context("no version")?.to_owned();
        let mut numbers = name.split('.').map(str::parse);
        let (Some(major), Some(minor)) = (numbers.next(), numbers.next()) else {
            bail!("unknown version {name}");
        };
        Ok(Self {
            program,
            version: (major?, minor?),
            name,
        })
    }

    /// The first two numbers of the version.
    #[must_use]
    pub const fn version(&self) -> (u32, u32) {
        self.version
    }

    fn workdir(&self, form: FilterForm) -> Result<Workdir> {
        Workdir::in_form(&format!("versions_{}", self.name), form)
    }

    fn start(&self, workdir: &Workdir, bootstrap: &Bootstrap) -> Result<Envoy> {
        let options = EnvoyOptions {
            program: Some(&self.program),
            ..EnvoyOptions::default()
        };
        Envoy::start_as(workdir, options, |node, admin| {
            bootstrap.to_json(node, admin)
        })
    }
}

/// Two clusters, the first of which serves a part of the requests, behind the filter.
struct Site {
    clusters: [Cluster; 3],
    service: Port,
    _hosts: Port,
    bootstrap: Bootstrap,
}

impl Site {
    fn new(form: FilterForm, route: Value) -> Result<Self> {
        let (service, hosts) = (Port::lease()?, Port::lease()?);
        let member = |name, network, health| -> Result<Cluster> {
            let policy = Policy::Maglev(MaglevConfig::default());
            Ok(plain(
                name,
                policy,
                vec![priority(network, hosts.number(), health)?],
            ))
        };
        let clusters = [
            member("primary", "127.45.0", "hhhuuu")?,
            member("secondary", "127.45.1", "hhhh")?,
            aggregate("shop", &["primary", "secondary"]),
        ];
        let described = clusters.iter().map(native).collect::<Result<Vec<_>>>()?;
        let configuration = json!({
            "clusters": described,
            "target": "shop",
            "hash_policy": hash_policy(),
        });
        let filters = our_filters(form, &configuration)?;
        let mut bootstrap = Bootstrap::new().listener(http_listener(
            "service",
            service.number(),
            &[route],
            filters,
        ));
        if form == DynamicModule {
            bootstrap = bootstrap.observing(DynamicModule, &Value::Null)?;
        }
        for cluster in &clusters[..2] {
            bootstrap = bootstrap.cluster(steered(form, cluster)?).hosts_of(cluster);
        }
        Ok(Self {
            clusters,
            service,
            _hosts: hosts,
            bootstrap,
        })
    }
}

/// The version runs the filter; in the native form also the policy, the bootstrap extension and, if it has
/// them, the specifier.
fn serves(version: &InstalledEnvoy, form: FilterForm) -> Result<String> {
    let (route, routing) = if form == Wasm || version.version < SPECIFIERS {
        (to_cluster_by_header(), "cluster_header")
    } else {
        (to_chosen_cluster(DynamicModule), "cluster specifier")
    };
    let site = Site::new(form, route)?;
    let workdir = version.workdir(form)?;
    let envoy = version.start(&workdir, &site.bootstrap)?;
    let model = Model::new(site.clusters.into()).map_err(|errors| anyhow!("{errors:?}"))?;
    let engine = ReferenceEngine::new(&model);
    let mut client = Client::new(site.service.local());
    let mut members = [0; 2];
    for number in 0..REQUESTS {
        let key = format!("user-{number}");
        // A client cannot choose the cluster.
        let headers = [(KEY_HEADER, &*key), (CLUSTER_HEADER, "secondary")];
        let response = client.get("/", &headers)?;
        let status = response.status;
        ensure!(status == 200, "{status} {}", response.text());
        let host = response.header(SERVED_HEADER).context("no host")?;
        let member = usize::from(host.starts_with("127.45.1."));
        let expected = engine.pick(["primary", "secondary"][member], &key)?;
        ensure!(expected == Some(host), "{key}: {host}, not {expected:?}");
        members[member] += 1;
    }
    let [primary, secondary] = members;
    ensure!(primary > 0 && secondary > 0, "{members:?}");
    let decisions = envoy.total("spillgate.decisions.")?;
    ensure!(decisions == REQUESTS as u64, "{decisions} decisions");
    envoy.check_filter()?;
    Ok(format!(
        "{}: {REQUESTS} requests by {routing}, {primary} to the first cluster, {secondary} to the second",
        version.name
    ))
}

/// The version doesn't load the module, and says why.
fn refuses(version: &InstalledEnvoy) -> Result<String> {
    let site = Site::new(DynamicModule, to_cluster_by_header())?;
    let workdir = version.workdir(DynamicModule)?;
    ensure!(
        version.start(&workdir, &site.bootstrap).is_err(),
        "it started"
    );
    let log = fs::read_dir(workdir.path())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|end| end == "log"));
    let log = fs::read_to_string(log.context("no log")?)?;
    let reason = if version.version < EXTENSIONS {
        NO_EXTENSION
    } else {
        NO_POLICY
    };
    ensure!(log.contains(reason), "another message: {log}");
    Ok(format!("{}: refused, `{reason}`", version.name))
}

/// The end of the message of a version without bootstrap extensions in modules.
const NO_EXTENSION: &str = "bootstrap.dynamic_modules.v3.DynamicModuleBootstrapExtension'";
/// The end of the message of a version without load-balancing policies in modules.
const NO_POLICY: &str =
    "load_balancing_policies.dynamic_modules.v3.DynamicModulesLoadBalancerConfig'";
