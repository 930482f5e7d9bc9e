//! The response: internal headers are stripped, the session token and the trace are written.

use super::SteeredRequest;
use crate::{port::Stream, session::Hosts};

impl SteeredRequest {
    /// Takes the response headers.
    pub fn on_response_headers<S: Stream>(&self, stream: &mut S) {
        let Some(serving) = &self.serving else {
            return;
        };
        let (settings, snapshot) = (&*serving.settings, &*serving.snapshot);
        super::strip::response_headers(stream, settings);
        // Callbacks do not nest, so no request holds the worker.
        if let (Some(session), Some(policy)) = (&self.session, &settings.sessions)
            && let Ok(mut worker) = serving.worker.try_borrow_mut()
        {
            let hosts = Hosts {
                snapshot,
                directory: &serving.directory,
            };
            session.respond(stream, policy, hosts, &mut worker.tokens);
        }
        if let Some(traced) = &self.traced {
            traced.write(stream, settings, snapshot);
        }
    }
}
