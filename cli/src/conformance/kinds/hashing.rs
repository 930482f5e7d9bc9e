//! Kinds `hash` and `hash_policy`.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_core::{
    hash::{murmur2_64, xxh64},
    route::{Connection, HashPolicy, HashSource, HeaderList, request_hash},
};

use super::{Figures, figures, read};
use crate::regex_rewrite::RegexRewrite;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Policies {
    policies: Vec<PolicyInput>,
    request: RequestInput,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyInput {
    header: Option<String>,
    regex: Option<String>,
    substitution: Option<String>,
    cookie: Option<String>,
    #[serde(rename = "ttl")]
    _ttl: Option<u64>,
    #[serde(rename = "cookie_path")]
    _cookie_path: Option<String>,
    query: Option<String>,
    source_ip: Option<bool>,
    #[serde(default)]
    terminal: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestInput {
    #[serde(default)]
    headers: Vec<(String, String)>,
    path: Option<String>,
    #[serde(rename = "source_ip")]
    _source_ip: Option<String>,
    #[serde(rename = "remote")]
    _remote: Option<String>,
    #[serde(rename = "local")]
    _local: Option<String>,
}

pub(super) fn hash(input: &Value, _: &Figures) -> Result<Figures, String> {
    let Text { text } = read(input)?;
    let text = text.as_bytes();
    Ok(figures([
        ("xxh64", xxh64(text, 0).to_string().into()),
        ("xxh64_seed1", xxh64(text, 1).to_string().into()),
        ("murmur2", murmur2_64(text).to_string().into()),
    ]))
}

pub(super) fn hash_policy(input: &Value, _: &Figures) -> Result<Figures, String> {
    let Policies { policies, request } = read(input)?;
    let policies: Vec<HashPolicy> = policies
        .iter()
        .map(PolicyInput::policy)
        .collect::<Result<_, _>>()?;
    let mut headers = request.headers;
    headers.extend(request.path.map(|path| (":path".into(), path)));
    let hash = request_hash(&policies, &HeaderList(&headers), &Connection::default());
    Ok(figures([(
        "hash",
        hash.map_or(Value::Null, |hash| json!(hash.to_string())),
    )]))
}

impl PolicyInput {
    fn policy(&self) -> Result<HashPolicy, String> {
        let source = match self {
            Self {
                header: Some(name),
                cookie: None,
                query: None,
                source_ip: None,
                ..
            } => HashSource::Header {
                name: name.clone(),
                rewrite: match (&self.regex, &self.substitution) {
                    (Some(regex), substitution) => {
                        let substitution = substitution.as_deref().unwrap_or_default();
                        Some(RegexRewrite::shared(regex, substitution)?)
                    }
                    (None, _) => None,
                },
            },
            Self {
                cookie: Some(_), ..
            } => return Err("cookie hash policies are not supported".into()),
            Self { query: Some(_), .. } => {
                return Err("query parameter hash policies are not supported".into());
            }
            Self {
                source_ip: Some(_), ..
            } => return Err("source address hash policies are not supported".into()),
            _ => return Err("input: a policy needs one source".into()),
        };
        Ok(HashPolicy {
            source,
            terminal: self.terminal,
        })
    }
}
