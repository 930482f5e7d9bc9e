//! Where the callers are: `--callers`, pods, Prometheus, or what the configuration has.

use spillgate_admin::{AdminLimits, PrometheusClient};
use spillgate_answers::input::Faults;
use spillgate_config::Diagnostic;
use spillgate_sim::fleet::{CallerCounts, LocalClusterHosts};

use super::{args::FleetArgs, pods, series, stated::Stated, views::Views};
use crate::command::Done;

/// The callers of a fleet.
pub(super) struct FleetCallers {
    pub(super) counts: CallerCounts,
    /// Callers that are stated replace the hosts of the local cluster.
    pub(super) local: LocalClusterHosts,
}

impl FleetCallers {
    /// Reads the callers. `of_file` is the value of the file of `--fleet`, which options replace.
    ///
    /// # Errors
    /// Every error of the source.
    pub(super) fn read(
        args: &FleetArgs,
        of_file: Option<Stated>,
        views: &Views,
        done: &mut Done,
    ) -> Result<Self, Faults> {
        // At most one of these options is given.
        let stated = match (
            &args.callers,
            args.callers_from.as_slice(),
            &args.prometheus,
        ) {
            (Some(text), ..) => Some(of_text(&Stated::option("--callers", text), views)?),
            (None, paths @ [_, ..], _) => Some(pods::read(paths, &views.localities, done)?),
            (None, [], Some(url)) => Some(of_prometheus(url, args, views, done)?),
            (None, [], None) => of_file.map(|stated| of_text(&stated, views)).transpose()?,
        };
        Ok(match stated {
            Some(counts) => Self {
                counts,
                local: LocalClusterHosts::Callers,
            },
            None => Self {
                counts: views.callers.clone(),
                local: LocalClusterHosts::AsConfigured,
            },
        })
    }
}

fn of_text(stated: &Stated, views: &Views) -> Result<CallerCounts, Faults> {
    let read = CallerCounts::parse(&stated.text, &views.localities);
    read.map_err(|found| stated.faults(&found))
}

fn of_prometheus(
    url: &str,
    args: &FleetArgs,
    views: &Views,
    done: &mut Done,
) -> Result<CallerCounts, Faults> {
    let url = url
        .parse()
        .map_err(|fault: Box<Diagnostic>| Faults::one("--prometheus", &fault))?;
    let client = PrometheusClient::new(url, AdminLimits::default());
    let name = client.name();
    let query = args.query.as_deref().unwrap_or_default();
    let answer = client
        .query(query)
        .map_err(|fault| Faults::one(&name, &fault))?;
    let warnings = answer.warnings.iter();
    let warnings: Vec<Diagnostic> = warnings
        .map(|text| Diagnostic::warning("prometheus/warning", text))
        .collect();
    done.warn(&name, &warnings);
    let label = args.zone_label.as_deref();
    series::counts(&answer.samples, label, &views.localities)
        .map_err(|faults| Faults::all(&name, &faults))
}
