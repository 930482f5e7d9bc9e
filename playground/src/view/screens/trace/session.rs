//! The session of a request.

use spillgate_core::{
    decide::{OnLost, OverrideRequest, Session, Sessions},
    model::OverrideStatuses,
    route::{SessionReading, SessionStateKind, StatefulSession},
};

use super::{SessionKind, TraceInput, TraceStage};

/// The header with the session of Envoy's filter.
const HEADER: &str = "x-session";

/// The session of a request.
#[derive(Debug, Clone)]
pub(super) enum RequestedSession {
    Without,
    /// One of Envoy's own sessions, as read from the request.
    Envoy(StatefulSession, SessionReading),
    /// One of the Spillgate filter; `None` for a request without a token.
    Spillgate(Option<Session>),
}

impl RequestedSession {
    /// The session that the user describes.
    pub(super) fn new(stage: &TraceStage, input: &TraceInput) -> Self {
        let address = &input.session_host;
        match input.session {
            SessionKind::Without => Self::Without,
            SessionKind::Spillgate => {
                let session = Session {
                    host: stage.host_at(address),
                };
                Self::Spillgate((!address.is_empty()).then_some(session))
            }
            SessionKind::Envoy => Self::of_envoy(address),
            SessionKind::EnvoyStrict => Self::of_envoy(address).strict(),
        }
    }

    /// A session of Envoy's filter; an empty address begins a new one.
    pub(super) fn of_envoy(address: &str) -> Self {
        let filter = StatefulSession {
            carrier: SessionStateKind::Header(HEADER.into()),
            strict: false,
            status_not_found: StatefulSession::UNAVAILABLE,
        };
        let reading = if address.is_empty() {
            SessionReading::Absent
        } else {
            SessionReading::Host(filter.names(address.into()))
        };
        Self::Envoy(filter, reading)
    }

    /// The same session of a strict filter.
    fn strict(mut self) -> Self {
        if let Self::Envoy(filter, reading) = &mut self {
            filter.strict = true;
            if let SessionReading::Host(host) = reading {
                host.strict = true;
            }
        }
        self
    }

    /// The session for the engine's [`Request`](spillgate_core::decide::Request).
    pub(super) const fn affinity(&self) -> Option<Sessions<'_>> {
        match self {
            Self::Spillgate(session) => Some(Sessions {
                session: *session,
                statuses: OverrideStatuses::DEFAULT,
                clusters: &[],
                on_lost: OnLost::Rebalance,
                key: None,
            }),
            Self::Without | Self::Envoy(..) => None,
        }
    }

    /// The session as an override host.
    pub(super) fn overrides(&self) -> OverrideRequest<'_> {
        let sessions = match self {
            Self::Envoy(filter, reading) => vec![(filter, reading.clone())],
            Self::Without | Self::Spillgate(_) => Vec::new(),
        };
        OverrideRequest {
            sessions,
            ..OverrideRequest::default()
        }
    }
}
