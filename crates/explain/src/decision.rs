//! The decision JSON: the same bytes on every platform, in the playground, the command line and the
//! trace header of the filter.

use alloc::string::String;

use spillgate_core::{
    decide::Decision,
    json::Writer,
    load::HostClass,
    model::Endpoint,
    snapshot::Snapshot,
    trace::{ConfigRef, Step},
};

use crate::{FigureValue, cluster_name, figures, sentence};

/// A place in the text of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConfigPlace<'a> {
    /// The file, if the configuration has several.
    pub file: Option<&'a str>,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// The result of a request.
#[derive(Debug, Clone, Copy)]
pub enum DecisionOutcome<'a> {
    /// The engine made a decision.
    Decided(&'a Decision),
    /// The request ends before a decision: without a route, or with a response of the route.
    Undecided {
        /// The cluster, if the request is for one.
        cluster: Option<&'a str>,
        /// Why.
        reason: &'a str,
    },
}

/// Everything that the JSON contains.
#[derive(Clone, Copy)]
pub struct DecisionJson<'a> {
    /// The clusters.
    pub snapshot: &'a Snapshot,
    /// The result.
    pub outcome: DecisionOutcome<'a>,
    /// The hosts to try, the chosen one first.
    pub candidates: &'a [&'a Endpoint],
    /// The steps; without them the key is omitted.
    pub steps: Option<&'a [Step]>,
    /// The place of a step in the configuration; `at` is null where it returns `None`.
    pub place: &'a dyn Fn(ConfigRef) -> Option<ConfigPlace<'a>>,
}

/// A decision as one line of JSON, without places in a configuration.
#[must_use]
pub fn decision_json(
    snapshot: &Snapshot,
    decision: &Decision,
    candidates: &[&Endpoint],
    steps: Option<&[Step]>,
) -> String {
    DecisionJson {
        snapshot,
        outcome: DecisionOutcome::Decided(decision),
        candidates,
        steps,
        place: &|_| None,
    }
    .text()
}

impl DecisionJson<'_> {
    /// One line of JSON: keys in a fixed order, whole numbers only, pure ASCII.
    #[must_use]
    pub fn text(&self) -> String {
        let mut w = Writer::new();
        w.begin_object();
        self.write_fields(&mut w);
        w.end_object();
        w.finish()
    }

    /// The keys and values of [`DecisionJson::text`] into an open object.
    pub fn write_fields(&self, w: &mut Writer) {
        let decided = match self.outcome {
            DecisionOutcome::Decided(decision) => Some(decision),
            DecisionOutcome::Undecided { .. } => None,
        };
        let (cluster, reason) = match self.outcome {
            DecisionOutcome::Decided(decision) => (
                Some(cluster_name(self.snapshot, decision.cluster)),
                decision.reason.name(),
            ),
            DecisionOutcome::Undecided { cluster, reason } => (cluster, reason),
        };
        let priority = decided.and_then(|decision| decision.priority);
        let endpoint = decided.and_then(|decision| decision.endpoint(self.snapshot));
        w.key("cluster");
        optional(w, cluster);
        w.key("owner");
        optional(
            w,
            priority.map(|priority| cluster_name(self.snapshot, priority.owner)),
        );
        w.key("priority");
        match priority {
            Some(priority) => w.uint(priority.number as u64),
            None => w.null(),
        }
        w.key("degraded");
        w.bool(priority.is_some_and(|priority| priority.class == HostClass::Degraded));
        w.key("panic");
        w.bool(priority.is_some_and(|priority| priority.panic));
        w.key("endpoint");
        optional(w, endpoint.map(|endpoint| endpoint.address.as_str()));
        w.key("candidates");
        w.begin_list();
        for candidate in self.candidates {
            w.string(&candidate.address);
        }
        w.end_list();
        w.key("reason");
        w.string(reason);
        if let Some(steps) = self.steps {
            w.key("steps");
            w.begin_list();
            for step in steps {
                self.write_step(w, step);
            }
            w.end_list();
        }
    }

    fn write_step(&self, w: &mut Writer, step: &Step) {
        w.begin_object();
        w.key("step");
        w.string(step.kind().name());
        w.key("what");
        w.string(&sentence(self.snapshot, &step.data));
        w.key("values");
        w.begin_object();
        for figure in figures(&step.data) {
            w.key(figure.name);
            write_value(w, &figure.value);
        }
        w.end_object();
        w.key("at");
        match (self.place)(step.config) {
            Some(place) => {
                w.begin_object();
                if let Some(file) = place.file {
                    w.key("file");
                    w.string(file);
                }
                w.key("line");
                w.uint(place.line.into());
                w.key("column");
                w.uint(place.column.into());
                w.end_object();
            }
            None => w.null(),
        }
        w.end_object();
    }
}

fn optional(w: &mut Writer, text: Option<&str>) {
    match text {
        Some(text) => w.string(text),
        None => w.null(),
    }
}

fn write_value(w: &mut Writer, value: &FigureValue) {
    match value {
        FigureValue::Number(value) => w.uint(*value),
        FigureValue::Numbers(values) => {
            w.begin_list();
            for value in values {
                w.uint((*value).into());
            }
            w.end_list();
        }
        FigureValue::Flag(value) => w.bool(*value),
        FigureValue::Text(text) => w.string(text),
    }
}
