//! A decision in headers, in the form that the configuration asks for.

use crate::host::{self, Side};
use crate::plugin::Plugin;
use spillgate_config::filter::OutputMode;
use spillgate_core::decide::Decision;
use spillgate_core::model::{ChainHosts, Endpoint, Metadata, Value};
use spillgate_core::snapshot::Snapshot;

/// What is written for a decision.
pub(crate) enum Written {
    /// Everything; `true` unless the host refused a call.
    All(bool),
    /// Nothing, because there is no host.
    NoHost,
}

/// Tells Envoy what was decided; `alone` that no other host may be tried.
pub(crate) fn write(
    plugin: &Plugin,
    snapshot: &Snapshot,
    decision: &Decision,
    (criteria, alone): (&Metadata, bool),
) -> Written {
    let owner = decision.level.map_or(decision.cluster, |level| level.owner);
    let owner = snapshot.cluster(owner).map_or("", |cluster| &cluster.name);
    let output = &plugin.output;
    if output.mode == OutputMode::SubsetHeaders {
        // Without a chain Envoy itself has the last word, so its own fallbacks apply.
        if decision.host.is_none() && !snapshot.chain().is_empty() {
            return Written::NoHost;
        }
        let worked = write_subset(plugin, snapshot, decision, criteria);
        return Written::All(worked & set(&output.cluster_header, owner));
    }
    let limit = match output.mode {
        _ if alone => 1,
        OutputMode::StatefulSession => 1,
        OutputMode::OverrideHost | OutputMode::SubsetHeaders => output.candidates,
    };
    let hosts = decision.candidates(snapshot, limit);
    let Some(first) = hosts.first() else {
        return Written::NoHost;
    };
    let value = match output.mode {
        OutputMode::StatefulSession => base64(first.address.as_bytes()),
        OutputMode::OverrideHost | OutputMode::SubsetHeaders => list(&hosts),
    };
    Written::All(set(&output.host_header, &value) & set(&output.cluster_header, owner))
}

/// Lets Envoy balance a cluster by itself. Whether it worked.
pub(crate) fn leave_to_envoy(plugin: &Plugin, cluster: &str) -> bool {
    set(&plugin.output.cluster_header, cluster)
}

fn set(name: &str, value: &str) -> bool {
    host::set_header(Side::Request, name, value)
}

/// The hosts to try, best first, with commas between.
fn list(hosts: &[&Endpoint]) -> String {
    let length: usize = hosts.iter().map(|host| host.address.len() + 1).sum();
    let mut list = String::with_capacity(length);
    for host in hosts {
        if !list.is_empty() {
            list.push(',');
        }
        list.push_str(&host.address);
    }
    list
}

/// The criteria of the step that serves, each in the header of its key; without a chain all that
/// the request asks for.
fn write_subset(
    plugin: &Plugin,
    snapshot: &Snapshot,
    decision: &Decision,
    criteria: &Metadata,
) -> bool {
    let step = decision.subset.and_then(|subset| subset.step());
    let step = step.and_then(|step| snapshot.chain().get(step));
    let mut worked = true;
    for (key, header) in &plugin.output.subset_headers {
        let value = match step.map(|step| &step.hosts) {
            None => criteria.get(key),
            Some(ChainHosts::Keys(keys)) if keys.contains(key) => criteria.get(key),
            Some(ChainHosts::Match(wanted)) => wanted.get(key),
            Some(ChainHosts::Keys(_) | ChainHosts::Any) => None,
        };
        if let Some(value) = value.and_then(text) {
            worked &= set(header, &value);
        }
    }
    worked
}

/// A value as `header_to_metadata` reads it. Others than these cannot stand in a header.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.as_ref().to_owned()),
        Value::Bool(truth) => Some(truth.to_string()),
        // A cast takes what does not fit to the nearest end, which is then another number.
        Value::Number(number) if (*number as i64) as f64 == *number => {
            Some((*number as i64).to_string())
        }
        Value::Null | Value::Number(_) | Value::List(_) | Value::Struct(_) => None,
    }
}

/// Base64 with padding, as the header state of `stateful_session` has it.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4_usize {
            let at = (bits >> (18 - 6 * digit) & 63) as usize;
            match DIGITS.get(at) {
                Some(found) if digit <= group.len() => text.push(char::from(*found)),
                _ => text.push('='),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_has_padding() {
        for (bytes, text) in [("", ""), ("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(b"127.0.0.1:80"), "MTI3LjAuMC4xOjgw");
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }
}
