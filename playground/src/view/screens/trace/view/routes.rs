//! The routes of an imported configuration, asked for each request.

use std::rc::Rc;

use crate::bridge::AskedModule;
use spillgate_codec::import::RouteAnswer;
use spillgate_core::snapshot::Snapshot;
use spillgate_scenario::EditedScenario;
use yew::prelude::*;

use crate::view::screens::trace::{TraceInput, route_question};

/// What the routes say.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Routes {
    /// Nothing was imported, or the import has no routes.
    Without,
    /// The first answer is on its way.
    Loading,
    /// The answer to the latest request, or to the one before it until the latest is answered.
    Answered(Rc<RouteAnswer>),
    /// The module of the routes did not run, for this reason.
    Failed(String),
}

/// Asks the routes of the import about a request.
#[hook]
pub(super) fn use_routes(scenario: &Rc<EditedScenario>, input: &TraceInput) -> Routes {
    let routes = use_state(|| match scenario.origin {
        Some(_) => Routes::Loading,
        None => Routes::Without,
    });
    let snapshot = use_memo(Rc::clone(scenario), |scenario| {
        scenario.origin.as_ref()?;
        Some(Snapshot::build(scenario.model()))
    });
    let question = (*snapshot).as_ref().map(|of| route_question(of, input));
    {
        let routes = routes.setter();
        let origin = scenario.origin.clone();
        let text = origin.as_ref().map(Rc::as_ptr);
        use_effect_with((text, question), move |(_, question)| {
            let (Some(origin), Some(question)) = (origin, question) else {
                routes.set(Routes::Without);
                return;
            };
            let (config, question) = (origin.texts.config.clone(), question.to_bytes());
            AskedModule::Routes.ask(config, question, move |answer| {
                routes.set(match answer {
                    Ok(bytes) => answered(&bytes),
                    Err(reason) => Routes::Failed(reason),
                });
            });
        });
    }
    (*routes).clone()
}

fn answered(bytes: &[u8]) -> Routes {
    match RouteAnswer::from_bytes(bytes) {
        Some(answer) if !answer.listeners.is_empty() => Routes::Answered(Rc::new(answer)),
        _ => Routes::Without,
    }
}
