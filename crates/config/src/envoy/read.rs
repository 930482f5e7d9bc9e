//! From an input to clusters, routes and positions.

use alloc::{string::String, vec::Vec};

use spillgate_core::model::Model;

#[cfg(feature = "unread")]
use super::formatted::note_formatted;
use super::{
    AdminAccess, Format, Marks, RegexCompiler,
    admin_access::AdminAnswers,
    cluster::{build_model, members_exist, read_headers},
    document::{
        ParsedText, Roots, SourceText, check_local_cluster, explain_all, is_rejected_version,
        note_missing_clusters, parse_all, sort, warn_duplicates,
    },
    facts::{ClusterFacts, ConfigFacts},
    judged::judged_facts,
    listener::ListenerConfig,
    local_zone::limit_unknown_zone,
    resources::{ReadClusters, read_clusters, read_listeners},
    route::{ClusterNames, KnownClusters},
    running::{settle, settle_clusters},
};
#[cfg(feature = "yaml")]
use super::{kept_loads::limit_kept_loads, runtime::find_runtime};
#[cfg(feature = "unread")]
use crate::proto::UnreadValues;
use crate::{
    Diagnostic, SourceMap,
    proto::{Purpose, ReaderOptions, Report},
};

/// An Envoy configuration, as far as it affects balancing.
#[derive(Debug)]
pub struct EnvoyConfig {
    /// The clusters.
    pub model: Model,
    /// The routes, by listener.
    pub listeners: Vec<ListenerConfig>,
    /// The positions of the clusters' values in the input.
    pub marks: Marks,
    /// Whether the polls of Wasm filters reach the admin interface.
    pub access: AdminAccess,
    /// Further facts; empty unless read by [`read_for_lint`].
    pub facts: ConfigFacts,
    /// The files of all positions.
    pub sources: SourceMap,
    /// Settings that are valid but have no effect or another effect than expected, and
    /// [limits](DiagnosticSeverity::Limit).
    pub warnings: Vec<Diagnostic>,
    /// Limits of simulations over time alone: settings that decide when and how requests end, or when failures are
    /// noticed, and that these do not model.
    pub over_time: Vec<Diagnostic>,
    /// The values of fields that choose no host; empty unless read by [`read_for_lint`] or [`read_sources_and_judge`].
    #[cfg(feature = "unread")]
    pub unread: UnreadValues,
}

impl EnvoyConfig {
    /// The settings that are not modeled, so that answers about what they affect can differ from
    /// Envoy.
    pub fn limits(&self) -> impl Iterator<Item = &Diagnostic> {
        let limit = |found: &&Diagnostic| found.is_limit();
        self.warnings.iter().filter(limit)
    }
}

/// The options of a reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions {
    /// Compiles regular expressions. Without it, routes that need one get a warning, and the result
    /// for their requests is unknown.
    pub regex: Option<RegexCompiler>,
    /// Whether the answer is about gRPC clients, which have policies of their own: one that only Envoy
    /// rejects is no fault, and counts as ROUND_ROBIN.
    pub for_grpc: bool,
}

/// The clusters of a configuration, without its routes.
#[derive(Debug)]
pub struct EnvoyClusters {
    /// The clusters.
    pub model: Model,
    /// The positions of their values in the input.
    pub marks: Marks,
    /// Whether polls reach the admin interface.
    access: AdminAccess,
    /// The files of all positions.
    pub sources: SourceMap,
    /// Settings that are valid but have no effect or another effect than expected, and
    /// [limits](DiagnosticSeverity::Limit).
    pub warnings: Vec<Diagnostic>,
    /// Limits of simulations over time alone: settings that decide when and how requests end, or when failures are
    /// noticed, and that these do not model.
    pub over_time: Vec<Diagnostic>,
    /// The values of fields that choose no host; empty unless read by [`read_for_lint`].
    #[cfg(feature = "unread")]
    pub unread: UnreadValues,
}

impl EnvoyClusters {
    /// The whole configuration.
    fn with(mut self, mut listeners: Vec<ListenerConfig>, facts: ConfigFacts) -> EnvoyConfig {
        let clusters = self.model.clusters();
        for filter in listeners
            .iter_mut()
            .flat_map(|listener| &mut listener.spillgate)
        {
            let has_policy = |name: &&str| {
                let marks = self.marks.cluster(name);
                marks.is_some_and(|marks| marks.has_policy_of(filter.module.as_deref()))
            };
            let names = clusters.iter().map(|cluster| cluster.name.as_str());
            let published = names.filter(has_policy).map(String::from).collect();
            filter.published = (!clusters.is_empty()).then_some(published);
            filter.access = self.access.clone();
            let mut warnings = self.warnings.iter();
            filter.rejected = warnings.any(|found| is_rejected_version(found, &filter.path));
        }
        #[cfg(feature = "yaml")]
        limit_kept_loads(&self.model, &listeners, &mut self.warnings);
        EnvoyConfig {
            model: self.model,
            listeners,
            marks: self.marks,
            access: self.access,
            facts,
            sources: self.sources,
            warnings: self.warnings,
            over_time: self.over_time,
            #[cfg(feature = "unread")]
            unread: self.unread,
        }
    }
}

/// Reads an input without regular expressions, otherwise like [`read_with`].
///
/// # Errors
/// Like [`read_with`].
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
/// // Every fault is reported, each with its path.
/// let text = "{\"name\": 7, \"lb_policy\": \"RINGHASH\"}";
/// let faults = read(text, Format::Json).unwrap_err();
/// assert_eq!(faults.len(), 2);
/// assert_eq!(faults[0].path, "name");
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read(text: &str, format: Format) -> Result<EnvoyConfig, Vec<Diagnostic>> {
    read_with(text, format, &ReadOptions::default())
}

/// Reads an Envoy bootstrap, the response of `/config_dump` or a part of it, or standalone
/// clusters, assignments, listeners and route configurations, as a list or as several YAML
/// documents.
///
/// # Errors
/// Every fault in text order; for a syntax error only that one.
///
/// # Examples
/// Without a regular expression compiler, a route that needs one is a limit.
/// ```
/// use spillgate_config::envoy::{Format, ReadOptions, read_with};
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
/// let config = read_with(text, Format::Yaml, &ReadOptions::default())?;
/// assert_eq!(config.listeners[0].name, "r");
/// assert_eq!(config.limits().next().unwrap().code, "config/route-not-modeled");
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read_with(
    text: &str,
    format: Format,
    options: &ReadOptions,
) -> Result<EnvoyConfig, Vec<Diagnostic>> {
    read_sources(&[unnamed(text, format)], options)
}

/// Reads several texts as one input: clusters, endpoints and routes refer to each other by name,
/// whichever text has them.
///
/// # Errors
/// Like [`read_with`], for all texts. [`SourceMap`] finds the text of a position; of rejected texts,
/// [`SourceText::map`] makes it.
///
/// # Examples
/// ```
/// use spillgate_config::envoy::{ReadOptions, SourceText, read_sources};
///
/// let cluster = "{name: shop, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}";
/// let endpoints = "
/// cluster_name: shop
/// endpoints:
/// - lb_endpoints:
///   - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
/// ";
/// let texts = [
///     SourceText::guess("cds.yaml", cluster),
///     SourceText::guess("eds.yaml", endpoints),
/// ];
/// let config = read_sources(&texts, &ReadOptions::default())?;
/// assert_eq!(config.model.clusters()[0].priorities()[0].endpoints[0].address, "10.0.0.1:80");
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read_sources(
    sources: &[SourceText<'_>],
    options: &ReadOptions,
) -> Result<EnvoyConfig, Vec<Diagnostic>> {
    read_parsed(&ParsedSources::new(sources)?, options)
}

/// The same as [`read_sources`] and [`read_sources_for_lint`], but the texts are parsed once. Gives what the first
/// one reads, and passes what the second one reads to `judge`.
///
/// # Errors
/// Like [`read_sources`].
pub fn read_sources_and_judge(
    sources: &[SourceText<'_>],
    options: &ReadOptions,
    judge: impl FnOnce(&EnvoyConfig),
) -> Result<EnvoyConfig, Vec<Diagnostic>> {
    let parsed = ParsedSources::new(sources)?;
    let read = read_parsed(&parsed, options)?;
    // What it rejects, the other reader rejects, too.
    let judged = read_parsed_for_lint(&parsed, options)?;
    judge(&judged);
    Ok(EnvoyConfig {
        #[cfg(feature = "unread")]
        unread: judged.unread,
        ..read
    })
}

fn read_parsed(
    parsed: &ParsedSources<'_, '_>,
    options: &ReadOptions,
) -> Result<EnvoyConfig, Vec<Diagnostic>> {
    let mut listeners = Vec::new();
    let report = Report::new(ReaderOptions {
        purpose: Purpose::Predict,
        regex: options.regex,
        for_grpc: options.for_grpc,
    });
    let clusters = read_and(parsed, report, |roots, clusters, _, report| {
        listeners = read_listeners(roots, clusters, report);
    })?;
    Ok(clusters.with(listeners, ConfigFacts::default()))
}

/// Like [`read_with`], with the facts for lint. Faults that have a lint rule are not reported: for
/// example, Envoy rejects subsets next to a typed policy, but here the rest of such an input is
/// read.
///
/// # Errors
/// Like [`read_with`], without those faults.
///
/// # Examples
/// ```
/// use spillgate_config::envoy::{Format, ReadOptions, read_for_lint};
///
/// let text = r#"{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
///     {"lb_endpoints": [{"endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}"#;
/// let config = read_for_lint(text, Format::Json, &ReadOptions::default())?;
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
    read_sources_for_lint(&[unnamed(text, format)], options)
}

/// Like [`read_sources`], with the facts for lint.
///
/// # Errors
/// Like [`read_for_lint`], for all texts.
pub fn read_sources_for_lint(
    sources: &[SourceText<'_>],
    options: &ReadOptions,
) -> Result<EnvoyConfig, Vec<Diagnostic>> {
    read_parsed_for_lint(&ParsedSources::new(sources)?, options)
}

fn read_parsed_for_lint(
    parsed: &ParsedSources<'_, '_>,
    options: &ReadOptions,
) -> Result<EnvoyConfig, Vec<Diagnostic>> {
    let mut listeners = Vec::new();
    let mut facts = ConfigFacts::default();
    let report = Report::new(ReaderOptions {
        purpose: Purpose::Lint,
        regex: options.regex,
        for_grpc: options.for_grpc,
    });
    let clusters = read_and(parsed, report, |roots, clusters, found, report| {
        listeners = read_listeners(roots, clusters, report);
        facts = judged_facts(roots, (found, &listeners), parsed.sources, report);
    })?;
    Ok(clusters.with(listeners, facts))
}

/// Reads the clusters of the same inputs. Listeners and routes are skipped, valid or not.
///
/// # Errors
/// Like [`read_with`], for clusters.
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
    let sources = [unnamed(text, format)];
    let parsed = ParsedSources::new(&sources)?;
    read_and(&parsed, Report::default(), |_, _, _, _| {})
}

/// A text that is the whole input.
const fn unnamed(text: &str, format: Format) -> SourceText<'_> {
    SourceText {
        name: "",
        text,
        format,
    }
}

/// Texts with their syntax trees.
struct ParsedSources<'s, 't> {
    sources: &'s [SourceText<'t>],
    texts: Vec<ParsedText<'t>>,
    map: SourceMap,
}

impl<'s, 't> ParsedSources<'s, 't> {
    fn new(sources: &'s [SourceText<'t>]) -> Result<Self, Vec<Diagnostic>> {
        let (texts, map) = parse_all(sources)?;
        Ok(Self {
            sources,
            texts,
            map,
        })
    }
}

/// Reads the clusters, and with `rest` what else there is.
fn read_and(
    parsed: &ParsedSources<'_, '_>,
    mut report: Report,
    rest: impl FnOnce(&Roots<'_, '_>, ClusterNames<'_>, Vec<ClusterFacts>, &mut Report),
) -> Result<EnvoyClusters, Vec<Diagnostic>> {
    let ParsedSources {
        sources,
        texts,
        map,
    } = parsed;
    report.found_in(map.clone());
    for text in texts {
        report.doubt_all(text.document.warnings.clone());
    }
    let roots = sort(texts, &mut report);
    #[cfg(feature = "yaml")]
    find_runtime(roots.runtime.as_ref(), roots.local.layers(), &mut report);
    warn_duplicates(&roots, &mut report);
    note_missing_clusters(&roots, &mut report);
    let ReadClusters {
        clusters,
        skipped,
        hosts_known,
        facts,
    } = read_clusters(&roots, &mut report);
    members_exist(&clusters, &mut report);
    check_local_cluster(&roots.local, &clusters, &mut report);
    let mut known = KnownClusters {
        skipped,
        ..KnownClusters::default()
    };
    for read in &clusters {
        known.names.add(&read.cluster.name);
    }
    let (model, mut marks) = build_model(clusters, &mut report);
    let model = model.with_local(roots.local.info.clone());
    let read = model
        .clusters()
        .iter()
        .flat_map(|cluster| read_headers(cluster));
    for name in read {
        known.headers.add(name);
    }
    marks.local_locality = roots.local.locality;
    marks.lacks_bootstrap = !roots.local.stated;
    if let Some((path, position)) = &roots.local.cluster {
        marks.local_cluster = Some(*position);
        marks.local_cluster_path = path.text();
    }
    let has_clusters = !(known.names.is_empty() && known.skipped.is_empty());
    rest(
        &roots,
        // Without clusters, routes can name any; endpoints are not a list of clusters.
        Some(&known).filter(|_| has_clusters && !roots.clusters.is_empty() && !roots.partial),
        facts,
        &mut report,
    );
    let mut names = known.names;
    for name in known.skipped.iter() {
        names.add(name);
    }
    let local = &roots.local;
    // A dump also has the clusters of control planes, and a capture only a part of the bootstrap.
    let complete = local.stated && (local.cds.is_none() || report.is_dump());
    let answers = match local.admin {
        AdminAnswers::Missing if report.is_dump() && roots.has_statuses() => AdminAnswers::Unknown,
        answers => answers,
    };
    let access = AdminAccess::new(names, complete, answers);
    let map = report.sources().clone();
    report.hide_secrets(texts.iter().flat_map(|text| &text.document.roots));
    let over_time = report.take_over_time();
    #[cfg(feature = "unread")]
    note_formatted(
        &roots,
        texts.iter().flat_map(|text| &text.document.roots),
        &mut report,
    );
    #[cfg(feature = "unread")]
    let unread = report.take_unread();
    let mut warnings = report
        .finish()
        .map_err(|faults| explain_all(sources, &map, faults))?;
    if hosts_known {
        settle(&mut warnings);
    }
    settle_clusters(&mut warnings, |name| marks.knows_hosts(name));
    limit_unknown_zone(&model, &marks, &mut warnings);
    Ok(EnvoyClusters {
        model,
        marks,
        access,
        sources: map,
        warnings,
        over_time,
        #[cfg(feature = "unread")]
        unread,
    })
}
