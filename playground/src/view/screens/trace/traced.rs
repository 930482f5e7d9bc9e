//! One request, decided and explained.

use spillgate_codec::import::RouteStep;
use spillgate_core::{
    decide::{BalancerState, Decision, Reason},
    trace::{HostNumbers, NumberSource, Step, StepData},
};
use spillgate_explain::{Notation, StepFigure, WhyText, arithmetic, derivation, figures, sentence};
use spillgate_scenario::{ExplanationNode, TextPlace};

use super::{ConfigLine, TraceRequest, TraceStage};

/// The decision for one request.
#[derive(Debug)]
pub struct TracedRequest {
    /// The decision.
    pub decision: Decision,
    /// The status of the local reply, if a strict session refuses the request.
    pub refused: Option<u16>,
    /// The steps, in order.
    pub steps: Vec<StepRow>,
    /// The numbers that chose the host; `None` without a choice.
    pub host_numbers: Option<HostNumbers>,
    /// The number at whose place a hash table is read; `None` without a choice.
    pub table_number: Option<NumberSource>,
    /// The state of the worker before the decision.
    pub before: BalancerState,
}

/// A step in words.
#[derive(Debug, Clone, PartialEq)]
pub struct StepRow {
    /// Its kind.
    pub name: &'static str,
    /// Its result.
    pub sentence: String,
    /// The numbers that lead to the result, as a sentence.
    pub arithmetic: Option<String>,
    /// The figures that the sentence does not contain, as names and values.
    pub figures: Vec<(String, String)>,
    /// The derivation of the load of the chosen priority.
    pub derivation: Option<ExplanationNode>,
    /// The line of the imported text that decides it.
    pub line: Option<ConfigLine>,
}

impl StepRow {
    /// The result with its numbers.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.arithmetic {
            None => self.sentence.clone(),
            Some(arithmetic) => format!("{}: {arithmetic}", self.sentence),
        }
    }
}

/// Every change makes a new result, so only the same one is equal.
impl PartialEq for TracedRequest {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl TracedRequest {
    /// Decides with a new worker.
    #[must_use]
    pub fn new(stage: &TraceStage, request: &TraceRequest) -> Self {
        let (mut state, mut draw) = request.worker(stage);
        let before = state.clone();
        let mut steps = Some(Vec::new());
        let worker = (&mut state, &mut draw);
        let (decision, refused) = request.decide(stage, &request.active, worker, &mut steps);
        let steps = steps.unwrap_or_default();
        let mut latest = steps.iter().rev();
        let choice = latest.find_map(|step| match &step.data {
            StepData::Host(choice) => Some(choice),
            _ => None,
        });
        Self {
            steps: steps
                .iter()
                .map(|step| row(stage, &decision, step))
                .collect(),
            host_numbers: choice.map(|choice| choice.numbers.clone()),
            table_number: choice.map(|choice| choice.number_from),
            decision,
            refused,
            before,
        }
    }

    /// What a hash table is read with.
    #[must_use]
    pub const fn table_number_name(&self) -> &'static str {
        match self.table_number {
            Some(NumberSource::Random) => "The random number in place of a request hash",
            Some(NumberSource::SessionKey) => "The session key",
            Some(NumberSource::RequestHash) | None => "The hash of the request",
        }
    }

    /// The result in one sentence.
    #[must_use]
    pub fn headline(&self, stage: &TraceStage) -> String {
        if let Some(host) = self.decision.host_ref() {
            let panic = match self.decision.priority {
                Some(priority) if priority.panic => ", which is in panic mode",
                _ => "",
            };
            let priority = stage.priority(host);
            return format!(
                "The request goes to {} in {priority}{panic}.",
                stage.address(host)
            );
        }
        match (self.refused, self.decision.reason) {
            (Some(status), _) => format!("The strict session is refused with {status}."),
            (None, Reason::Dropped) => "drop_overloads drops the request (503).".into(),
            (None, _) => "The request finds no host (503).".into(),
        }
    }
}

/// A step of the routes.
pub(super) fn route_row(stage: &TraceStage, step: &RouteStep) -> StepRow {
    let line = step.position.map(|position| ConfigLine {
        position,
        text: stage
            .source
            .as_ref()
            .map_or_else(String::new, |source| source.quote(position)),
    });
    StepRow {
        name: if step.kind == "cluster" {
            "cluster"
        } else {
            "route"
        },
        sentence: step.sentence.clone(),
        arithmetic: step.arithmetic.clone(),
        figures: Vec::new(),
        derivation: None,
        line,
    }
}

fn row(stage: &TraceStage, decision: &Decision, step: &Step) -> StepRow {
    let words = WhyText {
        snapshot: &stage.snapshot,
        cluster: decision.cluster,
        notation: Notation::Typeset,
    };
    let why = derivation(&stage.snapshot, decision, &step.data);
    let figures = figures(&step.data).into_iter();
    StepRow {
        name: step.kind().name(),
        sentence: sentence(&stage.snapshot, &step.data),
        arithmetic: arithmetic(&stage.snapshot, &step.data),
        figures: figures
            .filter(|figure| !figure.in_sentence)
            .map(|StepFigure { name, value, .. }| (name.replace('_', " "), value.text()))
            .collect(),
        derivation: why.map(|why| {
            ExplanationNode::new(&words, &why, &|subject| {
                let (_, setting) = subject.setting()?;
                let position = stage.line(setting)?.position;
                Some(TextPlace {
                    position,
                    last_line: None,
                })
            })
        }),
        line: stage.line(step.config),
    }
}
