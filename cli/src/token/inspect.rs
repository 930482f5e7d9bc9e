//! What a token says.

use std::path::Path;

use serde_json::json;
use spillgate_config::Diagnostic;
use spillgate_core::{
    affinity::{Opened, Refused, Rules, TokenKey, key_id},
    model::{ClusterKind, Model},
};

use super::args::{InspectArgs, InspectFormat};
use crate::{
    clock::present,
    command::{Done, Finished},
    config::ConfigArgs,
    input::{Faults, read_text},
};

/// Prints what a token says and whether it is good.
pub(super) fn run(args: &InspectArgs) -> Finished {
    let once = args.token == "-" || args.keys.keys == Path::new("-");
    let twice = args.token == "-" && args.keys.keys == Path::new("-");
    let config_too = once && args.config.as_deref() == Some(Path::new("-"));
    if twice || config_too {
        let fault = Diagnostic::error("input/twice", "the standard input cannot be read twice");
        return Err(Faults::one("-", &fault));
    }
    let keys = args.keys.read();
    let token = match args.token.as_str() {
        "-" => read_text(Path::new("-")).map(|text| text.text),
        token => Ok(token.to_owned()),
    };
    let config = args.config.as_ref().map(|config| {
        let config = ConfigArgs {
            config: config.clone(),
            health: None,
        };
        config.read()
    });
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
        config.warn(&mut done);
    }
    let text = token.trim().as_bytes();
    let now = args.now.unwrap_or_else(present);
    let told = match keys.ring.genuine(text) {
        Err(reason) => Told::refused(reason, key_id(text)),
        Ok((opened, key)) => {
            let model = config.as_ref().map(|config| &config.envoy.model);
            Told::of(args, now, &opened, key, model)
        }
    };
    done.negative = told.refused.is_some();
    done.output = match args.format {
        InspectFormat::Text => told.to_text(now),
        InspectFormat::Json => told.to_json() + "\n",
    };
    Ok(done)
}

/// What there is to tell.
struct Told {
    refused: Option<Refused>,
    key: Option<u8>,
    opened: Option<Opened>,
    /// Whether it is for the scope that was asked about.
    scope: Option<bool>,
    host: Option<(String, String)>,
    looked: bool,
}

impl Told {
    fn refused(reason: Refused, key: Option<u8>) -> Self {
        Self {
            refused: Some(reason),
            // Without a form there is no number to rely on.
            key: key.filter(|_| reason != Refused::Malformed),
            opened: None,
            scope: None,
            host: None,
            looked: false,
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
        let rules = Rules {
            now,
            scope: scope.unwrap_or_default(),
            max_life: args.max_life,
            epoch: args.epoch,
        };
        // The scope comes last, so that nothing else is hidden behind one that nobody named.
        let refused = rules.check(&opened.token, key).err();
        Self {
            refused: refused.filter(|reason| scope.is_some() || *reason != Refused::Scope),
            key: Some(key.id()),
            opened: Some(*opened),
            scope: scope.map(|scope| opened.token.scope == key.scope_id(scope)),
            host: model.and_then(|model| host_of(model, opened, key)),
            looked: model.is_some(),
        }
    }

    fn verdict(&self) -> &'static str {
        self.refused.map_or("good", Refused::name)
    }

    fn to_text(&self, now: u64) -> String {
        let mut lines = vec![("token", self.verdict().to_owned())];
        if let Some(key) = self.key {
            let note = match self.opened {
                Some(opened) if opened.is_first_key() => ", which seals",
                Some(_) => ", which seals no more",
                None => ", as it says",
            };
            lines.push(("key", format!("{key}{note}")));
        }
        if let Some(opened) = &self.opened {
            let token = opened.token;
            lines.push(("session", format!("{:016x}", token.session)));
            lines.push(("issued", moment(token.issued, now)));
            lines.push(("expires", moment(token.expires, now)));
            lines.push(("epoch", token.epoch.to_string()));
            if let Some(matches) = self.scope {
                let scope = if matches { "this one" } else { "another" };
                lines.push(("scope", scope.to_owned()));
            }
            lines.push((
                "host",
                match &self.host {
                    Some((cluster, address)) => format!("{address} of {cluster}"),
                    None if self.looked => format!("{}, none of the configuration", token.host),
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

/// Cluster and address of the host with that id.
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

/// A time, and how far it is.
fn moment(time: u64, now: u64) -> String {
    if time > now {
        format!("{time} (in {} s)", time - now)
    } else {
        format!("{time} ({} s ago)", now - time)
    }
}
