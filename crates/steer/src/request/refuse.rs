//! Refusing a request: a response of ours in place of that of a host.
//!
//! A redirect or a direct response of the route, such as that of a health probe, needs no host, so its
//! request is not refused. If only the response shows which route it is, it is refused then.

use super::{Next, SteeredRequest, Steering};
use crate::{
    port::{LocalResponse, RouteEnd, Stream},
    settings::Settings,
};

/// Why a request is refused.
#[derive(Clone, Copy)]
pub(super) enum RefusalReason {
    /// No host may serve.
    NoHost,
    /// The hosts are unknown.
    HostsUnknown,
    /// The session is lost, and must not move.
    SessionLost,
}

/// The response if no host was chosen. Clients see Envoy's own status and body; the details in
/// access logs differ.
const NO_HOST: LocalResponse<'_> = LocalResponse {
    status: 503,
    details: "spillgate_no_host",
    body: "no healthy upstream",
    headers: &[],
};

/// The response if the hosts that a request may use are unknown.
const HOSTS_UNKNOWN: LocalResponse<'_> = LocalResponse {
    status: 503,
    details: "spillgate_hosts_unknown",
    body: "upstream hosts unknown",
    headers: &[],
};

impl RefusalReason {
    /// Sends the response, with another header. Returns whether the proxy accepts it.
    pub(super) fn send<S: Stream>(
        self,
        stream: &mut S,
        settings: &Settings,
        more: Option<(&str, &str)>,
    ) -> bool {
        let lost = || settings.sessions.as_ref()?.refusal();
        match (self, lost()) {
            (Self::SessionLost, Some(lost)) => lost.sent(more, |response| stream.respond(response)),
            (Self::HostsUnknown, _) => with_header(HOSTS_UNKNOWN, more, stream),
            (Self::NoHost | Self::SessionLost, _) => with_header(NO_HOST, more, stream),
        }
    }
}

fn with_header<S: Stream>(
    response: LocalResponse<'_>,
    more: Option<(&str, &str)>,
    stream: &mut S,
) -> bool {
    stream.respond(&LocalResponse {
        headers: more.as_slice(),
        ..response
    })
}

impl SteeredRequest {
    /// Sends a response instead of forwarding the request, unless the route answers it. If that fails,
    /// the proxy forwards the request without our headers.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse<S: Stream>(
        &mut self,
        steering: &mut Steering<'_, S>,
        reason: RefusalReason,
    ) -> Next {
        match steering.route_end() {
            RouteEnd::Proxy => return Next::Forward,
            // Without the stripped headers, another route may match: one to a host.
            RouteEnd::Unknown if !steering.is_changed => {
                if let Some(response) = &mut self.response {
                    response.refusal = Some(reason);
                }
                return Next::Forward;
            }
            RouteEnd::Host | RouteEnd::Unknown => {}
        }
        if reason.send(steering.stream, &steering.serving.settings, None) {
            return Next::Responded;
        }
        steering.count(|counters| &mut counters.host_failures);
        Next::Forward
    }
}

impl<S: Stream> Steering<'_, S> {
    /// Where the route leads. Only a request that is about to be refused costs this question.
    fn route_end(&mut self) -> RouteEnd {
        let (settings, snapshot) = (&self.serving.settings, &self.serving.snapshot);
        // An aggregate need not exist in the proxy.
        let mut clusters = snapshot.clusters();
        let plain = clusters.find(|(id, _)| snapshot.plain(*id).is_some());
        let name = plain.map_or("", |(_, cluster)| &cluster.name);
        self.stream.route_end(&settings.output.cluster_header, name)
    }
}
