//! From a text to clusters, routes and places.

use alloc::vec::Vec;

use spillgate_core::{model::Model, names::Names};

use super::{
    Format, Marks, RegexCompiler,
    cluster::{ReadCluster, build_model, lone_assignment, members_exist, read_cluster},
    common::{ByName, name_of},
    document::{Live, Roots, check_local_cluster, sort},
    facts::{ConfigFacts, read_facts},
    filters::FilterChain,
    listener::{ListenerConfig, ListenerContext, read_listener},
    route::read_routes,
};
use crate::{
    Diagnostic,
    proto::{Purpose, ReaderOptions, Report},
};

/// What an Envoy configuration says about balancing.
#[derive(Debug)]
pub struct EnvoyConfig {
    /// The clusters.
    pub model: Model,
    /// The routes, by listener.
    pub listeners: Vec<ListenerConfig>,
    /// Where the clusters' values stand in the text.
    pub marks: Marks,
    /// What else is stated; empty unless [`read_for_lint`] has read the text.
    pub facts: ConfigFacts,
    /// What is readable and yet without the effect it seems to have.
    pub warnings: Vec<Diagnostic>,
}

/// What reading may call upon.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions {
    /// Compiles regular expressions. Without it, what hangs on them is named in warnings and its
    /// requests have no answer.
    pub regex: Option<RegexCompiler>,
}

/// The clusters of a configuration, without its routes.
#[derive(Debug)]
pub struct EnvoyClusters {
    /// The clusters.
    pub model: Model,
    /// Where their values stand in the text.
    pub marks: Marks,
    /// What is readable and yet without the effect it seems to have.
    pub warnings: Vec<Diagnostic>,
}

impl EnvoyClusters {
    /// The whole configuration.
    fn with(self, listeners: Vec<ListenerConfig>, facts: ConfigFacts) -> EnvoyConfig {
        EnvoyConfig {
            model: self.model,
            listeners,
            marks: self.marks,
            facts,
            warnings: self.warnings,
        }
    }
}

/// Reads a text without regular expressions; else as [`read_with`].
///
/// # Errors
/// As [`read_with`].
///
/// # Examples
/// ```
/// use spillgate_config::envoy::{Format, read};
///
/// let text = r#"{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
///     {"lb_endpoints": [{"endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}"#;
/// let config = read(text, Format::Json)?;
/// assert_eq!(config.model.clusters()[0].name, "shop");
///
/// // Every fault is reported, each with its place.
/// let text = "{\"name\": 7, \"lb_policy\": \"RINGHASH\"}";
/// let faults = read(text, Format::Json).unwrap_err();
/// assert_eq!(faults.len(), 2);
/// assert_eq!(faults[0].path, "name");
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read(text: &str, format: Format) -> Result<EnvoyConfig, Vec<Diagnostic>> {
    read_with(text, format, &ReadOptions::default())
}

/// Reads an Envoy bootstrap, the answer of `/config_dump` or a part of it, or clusters,
/// assignments, listeners and route configurations on their own, in a list or as several YAML
/// documents.
///
/// # Errors
/// Every fault of the text in text order; a syntax error alone, since nothing can be read then.
///
/// # Examples
/// Without a compiler of regular expressions, a route that needs one is a warning.
/// ```
/// use spillgate_config::envoy::{Format, Options, read_with};
///
/// let text = "
/// name: r
/// virtual_hosts:
/// - name: v
///   domains: ['*']
///   routes:
///   - match: {safe_regex: {regex: /a+}}
///     direct_response: {status: 200}
/// ";
/// let config = read_with(text, Format::Yaml, &Options { regex: None })?;
/// assert_eq!(config.listeners[0].name, "r");
/// assert_eq!(config.warnings[0].code, "config/route-not-modelled");
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read_with(
    text: &str,
    format: Format,
    options: &ReadOptions,
) -> Result<EnvoyConfig, Vec<Diagnostic>> {
    let mut listeners = Vec::new();
    let report = Report::new(ReaderOptions {
        purpose: Purpose::Predict,
        regex: options.regex,
    });
    let clusters = read_and(text, format, report, |roots, clusters, report| {
        listeners = read_listeners(roots, clusters, report);
    })?;
    Ok(clusters.with(listeners, ConfigFacts::default()))
}

/// As [`read_with`], with the facts. Faults that lint has rules for are left to it: Envoy refuses
/// subsets beside a typed policy, for one, and here the rest of such a text is read all the same.
///
/// # Errors
/// As [`read_with`], without those faults.
///
/// # Examples
/// ```
/// use spillgate_config::envoy::{Format, Options, read_for_lint};
///
/// let text = r#"{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
///     {"lb_endpoints": [{"endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}"#;
/// let config = read_for_lint(text, Format::Json, &Options::default())?;
/// let facts = &config.facts.clusters[0];
/// assert_eq!(facts.name, "shop");
/// assert!(facts.signals.health_checks.is_none());
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read_for_lint(
    text: &str,
    format: Format,
    options: &ReadOptions,
) -> Result<EnvoyConfig, Vec<Diagnostic>> {
    let mut listeners = Vec::new();
    let mut facts = ConfigFacts::default();
    let report = Report::new(ReaderOptions {
        purpose: Purpose::Lint,
        regex: options.regex,
    });
    let yaml = (format == Format::Yaml).then_some(text);
    let clusters = read_and(text, format, report, |roots, clusters, report| {
        listeners = read_listeners(roots, clusters, report);
        facts = read_facts(roots, report.is_dump(), yaml);
    })?;
    Ok(clusters.with(listeners, facts))
}

/// Reads the clusters of the same texts. Listeners and routes are passed over, right or wrong.
///
/// # Errors
/// As [`read_with`], as far as clusters go.
///
/// # Examples
/// ```
/// use spillgate_config::envoy::{Format, read_clusters_only};
///
/// let text = r#"{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
///     {"lb_endpoints": [{"endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}"#;
/// let read = read_clusters_only(text, Format::Json)?;
/// assert_eq!(read.model.clusters()[0].priorities()[0].endpoints[0].address, "10.0.0.1:80");
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read_clusters_only(text: &str, format: Format) -> Result<EnvoyClusters, Vec<Diagnostic>> {
    read_and(text, format, Report::default(), |_, _, _| {})
}

/// Reads the clusters, and with `rest` what else there is.
fn read_and(
    text: &str,
    format: Format,
    mut report: Report,
    rest: impl FnOnce(&Roots<'_, '_>, Option<&Names>, &mut Report),
) -> Result<EnvoyClusters, Vec<Diagnostic>> {
    let document = format.parse(text).map_err(|fault| Vec::from([fault]))?;
    for repeated in document.repeated {
        report.push(repeated);
    }
    let roots = sort(&document.roots, &mut report);
    let clusters = read_clusters(&roots, &mut report);
    members_exist(&clusters, &mut report);
    check_local_cluster(&roots.local, &clusters, &mut report);
    let mut names = Names::default();
    for read in &clusters {
        names.add(&read.cluster.name);
    }
    let (model, mut marks) = build_model(clusters, &mut report);
    let model = model.with_local(roots.local.info.clone());
    marks.local_locality = roots.local.locality;
    marks.local_cluster = roots.local.cluster.as_ref().map(|(_, position)| *position);
    rest(
        &roots,
        Some(&names).filter(|names| !names.is_empty()),
        &mut report,
    );
    let warnings = report.finish()?;
    Ok(EnvoyClusters {
        model,
        marks,
        warnings,
    })
}

fn read_clusters(roots: &Roots<'_, '_>, report: &mut Report) -> Vec<ReadCluster> {
    let assignments = ByName::of(&roots.assignments, "cluster_name");
    if roots.clusters.is_empty() {
        return roots
            .assignments
            .iter()
            .filter_map(|(path, node)| lone_assignment(node, path.clone(), report))
            .collect();
    }
    let live = Live::of(&roots.live);
    let mut clusters = Vec::with_capacity(roots.clusters.len());
    for (path, node) in &roots.clusters {
        if let Some(mut read) = read_cluster(node, path.clone(), &assignments, report) {
            live.complete(&mut read, report);
            clusters.push(read);
        }
    }
    clusters
}

fn read_listeners(
    roots: &Roots<'_, '_>,
    clusters: Option<&Names>,
    report: &mut Report,
) -> Vec<ListenerConfig> {
    let route_configurations = ByName::of(&roots.route_configurations, "name");
    let extensions = ByName::of(&roots.extensions, "name");
    let context = ListenerContext {
        clusters,
        route_configurations: &route_configurations,
        extensions: &extensions,
    };
    if roots.listeners.is_empty() {
        return roots
            .route_configurations
            .iter()
            .map(|(path, node)| {
                let filters = FilterChain::default();
                let (routes, marks) = read_routes(node, path.clone(), clusters, &filters, report);
                let name = name_of(node, "name").unwrap_or_default().into();
                ListenerConfig {
                    name,
                    routes,
                    marks,
                    spillgate: Vec::new(),
                }
            })
            .collect();
    }
    let listeners = roots.listeners.iter();
    listeners
        .flat_map(|(path, node)| read_listener(node, path.clone(), &context, report))
        .collect()
}
