//! `spillgate export`: converts a configuration for Envoy or the filter, to tables, a picture or a scenario.
//!
//! `spillgate-export` writes the files, for the playground too. `spillgate-adopt` makes those for the filter from a
//! bootstrap with routes.

mod adopted;
mod args;

use args::To;
pub(crate) use args::{EXAMPLES, ExportArgs};

use adopted::adopted_file;

use spillgate_codec::link::{Scenario, SharedScenario, proposed};
use spillgate_config::Diagnostic;
use spillgate_core::{model::Model, visible::visible};
use spillgate_export::{
    ExportSource, ScenarioQuestion, filter_clusters, named_target, native_bootstrap, write_file,
};

use crate::{command::Done, config::Config};
use spillgate_answers::{input::Faults, limits::Limits, unknown::UnknownClusters};

/// Runs the command.
///
/// # Errors
/// Every error of the configuration, and every setting that the output format cannot express.
pub(crate) fn run(args: &ExportArgs) -> Result<Done, Faults> {
    let config = args.config.read()?;
    let mut done = Done::default();
    config.warn(&mut done);
    if let Some(target) = &args.target {
        named_target(&config.envoy.model, Some(target))
            .map_err(|fault| Faults::one(&config, &fault))?;
    }
    if let Some(text) = adopted_file(args, &config)? {
        // Nothing of the bootstrap is dropped.
        done.closing.clear();
        done.output = text;
        return Ok(done);
    }
    let dropped = Dropped::of(&config, &mut done);
    let question = ScenarioQuestion {
        cluster: None,
        lose: args.lose.clone(),
        expect: args.expect.clone(),
        view: Vec::new(),
    };
    let shared = shared(&config, args, &question)?;
    let (model, target, question) = match &shared {
        Some(shared) => (&shared.model, shared.target.as_deref(), &shared.question),
        None => (&config.envoy.model, args.target.as_deref(), &question),
    };
    let unknown = UnknownClusters::of(&config.envoy);
    // Shared clusters can have other names, in the same order.
    let clusters = config.envoy.model.clusters().iter().zip(model.clusters());
    let unknown = clusters.filter(|(own, _)| unknown.contains(&own.name));
    let unknown: Vec<&str> = unknown.map(|(_, cluster)| cluster.name.as_str()).collect();
    let source = ExportSource {
        unknown: &unknown,
        listeners: match shared {
            Some(_) => &[],
            None => &config.envoy.listeners,
        },
        target,
        question,
        ..ExportSource::of(model)
    };
    let fallback = args.fallback.of_list();
    let written = match (args.to.file(), args.to) {
        (Some(format), _) => write_file(&source, format),
        (None, To::Native) => native_bootstrap(&source, fallback),
        (None, _) => filter_clusters(&source, fallback),
    };
    let written = written.map_err(|faults| Faults::all(&config, &faults))?;
    done.warn(&config, &written.warnings);
    // Comments are for the owner of the configuration: they name its settings.
    if args.to.has_comments() && args.disclosure().is_none() {
        done.output = dropped.comments() + &written.text;
    } else {
        dropped.warn(&mut done);
        done.output = written.text;
    }
    Ok(done)
}

/// What decides in the configuration and is not in the output.
struct Dropped {
    /// The settings that are not modeled.
    limits: Limits,
    /// The settings that find out health, such as health checks.
    signals: Option<String>,
}

impl Dropped {
    /// Takes over what other commands say after their output.
    fn of(config: &Config, done: &mut Done) -> Self {
        done.closing.clear();
        Self {
            limits: config.limits(),
            signals: config.health_signals(),
        }
    }

    /// One line for each setting or group of settings.
    fn lines(&self) -> impl Iterator<Item = String> {
        let signals = self
            .signals
            .iter()
            .map(|fields| format!("not written: {fields}"));
        let limits = self.limits.iter();
        signals.chain(limits.map(|limit| format!("not written: {}", limit.effect_and_place())))
    }

    /// Comments of YAML.
    fn comments(&self) -> String {
        let lines = self.lines();
        lines
            .map(|line| format!("# {}\n", visible(&line)))
            .collect()
    }

    fn warn(&self, done: &mut Done) {
        done.warn_lines(self.lines());
    }
}

/// A source without addresses, and perhaps without names. Routes name clusters, so that they are omitted.
struct SharedSource {
    model: Model,
    target: Option<String>,
    question: ScenarioQuestion,
}

/// The source of a file for others, if the arguments ask for one.
fn shared(
    config: &Config,
    args: &ExportArgs,
    question: &ScenarioQuestion,
) -> Result<Option<SharedSource>, Faults> {
    let Some(disclosure) = args.disclosure() else {
        return Ok(None);
    };
    let model = &config.envoy.model;
    let mut shown = proposed(model.clusters());
    if args.target.is_some() {
        let name = named_target(model, args.target.as_deref())
            .map_err(|fault| Faults::one(config, &fault))?;
        let at = model
            .clusters()
            .iter()
            .position(|cluster| cluster.name == name);
        shown = at.unwrap_or(shown);
    }
    let scenario: Result<Scenario, _> = Scenario::new(model.clusters().to_vec(), shown);
    let scenario = scenario.map_err(|error| {
        let what = format!("the playground cannot show this configuration: {error}");
        Faults::one(config, &Diagnostic::error("export/not-shown", what))
    })?;
    let shared = SharedScenario::new(&scenario, disclosure);
    let all = |texts: &[String]| {
        texts
            .iter()
            .map(|text| shared.text(text).into_owned())
            .collect()
    };
    Ok(Some(SharedSource {
        target: args
            .target
            .is_some()
            .then(|| shared.scenario.name(shown).to_owned()),
        question: ScenarioQuestion {
            cluster: None,
            lose: all(&question.lose),
            expect: all(&question.expect),
            view: Vec::new(),
        },
        model: shared.scenario.model().clone(),
    }))
}
