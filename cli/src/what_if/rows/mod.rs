//! The answer about several clusters: a row for each, worst first.

mod row;
mod table;
mod verdict;

use std::cmp::Ordering;

use serde_json::{Map, Value, json};
use spillgate_answers::{input::Faults, split::json_text, unknown::HOSTS_UNKNOWN};
use spillgate_config::Position;
use spillgate_sim::{Expectation, SpecFault, ZoneLoss};

use self::row::{NoRowFigures, Row, compare_figures};
use super::{
    args::Format,
    asked::{Asked, Matched},
    cluster_answer::ClusterAnswer,
    inquiry::{Figures, Inquiry, NO_HOSTS, UNKNOWN_HOSTS, hosts_unknown, no_hosts},
    loss_report::Expected,
    question::{AbsentHosts, Question, Subject},
    sarif::{self, SarifPlace},
};
use crate::{
    color::output_style,
    command::{Done, Finished},
    mesh::add_istio_version,
    progress::Progress,
    spec::faults,
};

/// A cluster with its row, or with one for each of two clients.
#[derive(Debug)]
struct ClusterRows {
    name: String,
    rows: Vec<Row>,
    /// The JSON object, if that is the format.
    value: Value,
    /// The number of settings that are not modeled and concern it.
    limits: usize,
}

/// Answers about all clusters in question.
///
/// # Errors
/// Selectors and expectations that fit no cluster, and the errors of a single cluster if none has figures.
pub(super) fn run(inquiry: &Inquiry<'_>, mut done: Done) -> Finished {
    let (args, config) = (inquiry.args, inquiry.config);
    let progress = Progress::busy("evaluating losses");
    let mut clusters = evaluate(inquiry)?;
    drop(progress);
    // Stable: equal rows stay in configuration order.
    clusters.sort_by(|one, other| other.compare(one));
    let expectations = || clusters.iter().flat_map(ClusterRows::expectations);
    done.negative = expectations().any(|(_, expected)| !expected.ok);
    done.output = match args.format {
        Format::Json => {
            let mut value = Map::new();
            let values = clusters.into_iter().map(|cluster| cluster.value);
            value.insert("clusters".into(), values.collect());
            let mut value = Value::Object(value);
            add_istio_version(&mut value, config.istio_version);
            json_text(&value)
        }
        Format::Text => table::write(&clusters, inquiry, output_style()),
        Format::Sarif => {
            let placed =
                expectations().map(|(name, expected)| (SarifPlace::of(config, name), expected));
            let file = config.files().place(Position::START);
            sarif::write_all(file.name, args, placed)
        }
    };
    Ok(done)
}

/// The rows of all clusters, in configuration order.
fn evaluate(inquiry: &Inquiry<'_>) -> Result<Vec<ClusterRows>, Faults> {
    let mut matched = Matched::default();
    let mut all = Vec::new();
    for name in &inquiry.names {
        all.push(ClusterRows::new(inquiry, name, &mut matched)?);
    }
    let rows = || all.iter().flat_map(|cluster| &cluster.rows);
    if rows().all(|row| row.figures.is_err()) && inquiry.reading.is_none() {
        let files = inquiry.config.files();
        let mut unknown = inquiry.names.iter();
        let unknown = unknown.find_map(|name| inquiry.unknown_hosts(name));
        let fault = unknown.map_or_else(
            || no_hosts(NO_HOSTS),
            |cluster| hosts_unknown(UNKNOWN_HOSTS, cluster),
        );
        return Err(Faults::one(files, &fault));
    }
    let mut wrong = matched.faults();
    for expectation in &inquiry.asked.expectations {
        if let Some(fault) = fits_no_cluster(expectation, &all, inquiry) {
            wrong.extend(faults("--expect", &expectation.text, &[fault]));
        }
    }
    if wrong.is_empty() {
        Ok(all)
    } else {
        Err(wrong)
    }
}

/// The error of an expectation about hosts, a priority or a cluster that no cluster in question has.
fn fits_no_cluster(
    expectation: &Expectation,
    clusters: &[ClusterRows],
    inquiry: &Inquiry<'_>,
) -> Option<SpecFault> {
    let mut found: Option<SpecFault> = None;
    let mut is_about_one = false;
    for row in clusters.iter().flat_map(|cluster| &cluster.rows) {
        let suffix = row
            .client
            .map_or_else(String::new, |name| format!(" ({name})"));
        for expected in &row.expectations {
            if expected.expr.strip_suffix(suffix.as_str()) != Some(expectation.text.as_str()) {
                continue;
            }
            is_about_one = true;
            let fault = expected.absent.as_deref()?.clone();
            found = Some(match found {
                Some(known) => known.or(&fault),
                None => fault,
            });
        }
    }
    if is_about_one {
        return found;
    }
    let names = inquiry.names.iter().flat_map(|name| inquiry.members(name));
    expectation.unknown_cluster(names)
}

impl ClusterRows {
    fn new(inquiry: &Inquiry<'_>, name: &str, matched: &mut Matched) -> Result<Self, Faults> {
        let args = inquiry.args;
        if let Some(cluster) = inquiry.unknown_hosts(name) {
            let reason = if cluster == name {
                HOSTS_UNKNOWN.to_owned()
            } else {
                format!("member {cluster}: {HOSTS_UNKNOWN}")
            };
            return Ok(Self::unknown(inquiry, name, NoRowFigures::Unknown(reason)));
        }
        let Some(subject) = inquiry.subject(name, inquiry.scope()) else {
            return Ok(Self::unknown(inquiry, name, NoRowFigures::NoHosts));
        };
        let members = inquiry.members(name);
        let mut asked = inquiry.asked.within(&subject.scene, &members, matched);
        let zones = subject.scene.zones().len();
        asked.n_minus = asked.n_minus.filter(|count| usize::from(*count) <= zones);
        let subject = Subject {
            absent: AbsentHosts::GetNothing,
            ..subject
        };
        let question = Question::new(inquiry.config.files(), &asked, subject)?;
        let is_changed = !question.subject.changes.is_empty();
        let figures = match args.format {
            Format::Json => Figures::All,
            Format::Text if is_changed => Figures::All,
            Format::Text | Format::Sarif => Figures::OfTable,
        };
        let answer = ClusterAnswer::new(inquiry, &question, figures)?;
        let zone_loss = zone_loss(&inquiry.asked).filter(|loss| match loss {
            ZoneLoss::Single => zones >= 1,
            ZoneLoss::Pairs => zones >= 2,
        });
        let rows = answer.by_client().into_iter();
        Ok(Self {
            name: name.into(),
            rows: rows
                .map(|answers| Row::new(&question, answers, zone_loss, &answer.success))
                .collect(),
            value: match args.format {
                Format::Json => named(name, answer.value(&question, args)),
                Format::Text | Format::Sarif => Value::Null,
            },
            limits: answer.limits().iter().count(),
        })
    }

    /// A cluster without figures: the expectations about it fail.
    fn unknown(inquiry: &Inquiry<'_>, name: &str, why: NoRowFigures) -> Self {
        let members = inquiry.members(name);
        let reason = why.reason();
        let concerns = |expectation: &&Expectation| {
            let named = expectation.cluster();
            named.is_none_or(|name| members.contains(&name))
        };
        let expectations = inquiry.asked.expectations.iter().filter(concerns);
        let expectations: Vec<Expected> = expectations
            .map(|of| Expected::unknown(&of.text, Some(reason.to_owned())))
            .collect();
        let value = json!({
            "cluster": name,
            "lost": [],
            "unknown": reason,
            "expectations": expectations,
        });
        Self {
            name: name.into(),
            value: named(name, value),
            rows: vec![Row::without_figures(why, expectations)],
            limits: 0,
        }
    }

    /// Whether a client has figures of it.
    fn has_figures(&self) -> bool {
        self.rows.iter().any(|row| row.figures.is_ok())
    }

    /// Whether it has figures, but too few zones to lose.
    fn has_too_few_zones(&self) -> bool {
        let mut figures = self.rows.iter().filter_map(|row| row.figures.as_ref().ok());
        figures.any(|figures| figures.zones.is_none())
    }

    /// Compares their worst rows.
    fn compare(&self, other: &Self) -> Ordering {
        let worst = |of: &Self| of.rows.iter().map(Row::severity).max_by(compare_figures);
        match (worst(self), worst(other)) {
            (Some(one), Some(other)) => compare_figures(&one, &other),
            (one, other) => one.is_some().cmp(&other.is_some()),
        }
    }

    fn expectations(&self) -> impl Iterator<Item = (&str, &Expected)> {
        let expectations = self.rows.iter().flat_map(|row| &row.expectations);
        expectations.map(|expected| (self.name.as_str(), expected))
    }
}

impl NoRowFigures {
    /// The reason, in words.
    fn reason(&self) -> &str {
        match self {
            Self::NoHosts => "cluster has no hosts",
            Self::Unknown(reason) => reason,
        }
    }
}

/// The loss of whole zones that `--n-minus` or an expectation asks for.
fn zone_loss(asked: &Asked) -> Option<ZoneLoss> {
    let given = asked.n_minus.map(|count| match count {
        2 => ZoneLoss::Pairs,
        _ => ZoneLoss::Single,
    });
    let mut expectations = asked.expectations.iter();
    given.or_else(|| expectations.find_map(Expectation::survived))
}

/// An object with the name of its cluster first.
fn named(name: &str, value: Value) -> Value {
    let mut named = Map::new();
    named.insert("name".into(), json!(name));
    if let Value::Object(value) = value {
        named.extend(value);
    }
    Value::Object(named)
}
