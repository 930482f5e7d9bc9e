//! The response: strips internal headers, then writes the session token and the trace.

use alloc::{boxed::Box, rc::Rc, string::String};
use core::cell::RefCell;

use super::{Next, SteeredRequest, passed::PassedDecision, refuse::RefusalReason};
use crate::{
    Serving,
    port::{Side, Stream},
    responder::Responder,
    session::{HostDirectory, RequestSession},
    settings::Settings,
    worker::Worker,
};

/// What a request needs for its response. It has no hosts: requests may be open for hours, and
/// each would keep the snapshot that it started with.
pub(super) struct PendingResponse {
    pub(super) settings: Rc<Settings>,
    worker: Rc<RefCell<Worker>>,
    /// The latest hosts of the configuration.
    latest: Rc<RefCell<Rc<HostDirectory>>>,
    /// The session, if `affinity` is configured and the request was decided.
    pub(super) session: Option<RequestSession>,
    /// Why the request is refused, if only the response shows whether its route answers it.
    pub(super) refusal: Option<RefusalReason>,
    /// The decision as JSON, for a client that may read it.
    pub(super) trace: Option<String>,
    /// The decision, if it is watched and names hosts.
    pub(super) passed: Option<Box<PassedDecision>>,
}

impl PendingResponse {
    /// The response to a request that is not decided yet.
    pub(super) fn new(serving: &Serving) -> Self {
        Self {
            settings: serving.settings.clone(),
            worker: serving.worker.clone(),
            latest: serving.latest.clone(),
            session: None,
            refusal: None,
            trace: None,
            passed: None,
        }
    }
}

impl PendingResponse {
    /// Replaces the response of a request that could not be refused before: the proxy found no cluster
    /// for it, or a host responded without our decision. The headers of the response are lost, so the
    /// new one has the trace.
    fn refuse<S: Stream>(&self, stream: &mut S) -> Next {
        match self.refusal {
            None => Next::Forward,
            Some(reason) => self.refuse_for(reason, stream),
        }
    }

    #[cold]
    #[inline(never)]
    fn refuse_for<S: Stream>(&self, reason: RefusalReason, stream: &mut S) -> Next {
        let upstream = stream.upstream_address();
        let has_host = upstream.is_some_and(|upstream| !upstream.is_empty());
        if !has_host && !stream.has_no_cluster() {
            return Next::Forward;
        }
        let trace = self
            .settings
            .trace
            .as_ref()
            .zip(self.trace.as_deref())
            .map(|(config, text)| (config.header.as_str(), text));
        if reason.send(stream, &self.settings, trace) {
            Next::Responded
        } else {
            Next::Forward
        }
    }
}

impl SteeredRequest {
    /// Handles the response headers. The response is forwarded, or replaced by a local one.
    pub fn on_response_headers<S: Stream>(&self, stream: &mut S) -> Next {
        let Some(pending) = &self.response else {
            return Next::Forward;
        };
        if pending.refuse(stream) == Next::Responded {
            return Next::Responded;
        }
        let settings = &*pending.settings;
        super::strip::response_headers(stream, settings);
        // Neither is borrowed here: callbacks do not nest.
        if let Ok(mut worker) = pending.worker.try_borrow_mut()
            && let Ok(latest) = pending.latest.try_borrow()
        {
            let mut responder = Responder::default();
            if let Some(passed) = &pending.passed {
                passed.compare(stream, &mut responder, &mut worker);
            }
            if let Some(policy) = &settings.sessions {
                let tokens = &mut worker.tokens.opened;
                let stripped = match &pending.session {
                    Some(session) => {
                        session.respond(stream, policy, &latest, tokens, &mut responder)
                    }
                    None => policy.strip_copies(stream, &mut responder),
                };
                if stripped {
                    worker.sessions.stripped.add(stream.plugin());
                }
            }
        }
        if let (Some(text), Some(trace)) = (&pending.trace, &settings.trace) {
            stream.set_header(Side::Response, &trace.header, text);
        }
        Next::Forward
    }
}
