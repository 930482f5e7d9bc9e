//! From a scenario to a link.

use alloc::{format, string::String, vec::Vec};

use super::{
    PriorityAt, Scenario, VERSION, envelope, host_codec,
    scenario_codec::{self, Codec},
};
use crate::bytes::ByteWriter;

/// The fragment for a scenario, without the `#`.
///
/// Grouped if that is lossless, else by host. It contains all names, addresses and hash keys of the
/// scenario; see [`SharedScenario`](super::SharedScenario).
#[must_use]
pub fn write<O>(scenario: &Scenario<O>) -> String {
    let grouped = scenario.clusters().iter().enumerate().all(|(cluster, _)| {
        let priorities = scenario.plain(cluster).map_or(&[][..], |p| &p.priorities);
        priorities.iter().enumerate().all(|(number, priority)| {
            let at = PriorityAt {
                cluster,
                priority: number,
            };
            host_codec::can_group(&priority.endpoints, at)
        })
    });
    let (letter, codec) = if grouped {
        ('g', Codec::Grouped)
    } else {
        ('h', Codec::ByHost)
    };
    let mut payload = ByteWriter::default();
    scenario_codec::write(scenario, codec, &mut payload);
    with_payload(letter, payload.0)
}

/// The fragment for a payload, without the `#`: adds the version, the letter of the codec and the
/// checksum. [`write`] uses it, and so do tests with payloads that no scenario has.
#[must_use]
pub fn with_payload(letter: char, bytes: Vec<u8>) -> String {
    format!("{VERSION}{letter}.{}", envelope::seal(bytes))
}
