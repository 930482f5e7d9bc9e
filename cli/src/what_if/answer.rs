//! The answer as data. The order of the fields is that of the JSON.

use serde::{Serialize, Serializer};
use spillgate_core::{model::Model, snapshot::HostRef};
use spillgate_sim::{Effect, State, WhatIf};

use super::question::Question;
use crate::{
    input::Faults,
    spec::faults,
    split::{Split, split_of},
};

/// What a loss does.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The split as it is.
    pub before: Split,
    /// The split without the lost hosts.
    pub after: Split,
    /// Where effects begin when the swept hosts are lost one by one, the last first.
    pub knees: Vec<KneeAnswer>,
    /// How many more of the swept hosts must be lost until a level with load panics; `null` where
    /// that never happens.
    pub panic_margin: Option<usize>,
    /// The highest ratio of share after to share before among the hosts that are left and had a
    /// share; `null` where there is none.
    pub overload: Option<f64>,
    /// What the loss of 0, 1, 2, ... swept hosts does.
    pub sweep: Vec<SweepRow>,
    /// The expectations, in the order in which they were given.
    pub expectations: Vec<Expected>,
    /// The cluster that all of this is about.
    pub cluster: String,
    /// The addresses of the lost hosts, in configuration order.
    pub lost: Vec<String>,
    /// The host with the highest ratio.
    pub overloaded: Option<String>,
    /// What becomes of 65,536 evenly spaced hashes; `null` where hashes do not choose.
    pub keys_moved: Option<KeysMoved>,
    /// What the loss of a part of each zone does.
    pub matrix: Vec<ZoneRow>,
    /// What the loss of whole zones does; empty unless asked for.
    pub n_minus: Vec<FailureRow>,
    /// Whether all of those are survived: every request finds a host, no level with load panics;
    /// `null` unless asked for.
    pub survives: Option<bool>,
    /// The figures behind the answer, for those who write it in words.
    #[serde(skip)]
    pub(crate) what_if: WhatIf,
}

/// Where an effect begins.
#[derive(Debug, Serialize)]
pub struct KneeAnswer {
    /// How many hosts are lost; 0 where it is so without a loss.
    pub lost: usize,
    /// `spill`, `panic` or `no_host`.
    #[serde(serialize_with = "name")]
    pub what: Effect,
    /// The place of the level that spills or panics; `null` where requests find no host.
    pub level: Option<usize>,
}

/// A row of the sweep.
#[derive(Debug, Serialize)]
pub struct SweepRow {
    /// How many hosts are lost.
    pub lost: usize,
    /// What the healthy hosts of each level get, in percent.
    pub healthy_load: Vec<u32>,
    /// What the degraded hosts of each level get, in percent.
    pub degraded_load: Vec<u32>,
    /// Whether each level serves from all its hosts.
    pub panic: Vec<bool>,
    /// The requests that find no host, in percent.
    pub no_host: f64,
}

/// What came of an expectation.
#[derive(Debug, Serialize)]
pub struct Expected {
    /// As given.
    pub expr: String,
    /// Whether it holds.
    pub ok: bool,
    /// The figure that was compared; `null` where there is none.
    pub value: Option<f64>,
}

/// Keys that change their host.
#[derive(Debug, Serialize)]
pub struct KeysMoved {
    /// Those whose host is certain before and after.
    pub keys: u64,
    /// Those that move.
    pub moved: u64,
    /// Those of them whose old host could still serve.
    pub needless: u64,
}

/// A zone of the matrix.
#[derive(Debug, Serialize)]
pub struct ZoneRow {
    /// Its region; empty where there is none.
    pub region: String,
    /// Its name.
    pub zone: String,
    /// How many hosts it has.
    pub hosts: usize,
    /// What losing a part of it does.
    pub cells: Vec<ZoneCell>,
}

/// A cell of the matrix.
#[derive(Debug, Serialize)]
pub struct ZoneCell {
    /// The part, in percent.
    pub percent: u32,
    /// How many hosts that is.
    pub lost: usize,
    /// The worst that happens: `none`, `spill`, `panic` or `no_host`.
    #[serde(serialize_with = "name")]
    pub effect: Effect,
}

/// The loss of one or two zones.
#[derive(Debug, Serialize)]
pub struct FailureRow {
    /// The zones.
    pub zones: Vec<String>,
    /// The load of each level, in percent.
    pub load: Vec<u32>,
    /// Whether each level with load panics.
    pub panic: Vec<bool>,
    /// The requests that find no host, in percent.
    pub no_host: f64,
    /// Whether it is survived.
    pub survives: bool,
}

impl Answer {
    /// Answers.
    pub(crate) fn new(model: &Model, question: &Question) -> Result<Self, Faults> {
        let scene = &question.scene;
        let what_if = scene.what_if(&question.lost, &question.swept);
        let mut wrong = Faults::default();
        let expectations = question.expectations.iter().filter_map(|expectation| {
            let checked = expectation.check(scene, &what_if);
            let checked = checked
                .map_err(|fault| wrong.extend(faults("--expect", &expectation.text, &[fault])));
            checked.ok().map(|checked| Expected {
                expr: expectation.text.clone(),
                ok: checked.ok,
                value: checked.value,
            })
        });
        let expectations = expectations.collect();
        if !wrong.is_empty() {
            return Err(wrong);
        }
        // The cluster that was asked for, else all of them.
        let names = question.chosen.then(|| question.name.clone());
        let split = |snapshot| split_of(model, snapshot, names.as_slice(), scene.criteria());
        let address = |host: HostRef| {
            let endpoint = scene.snapshot().endpoint(host);
            endpoint.map_or(String::new(), |endpoint| endpoint.address.clone())
        };
        let failures: Vec<FailureRow> = match question.n_minus {
            None => Vec::new(),
            Some(count) => failures(question, count > 1),
        };
        Ok(Self {
            before: split(scene.snapshot()),
            after: split(&what_if.snapshot),
            knees: what_if.knees.iter().map(knee).collect(),
            panic_margin: what_if.panic_margin,
            overload: what_if.overload.map(|worst| worst.factor()),
            sweep: what_if.sweep.iter().enumerate().map(sweep_row).collect(),
            expectations,
            cluster: question.name.clone(),
            lost: what_if.lost.iter().map(|&host| address(host)).collect(),
            overloaded: what_if.overload.map(|worst| address(worst.host)),
            keys_moved: keys_moved(question, &what_if),
            matrix: matrix(question),
            survives: (question.n_minus.is_some())
                .then(|| failures.iter().all(|failure| failure.survives)),
            n_minus: failures,
            what_if,
        })
    }
}

fn knee(knee: &spillgate_sim::Knee) -> KneeAnswer {
    KneeAnswer {
        lost: knee.lost,
        what: knee.what,
        level: knee.level,
    }
}

fn sweep_row((lost, state): (usize, &State)) -> SweepRow {
    let levels = || state.levels.iter();
    SweepRow {
        lost,
        healthy_load: levels().map(|level| level.healthy_load).collect(),
        degraded_load: levels().map(|level| level.degraded_load).collect(),
        panic: levels().map(|level| level.panic).collect(),
        no_host: state.no_host,
    }
}

fn keys_moved(question: &Question, what_if: &WhatIf) -> Option<KeysMoved> {
    let moved = question.scene.keys_moved(&what_if.snapshot)?;
    Some(KeysMoved {
        keys: moved.keys,
        moved: moved.moved,
        needless: moved.needless,
    })
}

fn matrix(question: &Question) -> Vec<ZoneRow> {
    let row = |zone: &spillgate_sim::Zone| ZoneRow {
        region: zone.region.clone(),
        zone: zone.zone.clone(),
        hosts: zone.hosts.len(),
        cells: (question.scene.cells(zone).iter())
            .map(|cell| ZoneCell {
                percent: cell.percent,
                lost: cell.lost,
                effect: cell.effect,
            })
            .collect(),
    };
    question.zones.iter().map(row).collect()
}

fn failures(question: &Question, two: bool) -> Vec<FailureRow> {
    let failures = question.scene.failures(&question.zones, two);
    let name = |&at: &usize| {
        let zone = question.zones.get(at);
        zone.map_or(String::new(), |zone| zone.zone.clone())
    };
    let row = |failure: &spillgate_sim::Failure| FailureRow {
        zones: failure.zones.iter().map(name).collect(),
        load: failure.state.levels.iter().map(|l| l.load()).collect(),
        panic: (0..failure.state.levels.len())
            .map(|level| failure.state.panics(level))
            .collect(),
        no_host: failure.state.no_host,
        survives: failure.state.survives(),
    };
    failures.iter().map(row).collect()
}

fn name<S: Serializer>(effect: &Effect, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(effect.name())
}
