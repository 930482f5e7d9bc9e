//! The life of one request on its thread, and its result.

use std::sync::Arc;

use spillgate_modulehost::{HostHeaders, HostRequest, HostRoute, HttpStream, LoadedFilter};

use crate::{
    configurations::{COOKIE, SESSION_HEADER, Sessions},
    requests::{CLUSTER_HEADER, HOST_HEADER},
};

/// What happens after the request headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The chosen host responds.
    Response,
    /// A host responds that was not chosen.
    OtherHost,
    /// Envoy responds itself.
    LocalReply,
    /// An earlier filter responds, so that this one does not see the request headers.
    EarlyReply,
    /// The client disconnects.
    Reset,
    /// The request stays open.
    Open,
}

impl Ending {
    pub(crate) const ALL: [Self; 6] = [
        Self::Response,
        Self::OtherHost,
        Self::LocalReply,
        Self::EarlyReply,
        Self::Reset,
        Self::Open,
    ];
}

/// The result of a request.
#[derive(Debug, Default)]
pub(crate) struct RequestReport {
    /// The hosts of the decision; empty: the request was not decided.
    pub(crate) hosts: Vec<String>,
    /// The cluster that the request goes to.
    pub(crate) cluster: Option<String>,
    /// The client's headers that the upstream host would get, but must not.
    pub(crate) leaked: Vec<Vec<u8>>,
    /// The new session tokens.
    pub(crate) tokens: Vec<Vec<u8>>,
    /// Whether the chosen host responded.
    pub(crate) responded: bool,
}

/// Runs a request. The stream is returned if it stays open.
pub(crate) fn live(
    config: &Arc<LoadedFilter>,
    request: HostRequest,
    route: HostRoute,
    (sessions, ending): (Sessions, Ending),
) -> (RequestReport, Option<HttpStream>) {
    let has_cluster_header = matches!(
        route.cluster(),
        spillgate_modulehost::RouteCluster::Header(_)
    );
    let stream = HttpStream::open(config, request, route);
    let mut report = RequestReport::default();
    if ending == Ending::EarlyReply {
        stream.respond_locally("ext_authz_denied");
        return (report, None);
    }
    if !stream.request_headers() {
        return (report, None);
    }
    report.hosts = stream.host_list();
    report.cluster = stream.cluster();
    let headers = stream.request();
    let mut leaked: Vec<Vec<u8>> = headers.values(HOST_HEADER).map(<[u8]>::to_vec).collect();
    if !has_cluster_header {
        leaked.extend(headers.values(CLUSTER_HEADER).map(<[u8]>::to_vec));
    }
    report.leaked = leaked;
    match ending {
        Ending::Response => {
            let host = report.hosts.first().map_or("10.9.9.9:80", |host| host);
            let of_host = HostHeaders::default()
                .with(b":status", b"200")
                .with(SESSION_HEADER.as_bytes(), b"server-id\xff")
                .with(HOST_HEADER.as_bytes(), b"10.9.9.9:80");
            stream.respond(host, of_host);
            // A host without an address gets no session.
            report.responded = report.hosts.first().is_some_and(|host| !host.is_empty());
            report.tokens = tokens(&stream.response(), sessions);
        }
        Ending::OtherHost => stream.respond("10.9.9.9:80", HostHeaders::default()),
        Ending::LocalReply => stream.respond_locally("upstream_response_timeout"),
        Ending::EarlyReply | Ending::Reset => {}
        Ending::Open => return (report, Some(stream)),
    }
    (report, None)
}

fn tokens(response: &HostHeaders, sessions: Sessions) -> Vec<Vec<u8>> {
    let name = match sessions {
        Sessions::None => return Vec::new(),
        Sessions::Cookie => "set-cookie",
        Sessions::Header | Sessions::Envelope => SESSION_HEADER,
    };
    let token = |value: &[u8]| {
        let prefix = [COOKIE.as_bytes(), b"="].concat();
        let value = value
            .strip_prefix(&*prefix)
            .unwrap_or(value)
            .split(|byte| *byte == b';')
            .next()?;
        (!value.is_empty() && !value.starts_with(b"server-id")).then(|| value.to_vec())
    };
    response.values(name).filter_map(token).collect()
}
