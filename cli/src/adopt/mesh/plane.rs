//! Which control plane the documents belong to.

use super::{
    gateway, istio,
    objects::{documents, has_own},
    outcome::removal,
};
use crate::{
    adopt::AdoptArgs,
    command::{Done, Finished},
    control_planes::string,
    inputs::Inputs,
};
use spillgate_config::NamedText;

/// A control plane whose objects carry the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::adopt) enum Plane {
    Istio,
    EnvoyGateway,
}

impl Plane {
    /// Runs the command.
    ///
    /// # Errors
    /// Everything that cannot be carried over, with its place.
    pub(in crate::adopt) fn run(self, args: &AdoptArgs, mut inputs: Inputs) -> Finished {
        let own = inputs.take(has_own);
        // The way back needs no other document.
        if let (true, [text]) = (args.undo, own.as_slice()) {
            return Ok(Done {
                output: removal(&text.name, &text.text),
                ..Done::default()
            });
        }
        match self {
            Self::Istio => istio::run(args, own, inputs),
            Self::EnvoyGateway => gateway::run(args, own, inputs.texts()),
        }
    }
}

/// The control plane of the documents; `None` for a configuration of Envoy.
pub(in crate::adopt) fn plane(inputs: &Inputs) -> Option<Plane> {
    let is_istio = |group: &str, _: &str| group.ends_with("istio.io");
    let is_route =
        |group: &str, kind: &str| group == "gateway.networking.k8s.io" && kind == "HTTPRoute";
    if inputs.any(|text| has(text, "istio.io", is_istio)) {
        return Some(Plane::Istio);
    }
    let is_gateway =
        |text: &NamedText| has(text, "gateway.networking.k8s.io", is_route) || has_own(text);
    inputs.any(is_gateway).then_some(Plane::EnvoyGateway)
}

/// Whether a text has a document of such a group and kind; most texts do not have this word.
fn has(text: &NamedText, word: &str, is: impl Fn(&str, &str) -> bool) -> bool {
    if !text.text.contains(word) {
        return false;
    }
    let Ok(document) = text.source().format.parse(&text.text) else {
        return false;
    };
    documents(&document.roots).into_iter().any(|root| {
        let version = string(root, "apiVersion").unwrap_or_default();
        let group = version.split('/').next().unwrap_or_default();
        is(group, string(root, "kind").unwrap_or_default())
    })
}
