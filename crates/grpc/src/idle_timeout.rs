//! The idle timeout of session connections: `idle_timeout` in a CDS resource (A75).

use alloc::{vec, vec::Vec};
use core::time::Duration;

use crate::{DurationField, ProtoDuration};

/// The content of `Cluster.upstream_config.typed_config`.
///
/// gRPC reads only this field, not `typed_extension_protocol_options`, where Envoy configurations
/// have the same message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpstreamConfig<'a> {
    /// The type URL; only the part after the last `/` matters.
    pub type_url: &'a str,
    /// The message; `None` if the bytes are invalid.
    pub message: Option<HttpProtocolOptions>,
}

/// The fields of `HttpProtocolOptions` that gRPC reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HttpProtocolOptions {
    /// `common_http_protocol_options.idle_timeout`, if set.
    pub idle_timeout: Option<ProtoDuration>,
}

/// A timeout and its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdleTimeout {
    /// Not configured: one hour.
    Default,
    /// Configured, 0 to 10,000 years.
    Configured(Duration),
}

impl IdleTimeout {
    /// The timeout.
    #[must_use]
    pub const fn get(self) -> Duration {
        match self {
            Self::Default => Duration::from_secs(3600),
            Self::Configured(timeout) => timeout,
        }
    }
}

/// Why gRPC rejects (NACK) the resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UpstreamConfigFault {
    /// The type URL is invalid or is not `HttpProtocolOptions`.
    TypeUrl,
    /// The bytes are not a valid message.
    Value,
    /// A field of the timeout is out of range.
    IdleTimeout(DurationField),
}

impl UpstreamConfigFault {
    /// The name of the invalid field.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::TypeUrl => "type_url",
            Self::Value => "value",
            Self::IdleTimeout(field) => field.name(),
        }
    }
}

const MESSAGE: &str = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

/// Reads the timeout of a cluster; `None` without `upstream_config`.
///
/// # Errors
/// Every reason to reject the resource.
pub fn idle_timeout(
    config: Option<&UpstreamConfig<'_>>,
) -> Result<IdleTimeout, Vec<UpstreamConfigFault>> {
    let Some(config) = config else {
        return Ok(IdleTimeout::Default);
    };
    if !matches!(config.type_url.rsplit_once('/'), Some((_, MESSAGE))) {
        return Err(vec![UpstreamConfigFault::TypeUrl]);
    }
    let Some(message) = config.message else {
        return Err(vec![UpstreamConfigFault::Value]);
    };
    let Some(timeout) = message.idle_timeout else {
        return Ok(IdleTimeout::Default);
    };
    match timeout.get() {
        Some(timeout) => Ok(IdleTimeout::Configured(timeout)),
        None => Err(timeout
            .faults()
            .map(UpstreamConfigFault::IdleTimeout)
            .collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(type_url: &str, timeout: ProtoDuration) -> Result<IdleTimeout, Vec<&'static str>> {
        let message = Some(HttpProtocolOptions {
            idle_timeout: Some(timeout),
        });
        idle_timeout(Some(&UpstreamConfig { type_url, message }))
            .map_err(|faults| faults.into_iter().map(UpstreamConfigFault::field).collect())
    }

    #[test]
    fn only_the_end_of_the_type_url_matters() {
        let zero = ProtoDuration::default();
        let of = |url: &str| read(url, zero);
        let legal = Ok(IdleTimeout::Configured(Duration::ZERO));
        assert_eq!(of(&alloc::format!("example.test/x/{MESSAGE}")), legal);
        assert_eq!(of(MESSAGE), Err(vec!["type_url"]));
        assert_eq!(of(""), Err(vec!["type_url"]));
        let undecodable = UpstreamConfig {
            type_url: &alloc::format!("/{MESSAGE}"),
            message: None,
        };
        assert_eq!(
            idle_timeout(Some(&undecodable)),
            Err(vec![UpstreamConfigFault::Value])
        );
    }

    #[test]
    fn both_fields_can_be_invalid() {
        let timeout = ProtoDuration {
            seconds: -1,
            nanos: 1_000_000_000,
        };
        let url = alloc::format!("type.googleapis.com/{MESSAGE}");
        assert_eq!(read(&url, timeout), Err(vec!["seconds", "nanos"]));
    }
}
