//! The filter chain that serves a connection.

use spillgate_core::visible::quoted;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use spillgate_config::{
    Affects, Diagnostic,
    envoy::{EnvoyConfig, ListenerConfig, ListenerProtocol, LocalAddress},
    nearest,
};
use spillgate_core::route::{ConnectionFacts, filter_chains};

use super::PickRequest;
use crate::input::Faults;

/// The error of a listener without routes, and what explains it: skipped listeners, and their parts that
/// are not modeled.
#[must_use]
pub fn no_chain(config: &EnvoyConfig, fault: &Diagnostic) -> Faults {
    let mut faults = Faults::one(&config.sources, fault);
    let explains = |finding: &&Diagnostic| {
        let is_skipped = ["config/rds-routes", "config/dump-warming"].contains(&finding.code);
        is_skipped || matches!(finding.affects, Affects::Listener(_) | Affects::HandOff(_))
    };
    for finding in config.warnings.iter().filter(explains) {
        faults.push(&config.sources, finding);
    }
    faults
}

/// The filter chains of one listener, with their indexes in the configuration.
#[derive(Debug, Clone)]
pub struct ListenerChains<'c> {
    /// All chains of the configuration.
    config: &'c EnvoyConfig,
    /// The one that serves if nothing decides.
    first: &'c ListenerConfig,
    chains: Vec<(usize, &'c ListenerConfig)>,
}

/// The filter chain of a connection.
#[derive(Debug)]
pub enum ServingChain<'c> {
    /// One chain with its index in the configuration, or the first of several with a limit.
    Chain(usize, &'c ListenerConfig, Option<Box<Diagnostic>>),
    /// Envoy closes the connection: no chain matches.
    NoMatch,
}

impl<'c> ListenerChains<'c> {
    /// The chains of the named listener, or of the first one with a modeled chain. The second value
    /// warns if there are several listeners and no name.
    ///
    /// # Errors
    /// If no listener has this name, address or number, or no listener has a modeled chain.
    pub fn find(
        config: &'c EnvoyConfig,
        name: Option<&str>,
    ) -> Result<(Self, Option<Diagnostic>), Box<Diagnostic>> {
        let known = |listener: &&ListenerConfig| listener.protocol != ListenerProtocol::Unknown;
        let mut found: Vec<Self> = Vec::new();
        for listener in config.listeners.iter().filter(known) {
            if !found.iter().any(|chains| chains.has(listener)) {
                found.push(Self::of(config, listener));
            }
        }
        // Without a name, other listeners are meant before those for datagrams.
        found.sort_by_key(|chains| chains.first.protocol == ListenerProtocol::Udp);
        let labels: Vec<String> = found.iter().map(|chains| label(chains.first)).collect();
        let labels = labels.join(", ");
        let Some(first) = found.first() else {
            return Err(Box::new(no_routes()));
        };
        let Some(wanted) = name else {
            let warning = (found.len() > 1).then(|| {
                let what = format!(
                    "several listeners have routes; using {}",
                    label(first.first)
                );
                let warning = Diagnostic::warning("pick/several-listeners", what);
                warning.found(labels).expected(SELECTOR)
            });
            return Ok((first.clone(), warning));
        };
        let number = || {
            found
                .get(wanted.parse::<usize>().ok()?.checked_sub(1)?)
                .cloned()
        };
        let by = |is: &dyn Fn(&ListenerConfig) -> bool| {
            let known = found.iter().find(|chains| is(chains.first)).cloned();
            let unknown = || config.listeners.iter().find(|listener| is(listener));
            known.or_else(|| Some(Self::of(config, unknown()?)))
        };
        let chains = by(&|listener| listener.name == wanted)
            .or_else(|| by(&|listener| listener.address == wanted))
            .or_else(number)
            .ok_or_else(|| {
                let listeners = config.listeners.iter();
                let names = listeners.flat_map(|l| [l.name.as_str(), l.address.as_str()]);
                let fault = Diagnostic::error(
                    "pick/unknown-listener",
                    "--listener: no listener with routes has this name, address or number",
                )
                .found(quoted(wanted))
                .expected(format!("one of {labels}"));
                Box::new(fault.suggest(nearest(wanted, names)))
            })?;
        Ok((chains, None))
    }

    /// The chains of the listener that has this one. Standalone route configurations are listeners of
    /// their own.
    fn of(config: &'c EnvoyConfig, one: &'c ListenerConfig) -> Self {
        let same = |other: &ListenerConfig| match one.chain.listener {
            None => core::ptr::eq(other, one),
            number => other.chain.listener == number,
        };
        let all = config.listeners.iter().enumerate();
        Self {
            config,
            first: one,
            chains: all.filter(|(_, other)| same(other)).collect(),
        }
    }

    fn has(&self, listener: &ListenerConfig) -> bool {
        let mut chains = self.chains.iter();
        chains.any(|(_, one)| core::ptr::eq(*one, listener))
    }

    /// The first chain that is modeled, if any is.
    pub const fn first(&self) -> &'c ListenerConfig {
        self.first
    }

    /// The chains that can serve its connections, in order.
    pub fn all(&self) -> impl Iterator<Item = &'c ListenerConfig> + '_ {
        let all = self.config.listeners.iter();
        all.filter(|one| self.first.chain.hands_off || self.has(one))
    }

    /// Whether all chains balance requests, not connections or keys.
    pub fn is_http(&self) -> bool {
        self.all()
            .all(|config| config.protocol == ListenerProtocol::Http)
    }

    /// The chain that serves a request's connection, which it enters in the request.
    pub fn serving(&self, request: &mut PickRequest) -> ServingChain<'c> {
        let target = self.handed_off(request);
        request.given.restored = target.is_some();
        let serving = target.as_ref().unwrap_or(self).serving_here(request);
        if let ServingChain::Chain(_, chain, _) = &serving {
            request.given.restored |= chain.chain.local == LocalAddress::MayBeRestored;
            if let Some(address) = chain.chain.client_address()
                && !request.given.local
            {
                request.given.bound = chain.chain.addresses.contains(&address);
                request.local = address;
            }
        }
        serving
    }

    /// The listener of the original destination, if this one hands connections to it: one with that
    /// address, else one with that port of all addresses.
    fn handed_off(&self, request: &PickRequest) -> Option<Self> {
        if !self.first.chain.hands_off || !request.given.local {
            return None;
        }
        let exact: SocketAddr = request.local.parse().ok()?;
        let any = if exact.is_ipv4() {
            IpAddr::from(Ipv4Addr::UNSPECIFIED)
        } else {
            IpAddr::from(Ipv6Addr::UNSPECIFIED)
        };
        let any = SocketAddr::new(any, exact.port());
        let at = |wanted: SocketAddr| {
            let mut all = self.config.listeners.iter();
            all.find(|one| {
                let mut own = one.chain.addresses.iter();
                own.any(|text| text.parse() == Ok(wanted))
            })
        };
        Some(Self::of(self.config, at(exact).or_else(|| at(any))?))
    }

    /// The chain of this listener that serves a request's connection.
    fn serving_here(&self, request: &PickRequest) -> ServingChain<'c> {
        let matches = |(_, one): &&(usize, &'c ListenerConfig)| one.chain.matches.is_some();
        let chains: Vec<_> = self.chains.iter().filter(matches).collect();
        let conditions = chains
            .iter()
            .filter_map(|(_, one)| one.chain.matches.clone());
        let conditions: Vec<_> = conditions.collect();
        let server_name = request
            .given
            .server_name
            .as_ref()
            .map(|name| name.to_ascii_lowercase());
        let inspects = self.chains.iter().any(|(_, one)| one.chain.inspects_tls);
        let facts = facts(request, server_name.as_deref(), inspects);
        let found = filter_chains(&conditions, &facts);
        let first = found.chains.first().and_then(|&at| chains.get(at));
        let Some((at, first)) = first else {
            let mut rest = self.chains.iter().filter(|chain| !matches(chain));
            return match rest.next() {
                Some((at, default)) => ServingChain::Chain(*at, default, None),
                None => ServingChain::NoMatch,
            };
        };
        // The condition of an only chain is taken as met.
        if found.certain || self.chains.len() == 1 {
            return ServingChain::Chain(*at, first, None);
        }
        let effect = format!(
            "--sni, --alpn, --source and --local do not decide which filter chain of listener {} \
             serves the connection; the first that can is used",
            label(first)
        );
        let limit = Diagnostic::limit("config/not-modeled", effect, Affects::Everything);
        ServingChain::Chain(*at, first, Some(Box::new(limit)))
    }
}

/// How `--listener` selects a listener.
const SELECTOR: &str = "--listener NAME, ADDRESS or NUMBER";

/// The name of a listener, or its address if it has none.
fn label(listener: &ListenerConfig) -> String {
    match (listener.name.as_str(), listener.address.as_str()) {
        ("", address) if !address.is_empty() => address.to_owned(),
        (name, _) => quoted(name),
    }
}

fn no_routes() -> Diagnostic {
    Diagnostic::error("pick/no-routes", "the configuration has no routes").expected(
        "a listener with http_connection_manager, tcp_proxy, udp_proxy or redis_proxy, or a route \
         configuration",
    )
}

/// The known properties of a connection. Without a listener filter for it, Envoy sees no TLS.
fn facts<'a>(
    request: &'a PickRequest,
    server_name: Option<&'a str>,
    inspects: bool,
) -> ConnectionFacts<'a> {
    let given = &request.given;
    let address = |is_given: bool, text: &str| {
        if is_given {
            text.parse::<SocketAddr>().ok()
        } else {
            None
        }
    };
    let offered = given.application_protocols.as_slice();
    let is_tls = !given.plaintext && (server_name.is_some() || !offered.is_empty());
    let facts = ConnectionFacts {
        destination: address(given.local, &request.local),
        source: address(given.source, &request.source),
        server_name: if given.plaintext {
            Some("")
        } else {
            server_name
        },
        transport_protocol: if given.plaintext {
            Some("raw_buffer")
        } else {
            is_tls.then_some("tls")
        },
        application_protocols: (!offered.is_empty()).then_some(offered),
    };
    if inspects {
        facts
    } else {
        ConnectionFacts {
            server_name: Some(""),
            transport_protocol: Some("raw_buffer"),
            // `http_inspector` reads those of a connection without TLS.
            application_protocols: is_tls.then_some(&[]),
            ..facts
        }
    }
}
