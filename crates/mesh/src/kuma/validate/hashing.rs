//! `hashPolicies`.

use super::super::KumaHashPolicy;
use crate::{MeshFaultCode, paths::Place};

pub(super) fn check(policies: Option<&[KumaHashPolicy]>, place: &mut Place<'_>) {
    for (index, policy) in policies.unwrap_or_default().iter().enumerate() {
        check_policy(policy, &mut place.entry(index));
    }
}

fn check_policy(policy: &KumaHashPolicy, place: &mut Place<'_>) {
    let (block, name) = match policy.kind.as_str() {
        "Header" => ("header", policy.header.as_ref().map(|name| (name, "name"))),
        "QueryParameter" => {
            let name = policy.query_parameter.as_ref();
            ("queryParameter", name.map(|name| (name, "name")))
        }
        "FilterState" => {
            let key = policy.filter_state.as_ref();
            ("filterState", key.map(|key| (key, "key")))
        }
        "Cookie" => {
            let cookie = policy.cookie.as_ref();
            if let Some(path) = cookie.and_then(|cookie| cookie.path.as_ref()) {
                place
                    .field("cookie")
                    .field("path")
                    .fault_if(!path.starts_with('/'), MeshFaultCode::MustBeAbsolutePath);
            }
            ("cookie", cookie.map(|cookie| (&cookie.name, "name")))
        }
        // `SourceIP` is the deprecated name.
        "Connection" | "SourceIP" => {
            let missing = policy.connection.is_none();
            let mut place = place.field("connection");
            return place.fault_if(missing, MeshFaultCode::MustBeDefined);
        }
        _ => return place.field("type").fault(MeshFaultCode::UnrecognizedType),
    };
    let mut place = place.field(block);
    match name {
        None => place.fault(MeshFaultCode::MustBeDefined),
        Some((name, field)) => {
            let mut place = place.field(field);
            place.fault_if(name.is_empty(), MeshFaultCode::MustNotBeEmpty);
        }
    }
}
