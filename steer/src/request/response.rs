//! The response: strips internal headers, then writes the session token and the trace.

use super::SteeredRequest;
use crate::{port::Stream, session::Hosts};

impl SteeredRequest {
    /// Handles the response headers.
    pub fn on_response_headers<S: Stream>(&self, stream: &mut S) {
        let Some(serving) = &self.serving else {
            return;
        };
        let (settings, snapshot) = (&*serving.settings, &*serving.snapshot);
        super::strip::response_headers(stream, settings);
        // The worker is never borrowed here: callbacks do not nest.
        if let (Some(session), Some(policy)) = (&self.session, &settings.sessions)
            && let Ok(mut worker) = serving.worker.try_borrow_mut()
        {
            let hosts = Hosts {
                snapshot,
                directory: &serving.directory,
            };
            session.respond(stream, policy, hosts, &mut worker.tokens.opened);
        }
        if let Some(traced) = &self.traced {
            traced.write(stream, serving, self.session.as_ref());
        }
    }
}
