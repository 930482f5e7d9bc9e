//! Kinds `hash` and `hash_policy`.

use std::net::IpAddr;

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_config::re2::compile;
use spillgate_core::{
    hash::{murmur2_64, xxh64},
    route::{Connection, CookieSource, HashPolicy, HashSource, HeaderList, Pattern, request_hash},
};

use super::{Figures, figures, read};

/// The input of `hash`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    text: String,
}

/// The input of `hash_policy`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Policies {
    policies: Vec<PolicyInput>,
    request: RequestInput,
}

/// One `HashPolicy` of a route.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyInput {
    header: Option<String>,
    regex: Option<String>,
    substitution: Option<String>,
    cookie: Option<String>,
    ttl: Option<u64>,
    cookie_path: Option<String>,
    query: Option<String>,
    source_ip: Option<bool>,
    #[serde(default)]
    terminal: bool,
}

/// The request to hash.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestInput {
    #[serde(default)]
    headers: Vec<(String, String)>,
    path: Option<String>,
    source_ip: Option<IpAddr>,
    #[serde(default)]
    remote: String,
    #[serde(default)]
    local: String,
}

/// The xxHash and the MurmurHash of a text.
pub(super) fn hash(input: &Value, _: &Figures) -> Result<Figures, String> {
    let Text { text } = read(input)?;
    let text = text.as_bytes();
    Ok(figures([
        ("xxh64", xxh64(text, 0).to_string().into()),
        ("xxh64_seed1", xxh64(text, 1).to_string().into()),
        ("murmur2", murmur2_64(text).to_string().into()),
    ]))
}

/// The request hash, if a policy produces one.
pub(super) fn hash_policy(input: &Value, _: &Figures) -> Result<Figures, String> {
    let Policies { policies, request } = read(input)?;
    let policies: Vec<HashPolicy> = policies
        .iter()
        .map(PolicyInput::policy)
        .collect::<Result<_, _>>()?;
    let mut headers = request.headers;
    headers.extend(request.path.map(|path| (":path".into(), path)));
    let connection = Connection {
        remote: &request.remote,
        local: &request.local,
        client: request.source_ip,
        filter_state: &[],
        ..Connection::default()
    };
    let hash = request_hash(&policies, &HeaderList(&headers), &connection);
    Ok(figures([(
        "hash",
        hash.map_or(Value::Null, |hash| json!(hash.to_string())),
    )]))
}

impl PolicyInput {
    /// The policy in the form of the engine.
    fn policy(&self) -> Result<HashPolicy, String> {
        let sources = [
            self.header_source()?,
            self.cookie.clone().map(|name| {
                HashSource::Cookie(CookieSource {
                    name,
                    ttl: self.ttl,
                    path: self.cookie_path.clone().unwrap_or_default(),
                    attributes: Vec::new(),
                })
            }),
            self.query
                .clone()
                .map(|name| HashSource::QueryParameter { name }),
            self.source_ip
                .filter(|wanted| *wanted)
                .map(|_| HashSource::SourceIp),
        ];
        let mut sources = sources.into_iter().flatten();
        match (sources.next(), sources.next()) {
            (Some(source), None) => Ok(HashPolicy {
                source,
                terminal: self.terminal,
            }),
            _ => Err("input: a policy needs one source".into()),
        }
    }

    /// The header of a policy, with its rewrite.
    fn header_source(&self) -> Result<Option<HashSource>, String> {
        let Some(name) = self.header.clone() else {
            return Ok(None);
        };
        let rewrite = match &self.regex {
            Some(regex) => {
                let substitution = self.substitution.as_deref().unwrap_or_default();
                Some(Pattern::new(regex.as_str(), compile(regex)?).rewrite(substitution)?)
            }
            None => None,
        };
        Ok(Some(HashSource::Header { name, rewrite }))
    }
}
