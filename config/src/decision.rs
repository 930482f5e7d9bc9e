//! A decision as JSON, the same bytes on every platform: what the page and the command line show
//! and the filter's trace header carries.

use alloc::string::String;

use spillgate_core::{
    decide::Decision,
    load::HostClass,
    model::Endpoint,
    snapshot::{ClusterId, Snapshot},
    trace::{Figure, Step},
};

use crate::{Position, envoy::Places, node::Writer};

/// One line of JSON: keys in a fixed order, whole numbers only, pure ASCII.
///
/// `candidates` are the hosts to try, the chosen one first. `steps` and `places` are optional:
/// without steps the key is left out, without places each step's `at` is null.
#[must_use]
pub fn to_json(
    snapshot: &Snapshot,
    decision: &Decision,
    candidates: &[&Endpoint],
    steps: Option<&[Step]>,
    places: Option<&Places<'_>>,
) -> String {
    let level = decision.level;
    let mut w = Writer::new();
    w.begin_object();
    w.key("cluster");
    w.string(name(snapshot, decision.cluster));
    w.key("owner");
    match level {
        Some(level) => w.string(name(snapshot, level.owner)),
        None => w.null(),
    }
    w.key("priority");
    match level {
        Some(level) => number(&mut w, level.priority),
        None => w.null(),
    }
    w.key("degraded");
    w.bool(level.is_some_and(|level| level.class == HostClass::Degraded));
    w.key("panic");
    w.bool(level.is_some_and(|level| level.panic));
    w.key("endpoint");
    match decision.endpoint(snapshot) {
        Some(endpoint) => w.string(&endpoint.address),
        None => w.null(),
    }
    w.key("candidates");
    w.begin_list();
    for candidate in candidates {
        w.string(&candidate.address);
    }
    w.end_list();
    w.key("reason");
    w.string(decision.reason.name());
    if let Some(steps) = steps {
        w.key("steps");
        write_steps(&mut w, snapshot, steps, places);
    }
    w.end_object();
    w.finish()
}

/// The list of steps, as in [`to_json`].
pub fn write_steps(
    w: &mut Writer,
    snapshot: &Snapshot,
    steps: &[Step],
    places: Option<&Places<'_>>,
) {
    w.begin_list();
    for step in steps {
        let at = places.and_then(|places| places.of(snapshot, step.ground));
        write_step(w, step, at);
    }
    w.end_list();
}

fn name(snapshot: &Snapshot, cluster: ClusterId) -> &str {
    snapshot.cluster(cluster).map_or("", |c| c.name.as_str())
}

fn number(w: &mut Writer, value: usize) {
    w.uint(u64::try_from(value).unwrap_or(u64::MAX));
}

fn write_step(w: &mut Writer, step: &Step, at: Option<Position>) {
    w.begin_object();
    w.key("step");
    w.string(step.kind.name());
    w.key("what");
    w.string(&step.what);
    w.key("values");
    w.begin_object();
    for (name, figure) in &step.values {
        w.key(name);
        write_figure(w, figure);
    }
    w.end_object();
    w.key("at");
    match at {
        Some(position) => {
            w.begin_object();
            w.key("line");
            w.uint(position.line.into());
            w.key("column");
            w.uint(position.column.into());
            w.end_object();
        }
        None => w.null(),
    }
    w.end_object();
}

fn write_figure(w: &mut Writer, figure: &Figure) {
    match figure {
        Figure::Number(value) => w.uint(*value),
        Figure::Numbers(values) => {
            w.begin_list();
            for value in values {
                w.uint(*value);
            }
            w.end_list();
        }
        Figure::Flag(value) => w.bool(*value),
        Figure::Text(text) => w.string(text),
        // A kind of figure that is newer than this writer.
        _ => w.null(),
    }
}
