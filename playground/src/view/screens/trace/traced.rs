//! One request, decided and explained.

use spillgate_core::{
    decide::{BalancerState, Decision, Reason},
    snapshot::HostRef,
    trace::Step,
};
use spillgate_explain::{Notation, StepFigure, WhyText, derivation, figures, sentence};
use spillgate_scenario::{ExplanationNode, TextPlace};

use super::{AskedHosts, ConfigLine, TraceRequest, TraceStage};

/// The decision for one request.
#[derive(Debug)]
pub struct TracedRequest {
    /// The decision.
    pub decision: Decision,
    /// The status of the local reply, if a strict session refuses the request.
    pub refused: Option<u16>,
    /// The steps, in order.
    pub steps: Vec<StepRow>,
    /// The hosts whose active requests the policy compared, in order.
    pub asked: Vec<HostRef>,
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
    /// The figures that the sentence does not contain, as names and values.
    pub figures: Vec<(String, String)>,
    /// The derivation of the load of the chosen priority.
    pub derivation: Option<ExplanationNode>,
    /// The line of the imported text that decides it.
    pub line: Option<ConfigLine>,
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
        let asked = AskedHosts::new(&request.active);
        let mut steps = Some(Vec::new());
        let worker = (&mut state, &mut draw);
        let (decision, refused) = request.decide(stage, &asked, worker, &mut steps);
        let steps = steps.unwrap_or_default();
        Self {
            steps: steps
                .iter()
                .map(|step| row(stage, &decision, step))
                .collect(),
            asked: asked.into_hosts(),
            decision,
            refused,
            before,
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
