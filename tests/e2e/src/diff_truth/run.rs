//! A whole run: batches of pairs, wrong verdicts, and the summary.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use spillgate_testkit::models::Dice;

use super::change::PairChange;
use super::check::{CountTest, PairCheck, Seen, TestKind};
use super::generate::Generator;
use super::options::TruthSettings;
use super::pair::ConfigPair;
use super::record::record;
use super::{equality, figures, routes};
use crate::Workdir;
use crate::differential::{Batch, DifferentialScenario, Observations};

/// Pairs of one Envoy process for each side.
const BATCH: u64 = 40;
/// Pairs with less likely counts are asked again, with other keys and more of them. The first count only chooses:
/// small cells make the probability of a distribution inexact so far out.
const DOUBTFUL: f64 = 1e-3;
/// How many times as many requests that are.
const AGAIN: usize = 4;
/// The chance that a run without a wrong verdict reports one.
const FAMILY_WISE: f64 = 0.01;

/// The summary of a run.
#[derive(Debug, Clone, Default)]
pub struct TruthSummary {
    /// Pairs whose verdicts were checked, by change: all of them, and those that are proved equal.
    pub pairs: BTreeMap<PairChange, (usize, usize)>,
    /// Requests to both sides together.
    pub requests: usize,
    /// Requests with deterministic choices that had to be equal.
    pub determined: usize,
    /// Requests with random choices whose distribution had to be equal.
    pub random: usize,
    /// Tests of counts, by what they are about.
    tests: BTreeMap<TestKind, usize>,
    /// The smallest probability of all tests.
    pub smallest: f64,
    /// Wrong verdicts.
    pub wrong: Vec<String>,
    /// Its duration.
    pub took: Duration,
}

impl TruthSummary {
    /// The number of pairs whose verdicts were checked.
    #[must_use]
    pub fn checked(&self) -> usize {
        self.pairs.values().map(|(all, _)| all).sum()
    }

    /// The number of tests of counts.
    #[must_use]
    pub fn tests(&self) -> usize {
        self.tests.values().sum()
    }

    /// The result in one line.
    #[must_use]
    pub fn figure(&self) -> String {
        let equal: usize = self.pairs.values().map(|(_, equal)| equal).sum();
        format!(
            "{} pairs, {equal} of them proved equal, {} requests: {} wrong verdicts; {} deterministic and {} random \
             requests proved equal, {} tests of counts, smallest probability {:.1e}; {:.0} s",
            self.checked(),
            self.requests,
            self.wrong.len(),
            self.determined,
            self.random,
            self.tests(),
            self.smallest,
            self.took.as_secs_f64()
        )
    }

    fn add(&mut self, pair: &ConfigPair, found: &PairCheck) {
        let (all, equal) = self.pairs.entry(pair.change).or_default();
        *all += 1;
        *equal += usize::from(pair.is_equal());
        self.determined += found.determined;
        self.random += found.random;
        for test in &found.tests {
            *self.tests.entry(test.kind).or_default() += 1;
        }
        self.smallest = self.smallest.min(found.smallest());
    }
}

/// A pair with counts that are unlikely twice.
struct Unlikely {
    pair: ConfigPair,
    test: CountTest,
}

/// Runs all of it. Progress goes to the standard error.
///
/// # Errors
/// When Envoy refuses a configuration or stops answering.
pub fn run(settings: &TruthSettings, workdir: &Workdir) -> Result<TruthSummary> {
    let started = Instant::now();
    let generator = Generator::new(settings)?;
    let mut summary = TruthSummary {
        smallest: 1.0,
        ..TruthSummary::default()
    };
    let mut unlikely = Vec::new();
    for first in (0..settings.pairs).step_by(BATCH as usize) {
        let over = settings
            .limit
            .is_some_and(|limit| started.elapsed() >= limit);
        if over {
            break;
        }
        let numbers = first..(first + BATCH).min(settings.pairs);
        let pairs = generator.batch(first / BATCH, numbers)?;
        let doubtful = batch(settings, workdir, pairs, &mut summary)?;
        unlikely.extend(again(settings, workdir, doubtful, &mut summary)?);
        eprintln!(
            "{:6.1} s: {} of {} pairs, {} requests, {} tests, {} wrong, {} unlikely",
            started.elapsed().as_secs_f64(),
            summary.checked(),
            settings.pairs,
            summary.requests,
            summary.tests(),
            summary.wrong.len(),
            unlikely.len(),
        );
    }
    let tests = summary.tests() as f64;
    for Unlikely { pair, test } in unlikely {
        if test.probability * tests < FAMILY_WISE {
            let what = format!("{} (probability {:.1e})", test.what, test.probability);
            wrong(settings, &pair, &[what], &mut summary)?;
        }
    }
    summary.took = started.elapsed();
    Ok(summary)
}

/// Checks pairs; returns those whose counts are unlikely.
fn batch(
    settings: &TruthSettings,
    workdir: &Workdir,
    pairs: Vec<ConfigPair>,
    summary: &mut TruthSummary,
) -> Result<Vec<ConfigPair>> {
    let mut doubtful = Vec::new();
    for (pair, found) in checked(workdir, pairs, summary)? {
        if !found.differences.is_empty() {
            summary.add(&pair, &PairCheck::default());
            wrong(settings, &pair, &found.differences, summary)?;
        } else if found.smallest() < DOUBTFUL {
            doubtful.push(pair);
        } else {
            summary.add(&pair, &found);
        }
    }
    Ok(doubtful)
}

/// Checks pairs with other keys and more of them; returns those whose counts are unlikely again.
fn again(
    settings: &TruthSettings,
    workdir: &Workdir,
    mut pairs: Vec<ConfigPair>,
    summary: &mut TruthSummary,
) -> Result<Vec<Unlikely>> {
    for pair in &mut pairs {
        pair.ask(AGAIN, &mut Dice::of(settings.seed ^ 0xa9a1, pair.number));
    }
    let mut unlikely = Vec::new();
    for (pair, mut found) in checked(workdir, pairs, summary)? {
        summary.add(&pair, &found);
        if !found.differences.is_empty() {
            wrong(settings, &pair, &found.differences, summary)?;
            continue;
        }
        found
            .tests
            .sort_by(|a, b| a.probability.total_cmp(&b.probability));
        let worst = found.tests.into_iter().next();
        let worst = worst.filter(|test| test.probability < DOUBTFUL);
        unlikely.extend(worst.map(|test| Unlikely { pair, test }));
    }
    Ok(unlikely)
}

/// Lets Envoy serve both sides of pairs.
fn checked(
    workdir: &Workdir,
    pairs: Vec<ConfigPair>,
    summary: &mut TruthSummary,
) -> Result<Vec<(ConfigPair, PairCheck)>> {
    if pairs.is_empty() {
        return Ok(Vec::new());
    }
    let old = observed(workdir, pairs.iter().map(|pair| &pair.old).collect())?;
    let new = observed(workdir, pairs.iter().map(|pair| &pair.new).collect())?;
    let mut found = Vec::new();
    for ((pair, old), new) in pairs.into_iter().zip(&old).zip(&new) {
        summary.requests += pair.old.total() + pair.new.total();
        let answers = pair
            .answers()
            .with_context(|| format!("pair {}", pair.number))?;
        let seen = Seen {
            old,
            new,
            answers: &answers,
        };
        let check = check(&pair, &seen);
        found.push((pair, check));
    }
    Ok(found)
}

fn observed(workdir: &Workdir, side: Vec<&DifferentialScenario>) -> Result<Vec<Observations>> {
    Batch::start(workdir, side)?.ask()
}

fn wrong(
    settings: &TruthSettings,
    pair: &ConfigPair,
    what: &[String],
    summary: &mut TruthSummary,
) -> Result<()> {
    let folder = record(pair, settings.seed, what, &settings.findings)?;
    let first = what.first().map_or("", String::as_str);
    let text = format!(
        "pair {} ({}): {} wrong, first: {first}\n  {}",
        pair.number,
        pair.change.name(),
        what.len(),
        folder.display()
    );
    eprintln!("{text}");
    summary.wrong.push(text);
    Ok(())
}

impl fmt::Display for TruthSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (change, (all, equal)) in &self.pairs {
            writeln!(
                f,
                "  {:<24} {all:>4} pairs, {equal:>4} proved equal",
                change.name()
            )?;
        }
        for (kind, count) in &self.tests {
            writeln!(f, "  {:<24} {count:>6} tests", kind.name())?;
        }
        for wrong in &self.wrong {
            writeln!(f, "{wrong}")?;
        }
        f.write_str(&self.figure())
    }
}

/// Checks everything that the comparison says about a pair.
fn check(pair: &ConfigPair, seen: &Seen<'_>) -> PairCheck {
    let mut found = PairCheck::default();
    equality::check(pair, seen, &mut found);
    figures::check(pair, seen, &mut found);
    routes::check(pair, seen, &mut found);
    found
}
