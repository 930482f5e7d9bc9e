//! Subject `picker`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_core::model::OverrideStatuses;
use spillgate_grpc::{
    ChildPick, DEFAULT_STATUSES, GrpcEndpoint, OverrideHostPick, OverrideHosts, Wait,
};

use super::{
    super::{Figures, figures, read},
    connectivity, health,
};

/// The endpoints, the connections, the cookie and the child policy.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    override_host_status: Option<Vec<String>>,
    endpoints: Vec<EndpointInput>,
    subchannels: BTreeMap<String, String>,
    attribute: Option<Attribute>,
    child: Child,
}

/// An endpoint.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EndpointInput {
    addresses: Vec<String>,
    #[serde(default = "unknown")]
    health: String,
}

/// The session attribute of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attribute {
    cookie_address_list: String,
}

/// The result of the child policy.
#[derive(Deserialize, Clone)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Child {
    Complete { address: String },
    Queue,
    Fail,
    Drop,
}

/// The default health status.
fn unknown() -> String {
    "UNKNOWN".into()
}

/// A time after all earlier ones.
const NOW: u64 = 1;

/// The picked host and the new address list of the cookie.
pub(super) fn picker(input: &Value) -> Result<Figures, String> {
    let input: Input = read(input)?;
    let statuses = match &input.override_host_status {
        Some(names) => {
            let statuses: Result<OverrideStatuses, String> =
                names.iter().map(|name| health(name)).collect();
            statuses?
        }
        None => DEFAULT_STATUSES,
    };
    let mut hosts = OverrideHosts::new(statuses, 0);
    let endpoints: Result<Vec<GrpcEndpoint>, String> = input
        .endpoints
        .into_iter()
        .map(|endpoint| {
            Ok(GrpcEndpoint {
                addresses: endpoint.addresses,
                health: health(&endpoint.health)?,
            })
        })
        .collect();
    hosts.update(0, &endpoints?);
    for (address, state) in &input.subchannels {
        hosts.child_created(address);
        hosts.set_state(address, connectivity(state)?);
    }
    let cookie = input
        .attribute
        .map(|attribute| attribute.cookie_address_list);
    let child = input.child.clone();
    let picked = hosts.pick(NOW, cookie.as_deref(), || child.into());
    let touched: Vec<&str> = hosts
        .entries()
        .filter(|(_, entry)| entry.last_used == Some(NOW))
        .map(|(address, _)| address)
        .collect();
    let mut found = shown(&picked);
    found.insert("touched".into(), json!(touched));
    Ok(found)
}

impl From<Child> for ChildPick {
    fn from(child: Child) -> Self {
        match child {
            Child::Complete { address } => Self::Complete(address),
            Child::Queue => Self::Queue,
            Child::Fail => Self::Fail,
            Child::Drop => Self::Drop,
        }
    }
}

/// The result of a pick as figures.
fn shown(picked: &OverrideHostPick) -> Figures {
    match picked {
        OverrideHostPick::Override {
            address,
            address_list,
        } => figures([
            ("result", json!("pick")),
            ("address", json!(address)),
            ("actual_address_list", json!(address_list)),
        ]),
        OverrideHostPick::Queue(wait) => {
            let (connect, create) = match wait {
                Wait::Connect(address) => (Some(address), None),
                Wait::Connecting(_) => (None, None),
                Wait::Create(address) => (None, Some(address)),
            };
            figures([
                ("result", json!("queue")),
                ("connect", json!(connect)),
                ("create", json!(create)),
            ])
        }
        OverrideHostPick::Delegate { pick, address_list } => {
            let (child, address) = match pick {
                ChildPick::Complete(address) => ("complete", Some(address)),
                ChildPick::Queue => ("queue", None),
                ChildPick::Fail => ("fail", None),
                ChildPick::Drop => ("drop", None),
            };
            figures([
                ("result", json!("delegate")),
                ("child", json!(child)),
                ("address", json!(address)),
                ("actual_address_list", json!(address_list)),
            ])
        }
    }
}
