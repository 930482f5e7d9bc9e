//! The responses that Envoy itself sends to requests that reach no host.

use serde::{Serialize, Serializer};

use crate::status::CLOSED;

/// A response of Envoy itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct OwnReply {
    /// Its status; 0 if Envoy closes the connection instead.
    pub status: u16,
    /// Why Envoy sends it.
    pub reason: OwnReplyReason,
    /// The share of requests that get it, in percent.
    pub share: f64,
}

/// Why a request reaches no host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OwnReplyReason {
    /// Its cluster has no host to choose.
    NoHost,
    /// Its cluster drops it (`drop_overloads`).
    Dropped,
    /// The host of its strict session cannot serve it.
    StrictSession,
    /// Its route selects a cluster that does not exist (`cluster_not_found_response_code`).
    UnknownCluster,
    /// Its route responds itself (`direct_response`, `redirect`).
    Responded,
    /// The connection manager refuses it.
    Refused,
    /// A Spillgate filter responds.
    Filter,
    /// No route matches.
    NoRoute,
    /// No filter chain of the listener serves its connection.
    NoFilterChain,
}

impl OwnReplyReason {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoHost => "no_host",
            Self::Dropped => "dropped",
            Self::StrictSession => "strict_session",
            Self::UnknownCluster => "unknown_cluster",
            Self::Responded => "responded",
            Self::Refused => "refused",
            Self::Filter => "filter",
            Self::NoRoute => "no_route",
            Self::NoFilterChain => "no_filter_chain",
        }
    }
}

impl Serialize for OwnReplyReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl OwnReply {
    /// The response in words; `closed` names a closed connection.
    #[must_use]
    pub fn text(&self, closed: &str) -> String {
        let status = match self.status {
            CLOSED => closed.to_owned(),
            status => status.to_string(),
        };
        match self.reason {
            OwnReplyReason::NoHost => format!("no host ({status})"),
            other => format!("{status} ({})", other.name().replace('_', " ")),
        }
    }

    /// The response to all requests.
    #[must_use]
    pub const fn to_all(status: u16, reason: OwnReplyReason) -> Self {
        Self {
            status,
            reason,
            share: 100.0,
        }
    }

    /// The same for a part of the requests, 0 to 1.
    pub(super) fn of_part(self, part: f64) -> Self {
        Self {
            share: self.share * part,
            ..self
        }
    }

    /// The same for a connection: without a host, Envoy closes it.
    pub const fn of_connection(self) -> Self {
        Self {
            status: CLOSED,
            ..self
        }
    }

    /// Adds it to others: one entry for each status and reason.
    pub(super) fn add_to(self, replies: &mut Vec<Self>) {
        if self.share <= 0.0 {
            return;
        }
        let same = |have: &&mut Self| (have.status, have.reason) == (self.status, self.reason);
        match replies.iter_mut().find(same) {
            Some(have) => have.share += self.share,
            None => replies.push(self),
        }
    }
}
