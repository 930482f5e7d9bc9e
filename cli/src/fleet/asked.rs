//! The options as a fleet: all values are read, and all errors are reported.

use spillgate_answers::input::Faults;
use spillgate_config::Diagnostic;
use spillgate_core::model::Locality;
use spillgate_sim::{
    SpecFault,
    fleet::{
        CallerClass, CallerCounts, CapacityRule, Fleet, FleetExpectation, LocalClusterHosts,
        LostCallers, TrafficPrice, ZoneAmounts,
    },
};

use super::{
    args::{FleetArgs, LostCallersArg},
    callers::FleetCallers,
    file::FleetFile,
    stated::Stated,
    views::Views,
};

/// A fleet, and what is asked about it.
pub(super) struct Asked {
    pub(super) fleet: Fleet,
    /// The value of each capacity rule of the fleet.
    pub(super) capacities: Vec<Stated>,
    pub(super) expectations: Vec<(Stated, FleetExpectation)>,
    /// The number of zones that are lost together; `None` for the default.
    pub(super) n_minus: Option<u8>,
}

/// Reads the amounts of some zones.
type ReadAmounts = fn(&str, &[Locality]) -> Result<ZoneAmounts, Vec<SpecFault>>;

/// Collects errors while values are read.
#[derive(Default)]
struct Reading {
    wrong: Faults,
    /// Whether `--rps` is stated and has errors: then it is not missing, too.
    rps_is_wrong: bool,
}

impl Reading {
    fn all<T>(&mut self, stated: &Stated, read: Result<T, Vec<SpecFault>>) -> Option<T> {
        read.map_err(|found| self.wrong.extend(stated.faults(&found)))
            .ok()
    }
}

impl Asked {
    /// Reads the options and the file.
    ///
    /// # Errors
    /// Every error in them, and what is missing.
    pub(super) fn new(
        args: &FleetArgs,
        file: FleetFile,
        views: &Views,
        callers: Result<FleetCallers, Faults>,
    ) -> Result<Self, Faults> {
        let mut reading = Reading::default();
        let one = |option, own: &Option<String>, of_file| {
            own.as_ref()
                .map(|text| Stated::option(option, text))
                .or(of_file)
        };
        let list = |option, own: &[String], of_file: Vec<Stated>| {
            let own = own.iter().map(|text| Stated::option(option, text));
            of_file.into_iter().chain(own).collect::<Vec<_>>()
        };
        let (callers, local, zones) = match callers {
            Ok(FleetCallers { counts, local }) => {
                let zones = counts.all().iter().map(|(zone, _)| zone.clone());
                let zones: Vec<Locality> = zones.collect();
                (counts, local, zones)
            }
            Err(faults) => {
                reading.wrong.extend(faults);
                // Where the callers are is not known.
                let zones = views.localities.clone();
                (CallerCounts::default(), LocalClusterHosts::Callers, zones)
            }
        };
        let mut amounts = |option, own: &Option<String>, of_file, read: ReadAmounts| {
            let stated = one(option, own, of_file)?;
            let read = read(&stated.text, &zones);
            // Without callers, no zone is known.
            if zones.is_empty() {
                None
            } else {
                reading.all(&stated, read)
            }
        };
        let states_rps = args.rps.is_some() || file.rps.is_some();
        let rps = amounts("--rps", &args.rps, file.rps, ZoneAmounts::parse_requests);
        let bytes = amounts("--bytes", &args.bytes, file.bytes, ZoneAmounts::parse);
        reading.rps_is_wrong = states_rps && rps.is_none();
        let mut capacities = Vec::new();
        for stated in list("--capacity", &args.capacity, file.capacity) {
            let rules = reading.all(&stated, CapacityRule::parse(&stated.text));
            capacities.extend(
                rules
                    .into_iter()
                    .flatten()
                    .map(|rule| (stated.clone(), rule)),
            );
        }
        let mut prices = Vec::new();
        for stated in list("--cost", &args.cost, file.cost) {
            let known: Vec<Locality> = views.localities.iter().chain(&zones).cloned().collect();
            let read = TrafficPrice::parse(&stated.text, &known);
            prices.extend(reading.all(&stated, read).into_iter().flatten());
        }
        let mut expectations = Vec::new();
        for stated in list("--expect", &args.expect, file.expect) {
            let read = FleetExpectation::parse(&stated.text);
            expectations.extend(reading.all(&stated, read).map(|of| (stated, of)));
        }
        let classes = reading.classes(callers.all(), rps.as_ref(), bytes.as_ref(), views);
        if !reading.wrong.is_empty() {
            return Err(reading.wrong);
        }
        let lost_callers = args.lost_callers.or(file.lost_callers);
        let (capacities, rules) = capacities.into_iter().unzip();
        Ok(Self {
            fleet: Fleet {
                configs: views
                    .configs
                    .iter()
                    .map(|(_, config)| config.clone())
                    .collect(),
                classes,
                criteria: views.criteria.clone(),
                local,
                lost_callers: lost_callers.map_or(LostCallers::Stay, LostCallersArg::policy),
                capacities: rules,
                prices,
                zones: views.zones.clone(),
                relays: views.relays.clone(),
            },
            capacities,
            expectations,
            n_minus: args.n_minus.or(file.n_minus),
        })
    }
}

impl Reading {
    /// A value that is missing, or does not fit the input.
    fn missing(
        &mut self,
        views: &Views,
        code: &'static str,
        message: &str,
        found: String,
        expected: &str,
    ) {
        let fault = Diagnostic::error(code, message);
        let fault = if found.is_empty() {
            fault
        } else {
            fault.found(found)
        };
        self.wrong
            .push(views.name.as_str(), &fault.expected(expected));
    }

    /// The callers of each zone with their requests.
    fn classes(
        &mut self,
        callers: &[(Locality, u64)],
        rps: Option<&ZoneAmounts>,
        bytes: Option<&ZoneAmounts>,
        views: &Views,
    ) -> Vec<CallerClass> {
        if callers.is_empty() {
            if self.wrong.is_empty() {
                let expected = "--callers ZONE=N,..., --callers-from PODS, --prometheus URL, a local cluster (local_cluster_name) in CONFIG, or Dataplanes";
                self.missing(
                    views,
                    "fleet/no-callers",
                    "the callers are not known",
                    String::new(),
                    expected,
                );
            }
            return Vec::new();
        }
        let mut classes = Vec::new();
        for (locality, count) in callers {
            let Some(config) = config_of(locality, views) else {
                let expected = "a zone of the mesh";
                self.missing(
                    views,
                    "fleet/unknown-zone",
                    "unknown zone",
                    locality.to_string(),
                    expected,
                );
                continue;
            };
            let own = rps.and_then(|rps| rps.of(locality));
            if own.is_none() && *count > 0 && !self.rps_is_wrong {
                let expected = "--rps N, or --rps with each zone with callers";
                let zone = format!("zone {}", locality.zone);
                self.missing(
                    views,
                    "fleet/no-rate",
                    "the requests of these callers are not known",
                    zone,
                    expected,
                );
            }
            classes.push(CallerClass {
                config,
                locality: locality.clone(),
                callers: *count,
                rps: own.unwrap_or(0.0),
                bytes: bytes.and_then(|bytes| bytes.of(locality)),
            });
        }
        classes
    }
}

/// The index of the configuration of a zone.
fn config_of(locality: &Locality, views: &Views) -> Option<usize> {
    views.configs.iter().position(|(zone, _)| {
        zone.as_ref()
            .is_none_or(|of| of.region == locality.region && of.zone == locality.zone)
    })
}
