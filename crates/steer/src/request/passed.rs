//! Compares the host that responds with the hosts of the decision.

use crate::{
    metrics::NotFollowed,
    port::{PassedHosts, Stream},
    responder::Responder,
    worker::Worker,
};

/// A decision that names hosts.
pub(super) struct PassedDecision {
    pub(super) hosts: PassedHosts,
    /// Whether a session was to stay on the first host.
    pub(super) keeps_session: bool,
    /// [`Worker::generation`] of the decision.
    pub(super) generation: u32,
}

impl PassedDecision {
    /// Counts a session by the host that responds, and notices a decision without effect. Almost always the
    /// first host responds, and its address is all that this costs.
    pub(super) fn compare<S: Stream>(
        &self,
        stream: &mut S,
        responder: &mut Responder,
        worker: &mut Worker,
    ) {
        let hosts = &self.hosts;
        let is_first = |address: &str| hosts.is_first(address);
        if responder.address(stream).is_some_and(is_first) {
            if self.keeps_session {
                worker.sessions.stayed(stream.plugin(), None);
            }
            return;
        }
        self.compare_other(stream, responder, worker);
    }

    /// Another host responds, at this place of the list, or the proxy itself before it tried a host.
    #[cold]
    #[inline(never)]
    fn compare_other<S: Stream>(
        &self,
        stream: &mut S,
        responder: &mut Responder,
        worker: &mut Worker,
    ) {
        let place = responder
            .address(stream)
            .map(|address| self.hosts.place(address));
        let attempts = match place {
            Some(None) => stream.attempts(),
            _ => None,
        };
        if self.keeps_session {
            // If the proxy responds itself after failed attempts, the session has not moved.
            let moved = place.filter(|_| responder.is_host(stream));
            let reason = moved.map(|place| match (place, attempts) {
                (Some(_), _) | (None, Some(2..)) => "retry",
                (None, _) => "proxy",
            });
            worker.sessions.stayed(stream.plugin(), reason);
        }
        let how = match place {
            // A retry may leave the list: when it ends, by a predicate that refuses its hosts, or by another
            // choice of the cluster.
            Some(None) if self.hosts.is_binding() && attempts == Some(1) => NotFollowed::OtherHost,
            None if self.hosts.is_binding() && stream.has_no_host() => NotFollowed::NoHost,
            _ => return,
        };
        // A host that has been removed since the decision could not respond.
        if self.generation == worker.generation {
            let by = responder.address(stream);
            let (hosts, plugin) = (&self.hosts, stream.plugin());
            worker.not_followed.suspect(plugin, how, hosts, by);
        }
    }
}
