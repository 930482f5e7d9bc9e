//! The hash of a request under gRPC's rules (A42).

use spillgate_core::route::{Connection, HashPolicy, HashSource, HeaderList, request_hash};

/// The hash that a client computes before each pick.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum GrpcHash {
    /// No policy yields one: each request has a random hash.
    #[default]
    Random,
    /// From these headers.
    Known {
        /// The hash.
        hash: u64,
        /// The names of the headers of its policies.
        headers: Vec<String>,
    },
    /// It depends on the channel of the client (`io.grpc.channel_id`).
    ByChannel,
}

/// The filter state that names the channel.
const CHANNEL: &str = "io.grpc.channel_id";

impl GrpcHash {
    /// The hash of a request with these headers, as the client sends them. gRPC ignores other kinds of
    /// policies.
    pub(super) fn of(policies: &[HashPolicy], sent: &[(String, String)]) -> Self {
        let mut supported: Vec<HashPolicy> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut joined: Vec<(String, String)> = Vec::new();
        for policy in policies {
            match &policy.source {
                HashSource::FilterState { key } if key == CHANNEL => return Self::ByChannel,
                HashSource::Header { name, .. } => {
                    supported.push(policy.clone());
                    if !names.contains(name) {
                        names.push(name.clone());
                        joined.extend(joined_value(name, sent).map(|value| (name.clone(), value)));
                    }
                }
                _ => {}
            }
        }
        match request_hash(&supported, &HeaderList(&joined), &Connection::default()) {
            Some(hash) => Self::Known {
                hash,
                headers: names,
            },
            None => Self::Random,
        }
    }

    /// The hash, if it is the same for all such requests.
    pub(super) const fn known(&self) -> Option<u64> {
        match self {
            Self::Known { hash, .. } => Some(*hash),
            Self::Random | Self::ByChannel => None,
        }
    }

    /// The hash in words.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Random => {
                "no hash policy that gRPC has yields a hash: random, so the shares are the average over all hashes".into()
            }
            Self::ByChannel => {
                "by the channel of the client (io.grpc.channel_id): the shares are the average over all channels".into()
            }
            Self::Known { hash, headers } => {
                format!("{hash:#018x} from {}", headers.join(", "))
            }
        }
    }
}

/// The value of a header for gRPC: several values are joined, and binary headers have none.
pub(super) fn joined_value(name: &str, sent: &[(String, String)]) -> Option<String> {
    if name.ends_with("-bin") {
        return None;
    }
    if name == "content-type" {
        return Some("application/grpc".into());
    }
    let values = sent.iter().filter(|(of, _)| of == name);
    let values: Vec<&str> = values.map(|(_, value)| value.as_str()).collect();
    (!values.is_empty()).then(|| values.join(","))
}

#[cfg(test)]
mod tests {
    use spillgate_core::hash::xxh64;

    use super::*;

    fn policy(source: HashSource, terminal: bool) -> HashPolicy {
        HashPolicy { source, terminal }
    }

    fn header(name: &str) -> HashSource {
        HashSource::Header {
            name: name.into(),
            rewrite: None,
        }
    }

    fn sent(headers: &[(&str, &str)]) -> Vec<(String, String)> {
        let headers = headers.iter();
        headers
            .map(|(name, value)| ((*name).into(), (*value).into()))
            .collect()
    }

    #[test]
    fn policies_that_grpc_lacks_are_left_out_even_if_terminal() {
        let policies = [
            policy(HashSource::SourceIp, true),
            policy(header("x-user"), false),
        ];
        let hash = GrpcHash::of(&policies, &sent(&[("x-user", "ann")]));
        assert_eq!(hash.known(), Some(xxh64(b"ann", 0)));
        assert_eq!(GrpcHash::of(&policies, &[]), GrpcHash::Random);
    }

    #[test]
    fn values_are_joined_and_binary_headers_have_none() {
        let twice = sent(&[("x-user", "b"), ("x-user", "a")]);
        let hash = GrpcHash::of(&[policy(header("x-user"), false)], &twice);
        assert_eq!(hash.known(), Some(xxh64(b"b,a", 0)));
        let binary = sent(&[("x-bin", "b")]);
        assert_eq!(
            GrpcHash::of(&[policy(header("x-bin"), false)], &binary),
            GrpcHash::Random
        );
    }

    #[test]
    fn the_channel_decides_where_a_policy_says_so() {
        let key = CHANNEL.into();
        let policies = [policy(HashSource::FilterState { key }, false)];
        assert_eq!(GrpcHash::of(&policies, &[]), GrpcHash::ByChannel);
    }
}
