//! The argument `--admin`: a running Envoy as the source of a configuration, its hosts and their health.

use std::time::Duration;

use spillgate_admin::{AdminClient, AdminLimits, AdminPath, AdminUrl, mark_rejected};
use spillgate_answers::input::Faults;
use spillgate_config::{
    Affects, Diagnostic, DiagnosticSeverity, NamedText,
    clusters::{ClusterStatus, read_reported},
    mesh::go_duration,
    node::quote,
};

/// The arguments that name a running Envoy.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct AdminArgs {
    /// Read a running Envoy instead: http://HOST:PORT or unix:PATH.
    #[arg(long = "admin", value_name = "URL")]
    #[arg(conflicts_with_all = ["health", "root"])]
    pub url: Option<String>,
    /// Longest time for each response, such as 500ms or 2m [default: 30s].
    #[arg(long = "admin-timeout", value_name = "TIME")]
    pub timeout: Option<String>,
}

/// What a running Envoy reports.
#[derive(Debug)]
pub(crate) struct RunningEnvoy {
    /// The response of /config_dump, with marks on configurations that it shows and that do not serve.
    pub(crate) dump: NamedText,
    /// The response of /clusters.
    pub(crate) clusters: NamedText,
    /// The response of /runtime, if Envoy sends it.
    pub(crate) runtime: Option<NamedText>,
    /// The limits of missing responses.
    pub(crate) missing: Vec<Diagnostic>,
}

impl AdminArgs {
    /// Reads the Envoy of `--admin`; `None` without that option.
    ///
    /// # Errors
    /// An invalid option, or the first request that fails.
    pub(crate) fn read(&self) -> Result<Option<RunningEnvoy>, Faults> {
        let Some(url) = &self.url else {
            return Ok(None);
        };
        let client = client_of("--admin", url, self.timeout.as_deref())?;
        RunningEnvoy::read(&client).map(Some)
    }
}

/// A client of the admin interface that an argument names.
///
/// # Errors
/// An invalid URL or time.
pub(crate) fn client_of(
    argument: &str,
    url: &str,
    timeout: Option<&str>,
) -> Result<AdminClient, Faults> {
    let url = admin_url(argument, url)?;
    let mut limits = AdminLimits::default();
    if let Some(timeout) = timeout {
        limits.time = positive_time("--admin-timeout", timeout)?;
    }
    Ok(AdminClient::new(url, limits))
}

/// The admin interface that an argument names.
///
/// # Errors
/// An invalid URL.
pub(crate) fn admin_url(argument: &str, url: &str) -> Result<AdminUrl, Faults> {
    url.parse()
        .map_err(|fault: Box<_>| Faults::one(argument, &fault))
}

/// A duration above 0, as in `500ms`, `10s` or `1m30s`.
///
/// # Errors
/// Any other text.
pub(crate) fn positive_time(argument: &str, text: &str) -> Result<Duration, Faults> {
    let time = go_duration(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| {
        let fault = Diagnostic::error("input/time", "invalid duration")
            .found(quote(text))
            .expected("a duration above 0, such as 500ms or 10s");
        Faults::one(argument, &fault)
    })
}

/// The response to a request.
///
/// # Errors
/// The error of the request, with its URL.
pub(crate) fn get(client: &AdminClient, path: AdminPath) -> Result<NamedText, Faults> {
    client
        .get(path)
        .map_err(|fault| Faults::one(&client.name_of(path), &fault))
}

/// The configuration, with marks on filter configurations from ECDS that it shows and that do not serve. A limit
/// is added to `missing` if that is unknown.
///
/// # Errors
/// The error of the request for the configuration.
pub(crate) fn dump_of(
    client: &AdminClient,
    missing: &mut Vec<Diagnostic>,
) -> Result<NamedText, Faults> {
    let mut dump = get(client, AdminPath::ConfigDump)?;
    if !dump.text.contains("EcdsConfigDump") {
        return Ok(dump);
    }
    match client.get(AdminPath::Discovery) {
        Ok(stats) => {
            if let Some(marked) = mark_rejected(&dump.text, &stats.text) {
                dump.text = marked;
            }
        }
        Err(fault) => {
            let effect = format!(
                "cannot read /stats ({}): the dump can show filter configurations that Envoy rejected while previous ones serve",
                fault.message
            );
            missing.push(Diagnostic::limit(
                "admin/no-stats",
                effect,
                Affects::Everything,
            ));
        }
    }
    Ok(dump)
}

/// The runtime values, or the limit that they are unknown: the other answers are enough for a prediction.
pub(crate) fn runtime_of(client: &AdminClient) -> Result<NamedText, Box<Diagnostic>> {
    client.get(AdminPath::Runtime).map_err(|fault| {
        let effect = format!(
            "cannot read /runtime ({}): runtime values can override thresholds, fractions and weights",
            fault.message
        );
        Box::new(Diagnostic::limit(
            "admin/no-runtime",
            effect,
            Affects::Everything,
        ))
    })
}

impl RunningEnvoy {
    /// Reads configuration, hosts and health.
    ///
    /// # Errors
    /// The first request that fails: the others would fail in the same way.
    pub(crate) fn read(client: &AdminClient) -> Result<Self, Faults> {
        let mut missing = Vec::new();
        let dump = dump_of(client, &mut missing)?;
        let clusters = get(client, AdminPath::Clusters)?;
        let runtime = runtime_of(client);
        let runtime = runtime.map_err(|limit| missing.push(*limit)).ok();
        Ok(Self {
            dump,
            clusters,
            runtime,
            missing,
        })
    }
}

/// The hosts that a running Envoy reports.
#[derive(Debug)]
pub(crate) struct ReportedHosts<'t> {
    /// The URL or file, for warnings.
    pub(crate) name: &'t str,
    /// The hosts by cluster.
    pub(crate) clusters: Vec<ClusterStatus<'t>>,
    /// Warnings about values that this version does not know: a newer Envoy may report some.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// The hosts in a response of /clusters.
///
/// # Errors
/// Every error of the response.
pub(crate) fn reported_hosts(response: &NamedText) -> Result<ReportedHosts<'_>, Faults> {
    let reported =
        read_reported(&response.text).map_err(|faults| Faults::all(&response.name, &faults))?;
    let warning = reported.unknown.map(|unknown| Diagnostic {
        severity: DiagnosticSeverity::Warning,
        ..unknown
    });
    Ok(ReportedHosts {
        name: &response.name,
        clusters: reported.clusters,
        warnings: warning.into_iter().collect(),
    })
}
