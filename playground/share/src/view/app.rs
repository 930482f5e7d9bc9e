//! Both parts.

use std::rc::Rc;

use spillgate_codec::import::scenarios_from_bytes;
use spillgate_playground::{state::ShareInput, view::parts::note};
use spillgate_scenario::{EditedScenario, PageMessage};
use yew::prelude::*;

use super::{embed::Embed, files::Files};

/// What the page passes to the module.
#[derive(PartialEq, Properties)]
pub(crate) struct ShareAppProps {
    /// The scenario as bytes.
    pub(crate) scenarios: Rc<[u8]>,
    pub(crate) input: ShareInput,
}

/// Snippets and files of a scenario.
#[component]
pub(crate) fn ShareApp(props: &ShareAppProps) -> Html {
    let scenario = use_memo(Rc::clone(&props.scenarios), |bytes| {
        let read: Option<Vec<EditedScenario>> = scenarios_from_bytes(bytes);
        read.and_then(|scenarios| scenarios.into_iter().next().map(Rc::new))
    });
    match &*scenario {
        None => note(PageMessage::UnknownScenario.to_string()),
        Some(scenario) => html! {
            <>
                <Embed scenario={Rc::clone(scenario)} disclosure={props.input.disclosure} />
                <Files scenarios={Rc::clone(&props.scenarios)} input={props.input.clone()} />
            </>
        },
    }
}
