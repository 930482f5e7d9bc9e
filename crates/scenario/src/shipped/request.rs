//! What the shipped filter is to decide.

/// Equal requests to the shown cluster of a scenario. Their subset criteria cross as bytes, see
/// [`struct_bytes`](super::struct_bytes).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShippedRequest {
    /// The first random number of the filter.
    pub seed: u64,
    /// The number of requests.
    pub count: u32,
    /// The value that the hash policy hashes; empty for requests without a request hash.
    pub key: String,
    /// The session of the requests.
    pub session: ShippedSession,
    /// Whether the filter returns its decisions as JSON, with their steps.
    pub trace: bool,
}

/// A session of the filter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ShippedSession {
    /// The filter has no sessions.
    #[default]
    Without,
    /// Each request begins a session.
    New,
    /// The requests have a token of this host.
    Of {
        /// The name of the cluster with the host.
        cluster: String,
        /// Its address.
        address: String,
    },
}

impl ShippedRequest {
    /// The texts that cross to the module that writes files.
    #[must_use]
    pub fn into_texts(self) -> Vec<String> {
        let (session, cluster, address) = match self.session {
            ShippedSession::Without => ("", String::new(), String::new()),
            ShippedSession::New => ("new", String::new(), String::new()),
            ShippedSession::Of { cluster, address } => ("of", cluster, address),
        };
        let trace = if self.trace { "trace" } else { "" };
        vec![
            self.seed.to_string(),
            self.count.to_string(),
            self.key,
            session.into(),
            cluster,
            address,
            trace.into(),
        ]
    }

    /// The request of such texts. Missing texts are empty.
    #[must_use]
    pub fn from_texts(texts: Vec<String>) -> Self {
        let mut texts = texts.into_iter();
        let mut text = || texts.next().unwrap_or_default();
        let (seed, count, key) = (text(), text(), text());
        let (session, cluster, address) = (text(), text(), text());
        Self {
            seed: seed.parse().unwrap_or(0),
            count: count.parse().unwrap_or(0),
            key,
            session: match session.as_str() {
                "new" => ShippedSession::New,
                "of" => ShippedSession::Of { cluster, address },
                _ => ShippedSession::Without,
            },
            trace: !text().is_empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_crosses_as_texts() {
        let of = ShippedSession::Of {
            cluster: "shop".into(),
            address: "10.0.0.1:80".into(),
        };
        for session in [ShippedSession::Without, ShippedSession::New, of] {
            let request = ShippedRequest {
                seed: u64::MAX,
                count: 1_000,
                key: "ann".into(),
                session,
                trace: true,
            };
            let texts = request.clone().into_texts();
            assert_eq!(ShippedRequest::from_texts(texts), request);
        }
        assert_eq!(
            ShippedRequest::from_texts(Vec::new()),
            ShippedRequest::default()
        );
    }
}
