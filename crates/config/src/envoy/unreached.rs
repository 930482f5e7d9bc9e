//! Listeners that get no connections.

use super::listener::ListenerConfig;
use crate::{
    Affects,
    node::Node,
    proto::{Path, Report},
};

/// Names the listeners without a port, if none of the others hands connections to them.
pub(super) fn name_unreached(
    roots: &[(Path, &Node<'_>)],
    listeners: &[ListenerConfig],
    report: &mut Report,
) {
    if listeners.iter().any(|listener| listener.chain.hands_off) {
        return;
    }
    for (at, listener) in listeners.iter().enumerate() {
        let root = listener.chain.listener.and_then(|number| roots.get(number));
        if let Some((path, node)) = root.filter(|_| listener.chain.unbound) {
            report.within(Affects::Listener(at), |report| {
                let effect = "bind_to_port is false, and no other listener has use_original_dst: it \
                              gets no connections";
                report.limit("config/unreached-listener", effect, path, node.position);
            });
        }
    }
}
