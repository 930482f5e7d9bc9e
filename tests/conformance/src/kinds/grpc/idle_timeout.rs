//! Subject `idle_timeout`.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_grpc::{
    HttpProtocolOptions, IdleTimeout, UpstreamConfig, UpstreamConfigFault,
    idle_timeout as read_timeout,
};

use super::{
    super::{Figures, figures, read},
    Duration,
};

/// The cluster resource.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    upstream_config: Option<Config>,
    /// gRPC does not read this field.
    #[serde(rename = "typed_extension_protocol_options")]
    _typed_extension_protocol_options: Option<Value>,
}

/// The typed configuration of the upstream.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    /// A message without a type URL is rejected.
    type_url: Option<String>,
    #[serde(default)]
    undecodable: bool,
    common_http_protocol_options: Option<Options>,
}

/// The HTTP protocol options.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    idle_timeout: Option<Duration>,
}

/// The timeout of a cluster, or the reasons to reject it.
pub(super) fn idle_timeout(input: &Value) -> Result<Figures, String> {
    let input: Input = read(input)?;
    let config = input.upstream_config.as_ref().map(|config| {
        let options = config.common_http_protocol_options.as_ref();
        let timeout = options.and_then(|options| options.idle_timeout);
        UpstreamConfig {
            type_url: config.type_url.as_deref().unwrap_or_default(),
            message: (!config.undecodable).then(|| HttpProtocolOptions {
                idle_timeout: timeout.map(Into::into),
            }),
        }
    });
    Ok(match read_timeout(config.as_ref()) {
        Ok(timeout) => {
            let from = match timeout {
                IdleTimeout::Default => "default",
                IdleTimeout::Configured(_) => "config",
            };
            let timeout = timeout.get();
            figures([
                ("result", json!("ACK")),
                (
                    "idle_timeout",
                    json!({"seconds": timeout.as_secs(), "nanos": timeout.subsec_nanos()}),
                ),
                ("from", json!(from)),
            ])
        }
        Err(faults) => {
            let fields: Vec<_> = faults.into_iter().map(UpstreamConfigFault::field).collect();
            figures([("result", json!("NACK")), ("fields", json!(fields))])
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_config_without_a_type_is_refused() {
        for input in [
            json!({"upstream_config": {"type_url": null}}),
            json!({"upstream_config": {}}),
        ] {
            let found = idle_timeout(&input).unwrap();
            assert_eq!(found["result"], "NACK", "{input}");
        }
        let found = idle_timeout(&json!({"upstream_config": null})).unwrap();
        assert_eq!(found["result"], "ACK");
    }
}
