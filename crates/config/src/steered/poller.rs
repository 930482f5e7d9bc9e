//! The plugin that polls hosts and health for the filters of all workers.

use crate::{
    Diagnostic,
    envoy::{facts::BootstrapExtensionFacts, plugin::rejection},
    filter::read_poller,
};

/// The fault of a poller that rejects its configuration; `None` without one.
#[must_use]
pub fn rejected_poller(extension: &BootstrapExtensionFacts) -> Option<Diagnostic> {
    let BootstrapExtensionFacts::Poller { own: Some(own), .. } = extension else {
        return None;
    };
    let faults = read_poller(&own.text).err()?;
    let fault = rejection("Spillgate poller", &faults);
    Some(fault.at(own.place.path.clone(), own.place.position))
}
