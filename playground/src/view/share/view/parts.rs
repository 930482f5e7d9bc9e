//! Both parts.

use std::rc::Rc;

use spillgate_scenario::EditedScenario;
use yew::prelude::*;

use super::{embed::Embed, files::Files};
use crate::{
    lazy::{Loading, lazy},
    state::ShareInput,
    view::lazy_part::{LazyPart, PartKind},
};

/// Snippets and files of a scenario.
#[derive(Clone, PartialEq)]
pub(crate) struct ShareParts {
    pub(crate) scenario: Rc<EditedScenario>,
    pub(crate) input: ShareInput,
}

lazy! {
    fn load_parts as share_parts in share -> fn(&ShareParts) -> Html { parts }
}

impl LazyPart for ShareParts {
    fn kind(&self) -> PartKind {
        PartKind::Files
    }

    fn load(&self) -> Loading<fn(&Self) -> Html> {
        load_parts()
    }
}

fn parts(parts: &ShareParts) -> Html {
    html! {
        <>
            <Embed scenario={Rc::clone(&parts.scenario)} disclosure={parts.input.disclosure} />
            <Files scenario={Rc::clone(&parts.scenario)} input={parts.input.clone()} />
        </>
    }
}
