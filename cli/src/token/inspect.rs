//! `spillgate token inspect`: opens a token, checks it and prints its fields.

use std::path::Path;

use serde_json::json;
use spillgate_answers::input::{Faults, read_text};
use spillgate_config::Diagnostic;
use spillgate_core::{
    affinity::{Opened, Refused, TokenKey, TokenRules, key_id},
    model::{ClusterKind, Model},
};

use super::args::{InspectArgs, InspectFormat};
use crate::{
    clock::present,
    command::{Done, Finished},
    config::ConfigArgs,
};

/// Prints the fields of a token and whether it is valid.
pub(super) fn run(args: &InspectArgs) -> Finished {
    let once = args.token == "-" || args.keys.keys == Path::new("-");
    let twice = args.token == "-" && args.keys.keys == Path::new("-");
    let config_too = once && args.config.as_deref() == Some(Path::new("-"));
    if twice || config_too {
        let fault = Diagnostic::error("input/twice", "standard input cannot be read twice")
            .expected("`-` for one of TOKEN, --keys and --config");
        return Err(Faults::one("-", &fault));
    }
    let keys = args.keys.read();
    let token = match args.token.as_str() {
        "-" => read_text(Path::new("-")).map(|text| text.text),
        token => Ok(token.to_owned()),
    };
    let config = args.config.as_ref();
    let config = config.map(|config| ConfigArgs::of(config.clone()).read());
    let (keys, token, config) = match (keys, token, config.transpose()) {
        (Ok(keys), Ok(token), Ok(config)) => (keys, token, config),
        (keys, token, config) => {
            let mut faults = Faults::default();
            let found = [keys.err(), token.err(), config.err()];
            found
                .into_iter()
                .flatten()
                .for_each(|more| faults.extend(more));
            return Err(faults);
        }
    };
    let mut done = Done::default();
    if let Some(config) = &config {
        config.warn_all(&mut done);
    }
    let text = token.trim().as_bytes();
    let now = args.now.unwrap_or_else(present);
    let inspected = match keys.ring.genuine(text) {
        Err(reason) => InspectedToken::refused(reason, key_id(text)),
        Ok((opened, key)) => {
            let model = config.as_ref().map(|config| &config.envoy.model);
            InspectedToken::of(args, now, &opened, key, model)
        }
    };
    done.negative = inspected.refused.is_some();
    done.output = match args.format {
        InspectFormat::Text => inspected.to_text(now),
        InspectFormat::Json => inspected.to_json() + "\n",
    };
    Ok(done)
}

/// The result of an inspection.
struct InspectedToken {
    /// Why the token is not valid.
    refused: Option<Refused>,
    /// The id of its key.
    key: Option<u8>,
    opened: Option<Opened>,
    /// Whether its scope is `--scope`; `None` without that option.
    scope: Option<bool>,
    /// The cluster and the address of its host, if the configuration has the host.
    host: Option<(String, String)>,
    /// Whether a configuration was given.
    has_config: bool,
}

impl InspectedToken {
    fn refused(reason: Refused, key: Option<u8>) -> Self {
        Self {
            refused: Some(reason),
            // A malformed token has no reliable key id.
            key: key.filter(|_| reason != Refused::Malformed),
            opened: None,
            scope: None,
            host: None,
            has_config: false,
        }
    }

    fn of(
        args: &InspectArgs,
        now: u64,
        opened: &Opened,
        key: &TokenKey,
        model: Option<&Model>,
    ) -> Self {
        let scope = args.scope.as_deref();
        let rules = TokenRules {
            now,
            scope: scope.unwrap_or_default(),
            max_life: args.max_life,
            epoch: args.epoch,
        };
        // The scope is checked last: without --scope, any scope is valid.
        let refused = rules.check(&opened.token, key).err();
        Self {
            refused: refused.filter(|reason| scope.is_some() || *reason != Refused::Scope),
            key: Some(key.id()),
            opened: Some(*opened),
            scope: scope.map(|scope| opened.token.scope == key.scope_id(scope)),
            host: model.and_then(|model| host_of(model, opened, key)),
            has_config: model.is_some(),
        }
    }

    fn verdict(&self) -> &'static str {
        self.refused.map_or("valid", Refused::name)
    }

    fn to_text(&self, now: u64) -> String {
        let mut lines = vec![("token", self.verdict().to_owned())];
        if let Some(key) = self.key {
            let note = match self.opened {
                Some(opened) if opened.is_first_key() => " (first key, seals new tokens)",
                Some(_) => " (opens tokens only)",
                None => " (not verified)",
            };
            lines.push(("key", format!("{key}{note}")));
        }
        if let Some(opened) = &self.opened {
            let token = opened.token;
            if let Some(carrier) = opened.carrier {
                lines.push(("carrier", carrier.name().to_owned()));
            }
            lines.push(("session", format!("{:016x}", token.session)));
            lines.push(("issued", moment(token.issued, now)));
            lines.push(("expires", moment(token.expires, now)));
            lines.push(("epoch", token.epoch.to_string()));
            if let Some(matches) = self.scope {
                let scope = if matches { "matches" } else { "does not match" };
                lines.push(("scope", scope.to_owned()));
            }
            lines.push((
                "host",
                match &self.host {
                    Some((cluster, address)) => format!("{address} of {cluster}"),
                    None if self.has_config => format!("{} (not in the configuration)", token.host),
                    None => token.host.to_string(),
                },
            ));
        }
        let lines = lines.iter();
        lines
            .map(|(name, value)| format!("{name:<8} {value}\n"))
            .collect()
    }

    fn to_json(&self) -> String {
        let token = self.opened.map(|opened| opened.token);
        json!({
            "good": self.refused.is_none(),
            "refused": self.refused.map(Refused::name),
            "key": self.key,
            "seals": self.opened.map(|opened| opened.is_first_key()),
            "carrier": self.opened.and_then(|opened| Some(opened.carrier?.name())),
            "session": token.map(|token| format!("{:016x}", token.session)),
            "issued": token.map(|token| token.issued),
            "expires": token.map(|token| token.expires),
            "epoch": token.map(|token| token.epoch),
            "scope": self.scope,
            "host_id": token.map(|token| token.host.to_string()),
            "cluster": self.host.as_ref().map(|(cluster, _)| cluster),
            "host": self.host.as_ref().map(|(_, address)| address),
        })
        .to_string()
    }
}

/// The cluster and address of the host of a token.
fn host_of(model: &Model, opened: &Opened, key: &TokenKey) -> Option<(String, String)> {
    model.clusters().iter().find_map(|cluster| {
        let ClusterKind::Plain(plain) = &cluster.kind else {
            return None;
        };
        let mut hosts = plain
            .priorities
            .iter()
            .flat_map(|priority| &priority.endpoints);
        let host =
            hosts.find(|host| key.host_id(&cluster.name, &host.address) == opened.token.host);
        Some((cluster.name.to_string(), host?.address.clone()))
    })
}

/// A time in seconds since the Unix epoch, and its distance from `now`.
fn moment(time: u64, now: u64) -> String {
    if time > now {
        format!("{time} (in {} s)", time - now)
    } else {
        format!("{time} ({} s ago)", now - time)
    }
}
