//! The keys and sessions that a change moves.

use std::rc::Rc;

use crate::view::parts::{Choice, cell, head, hidden_caption, named, note, row};
use spillgate_core::inspect::MovedKeys;
use spillgate_scenario::{count, percent};
use yew::prelude::*;

use super::change::Change;
use crate::view::screens::trace::{ChangeStage, KEYS, MovedShares, TraceInput, TraceRequest};

#[derive(PartialEq, Properties)]
pub(super) struct MovedProps {
    pub(super) changes: Rc<ChangeStage>,
    pub(super) input: TraceInput,
    pub(super) set: Callback<TraceInput>,
}

/// The list of changes, and the shares that the chosen one moves.
#[component]
pub(super) fn Moved(props: &MovedProps) -> Html {
    let MovedProps {
        changes,
        input,
        set,
    } = props;
    // Only the criteria and the change matter, not for example the seed.
    let of_change = (
        Rc::clone(changes),
        input.loss.clone(),
        input.criteria.clone(),
    );
    let found = use_memo(of_change, |(changes, loss, criteria)| {
        let change = changes.change(loss)?;
        let asked = TraceInput {
            criteria: criteria.clone(),
            ..TraceInput::default()
        };
        let request = TraceRequest::new(&change.before, &asked);
        let moved = MovedShares::new(&change.before, &change.after, &request);
        Some((change.name, moved))
    });
    let change = Change {
        input: input.clone(),
        set: set.clone(),
    };
    let mut options = vec![(String::new(), "latest change".to_owned())];
    let losses = changes.losses.iter();
    let names = &changes.stage.names;
    options.extend(losses.map(|loss| {
        (
            loss.selector.clone(),
            format!("loss of {}", names.in_text(&loss.title)),
        )
    }));
    let on_loss = change.by(|input, loss| input.loss = loss);
    html! {
        <div class="moved">
            <h3>{ "What a change moves" }</h3>
            <Choice id="trace-loss" test="trace-loss" label="change" {options} value={input.loss.clone()} on_value={on_loss} />
            if let Some((name, moved)) = &*found {
                <p class="sub" data-test="trace-moved">{ named(names, &sentence(name, moved)) }</p>
                { table(moved) }
            } else {
                { note("Nothing has changed on the first screen so far. Choose a loss.".into()) }
            }
        </div>
    }
}

fn share(keys: &MovedKeys, moved: u64) -> f64 {
    moved as f64 * 100.0 / keys.keys.max(1) as f64
}

fn sentence(name: &str, moved: &MovedShares) -> String {
    let keys = match &moved.keys {
        Some(keys) => format!("{} of the keys", percent(share(keys, keys.moved))),
        None => "no keys, because no policy hashes them,".into(),
    };
    format!(
        "{name} moves {keys} and {} of the sessions of Envoy.",
        percent(moved.envoy)
    )
}

fn table(moved: &MovedShares) -> Html {
    let line = |test: &str, name: &str, figure: String| {
        let name = name.to_owned();
        let cells = vec![
            html! { <th scope="row">{ name.clone() }</th> },
            cell("", Some(test.to_owned()), figure.into()),
        ];
        row(name, None, cells)
    };
    let keys = moved.keys.iter().flat_map(|keys| {
        [
            line(
                "moved-keys",
                "keys that move to another host",
                percent(share(keys, keys.moved)),
            ),
            line(
                "moved-avoidable",
                "of them from a host that is still healthy",
                percent(share(keys, keys.avoidable)),
            ),
        ]
    });
    html! {
        <>
            <div class="scroll" tabindex="0" role="region" aria-label="Keys and sessions that the change moves">
            <table class="figures">
                { hidden_caption("Keys and sessions that the change moves") }
                { head(&[("text", "of all"), ("", "moved")]) }
                <tbody>
                    { for keys }
                    { line("moved-envoy", "sessions of Envoy's stateful_session", percent(moved.envoy)) }
                    { line("moved-spillgate", "sessions of the Spillgate filter", percent(moved.spillgate)) }
                </tbody>
            </table>
            </div>
            if let Some(keys) = moved.keys.filter(|keys| keys.keys < KEYS) {
                { note(format!("{} of {} sampled keys have a deterministic host.", count(keys.keys as usize), count(KEYS as usize))) }
            }
            { note(format!("Of {} sampled keys. Sessions are distributed as requests were before the change.", count(KEYS as usize))) }
        </>
    }
}
