//! The ports of a scenario, those that its files name and others in their place.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener};

use anyhow::{Context as _, Result};

use crate::Port;

/// The text before the number of a port in a configuration.
const FIELD: &str = "port_value: ";

/// From the numbers in the files to those that are used.
#[derive(Debug, Default)]
pub struct ScenarioPorts {
    used: BTreeMap<u16, u16>,
    _leases: Vec<Port>,
}

impl ScenarioPorts {
    /// The ports as bootstraps have them.
    ///
    /// # Errors
    /// When a number is not a port, or the port is in use at 127.0.0.1.
    pub fn given(bootstraps: &[String]) -> Result<Self> {
        let mut used = BTreeMap::new();
        for port in named(bootstraps)? {
            TcpListener::bind((Ipv4Addr::LOCALHOST, port))
                .with_context(|| format!("cannot listen on port {port}"))?;
            used.insert(port, port);
        }
        Ok(Self {
            used,
            _leases: Vec::new(),
        })
    }

    /// Free ports in the place of those that bootstraps have.
    ///
    /// # Errors
    /// When a number is not a port, or no port is free.
    pub fn free(bootstraps: &[String]) -> Result<Self> {
        let (mut used, mut leases) = (BTreeMap::new(), Vec::new());
        for port in named(bootstraps)? {
            let lease = Port::lease()?;
            used.insert(port, lease.number());
            leases.push(lease);
        }
        Ok(Self {
            used,
            _leases: leases,
        })
    }

    /// A text with the ports that are used in the place of those that it names. Only whole numbers
    /// are ports: the 8080 in 18080 is not.
    #[must_use]
    pub fn put_into(&self, text: &str) -> String {
        replaced(text, |number| self.used.get(&number).copied())
    }

    /// The other way round: a text of the running scenario as the files would have it.
    #[must_use]
    pub fn take_out(&self, text: &str) -> String {
        replaced(text, |number| {
            let mut pairs = self.used.iter();
            pairs.find_map(|(given, used)| (*used == number).then_some(*given))
        })
    }

    /// The port that is used in the place of one.
    #[must_use]
    pub fn used(&self, given: u16) -> Option<u16> {
        self.used.get(&given).copied()
    }
}

/// All ports that bootstraps name.
fn named(bootstraps: &[String]) -> Result<Vec<u16>> {
    let mut ports = Vec::new();
    let all = bootstraps.iter();
    for after in all.flat_map(|bootstrap| bootstrap.split(FIELD).skip(1)) {
        let end = after.find(|c: char| !c.is_ascii_digit());
        let number = end.and_then(|end| after.get(..end)).unwrap_or(after);
        let port = number
            .parse()
            .with_context(|| format!("not a port: `{FIELD}{number}`"))?;
        if !ports.contains(&port) {
            ports.push(port);
        }
    }
    Ok(ports)
}

fn replaced(text: &str, by: impl Fn(u16) -> Option<u16>) -> String {
    let mut all = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from_number) = rest.split_at(start);
        let end = from_number.find(|c: char| !c.is_ascii_digit());
        let (number, after) = from_number.split_at(end.unwrap_or(from_number.len()));
        all.push_str(before);
        match number.parse().ok().and_then(&by) {
            Some(port) => all.push_str(&port.to_string()),
            None => all.push_str(number),
        }
        rest = after;
    }
    all + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_swapped_in_one_go_and_only_whole() -> Result<()> {
        let bootstraps = [
            "a: {port_value: 18081}\nb: {port_value: 18082}\nc: {port_value: 18081}".to_owned(),
            "port_value: 18083".to_owned(),
        ];
        assert_eq!(named(&bootstraps)?, [18081, 18082, 18083]);
        let ports = ScenarioPorts {
            used: BTreeMap::from([(18081, 18082), (18082, 20001)]),
            _leases: Vec::new(),
        };
        let text = "18081 18082 118081 180810 127.0.0.1:18081 90000";
        let put = ports.put_into(text);
        assert_eq!(put, "18082 20001 118081 180810 127.0.0.1:18082 90000");
        assert_eq!(ports.take_out(&put), text);
        assert!(named(&["port_value: 70000".to_owned()]).is_err());
        Ok(())
    }
}
