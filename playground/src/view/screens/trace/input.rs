//! The input of the screen, also as a text in links.

use spillgate_codec::import::RouteFieldKind;
use spillgate_scenario::{HostAt, PriorityAt};

/// The request that the user describes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TraceInput {
    /// The seed of random choices, as in `spillgate explain --seed`.
    pub seed: u32,
    /// What gets the request, if an import has routes.
    pub addressee: Addressee,
    /// The listener, by its index among those with routes.
    pub listener: usize,
    /// The host of a routed request; empty for a proposed one.
    pub authority: String,
    /// The path of a routed request; empty for a proposed one.
    pub path: String,
    /// The method of a routed request; empty for GET.
    pub method: String,
    /// The address of the client of a routed request; empty for the default.
    pub source: String,
    /// The headers and cookies of a routed request.
    pub sent: Vec<SentValue>,
    /// The value that the hash policy hashes; empty for a request without a request hash.
    pub key: String,
    /// The subset criteria: keys, and values as [`CriterionField`](super::CriterionField) labels them.
    pub criteria: Vec<(String, String)>,
    /// The session of the request.
    pub session: SessionKind,
    /// The address of the session's host; empty for a new session.
    pub session_host: String,
    /// The active requests of hosts: `10.0.0.1:80=3`, separated by spaces or commas. Other hosts have none.
    pub active: String,
    /// The number of requests.
    pub mode: TraceMode,
    /// What decides.
    pub deciders: Deciders,
    /// The host in the inspectors; `None` for the chosen one.
    pub inspected: Option<HostAt>,
    /// The step at which the user is, from 0; `None` for all steps.
    pub step: Option<usize>,
    /// The hosts whose loss moves keys and sessions: a selector of the command line; empty for the latest
    /// change of the scenario.
    pub loss: String,
}

/// What gets a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Addressee {
    /// The routes of the import, which choose the cluster.
    #[default]
    Routes,
    /// The shown cluster.
    Cluster,
}

/// A header or a cookie of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentValue {
    /// [`RouteFieldKind::Header`] or [`RouteFieldKind::Cookie`].
    pub kind: RouteFieldKind,
    /// Its name.
    pub name: String,
    /// Its value, not empty.
    pub value: String,
}

/// The kind of a request's session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SessionKind {
    /// No session.
    #[default]
    Without,
    /// A session of Envoy's filter `stateful_session`.
    Envoy,
    /// The same with `strict`.
    EnvoyStrict,
    /// A session of the Spillgate filter.
    Spillgate,
}

/// The number of requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TraceMode {
    /// One request.
    #[default]
    One,
    /// A sequence of requests.
    Many,
}

/// What decides on the requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Deciders {
    /// The model of this page.
    #[default]
    Model,
    /// The model, and the shipped filter for comparison.
    ModelAndFilter,
}

impl SessionKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [
        Self::Without,
        Self::Envoy,
        Self::EnvoyStrict,
        Self::Spillgate,
    ];

    /// The name in links.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Without => "none",
            Self::Envoy => "envoy",
            Self::EnvoyStrict => "envoy-strict",
            Self::Spillgate => "spillgate",
        }
    }

    /// The label in the list.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Without => "no session",
            Self::Envoy => "Envoy's stateful_session",
            Self::EnvoyStrict => "Envoy's stateful_session, strict",
            Self::Spillgate => "the Spillgate filter",
        }
    }

    /// The kind with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl TraceInput {
    /// Reads lines of `NAME=VALUE`; an unknown name is ignored, and an invalid value has its initial
    /// value.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut input = Self::default();
        for (name, value) in text.lines().filter_map(|line| line.split_once('=')) {
            match name {
                "seed" => input.seed = value.parse().unwrap_or(0),
                "straight" => input.addressee = Addressee::Cluster,
                "listener" => input.listener = value.parse().unwrap_or(0),
                "authority" => input.authority = value.into(),
                "path" => input.path = value.into(),
                "method" => input.method = value.into(),
                "source" => input.source = value.into(),
                "key" => input.key = value.into(),
                "session" => input.session = SessionKind::named(value).unwrap_or_default(),
                "host" => input.session_host = value.into(),
                "active" => input.active = value.into(),
                "many" => input.mode = TraceMode::Many,
                "filter" => input.deciders = Deciders::ModelAndFilter,
                "inspected" => input.inspected = host_named(value),
                "step" => {
                    input.step = value
                        .parse()
                        .ok()
                        .and_then(|step: usize| step.checked_sub(1))
                }
                "loss" => input.loss = value.into(),
                name => {
                    if let Some(key) = name.strip_prefix("criteria.") {
                        input.set_criterion(key, value);
                    } else if let Some(name) = name.strip_prefix("header.") {
                        input.send(RouteFieldKind::Header, name, value);
                    } else if let Some(name) = name.strip_prefix("cookie.") {
                        input.send(RouteFieldKind::Cookie, name, value);
                    }
                }
            }
        }
        input
    }

    /// The text that [`TraceInput::from_text`] reads; empty for the initial input.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &str| {
            if !value.is_empty() {
                // A line break in a value would begin another name.
                let value = value.replace(['\n', '\r'], " ");
                text.push_str(&format!("{name}={value}\n"));
            }
        };
        if self.seed > 0 {
            line("seed", &self.seed.to_string());
        }
        if self.addressee == Addressee::Cluster {
            line("straight", "yes");
        }
        if self.listener > 0 {
            line("listener", &self.listener.to_string());
        }
        line("authority", &self.authority);
        line("path", &self.path);
        line("method", &self.method);
        line("source", &self.source);
        for sent in &self.sent {
            let kind = match sent.kind {
                RouteFieldKind::Cookie => "cookie",
                _ => "header",
            };
            line(&format!("{kind}.{}", sent.name), &sent.value);
        }
        line("key", &self.key);
        for (key, value) in &self.criteria {
            line(&format!("criteria.{key}"), value);
        }
        if self.session != SessionKind::Without {
            line("session", self.session.name());
        }
        line("host", &self.session_host);
        line("active", &self.active);
        if self.mode == TraceMode::Many {
            line("many", "yes");
        }
        if self.deciders == Deciders::ModelAndFilter {
            line("filter", "yes");
        }
        if let Some(host) = self.inspected {
            line("inspected", &host_name(host));
        }
        if let Some(step) = self.step {
            line("step", &(step + 1).to_string());
        }
        line("loss", &self.loss);
        text
    }

    /// The same request without the choices that no decision depends on.
    #[must_use]
    pub fn decided(&self) -> Self {
        Self {
            inspected: None,
            step: None,
            loss: String::new(),
            ..self.clone()
        }
    }

    /// The value of a header or a cookie; empty if the request does not have it.
    #[must_use]
    pub fn sent(&self, kind: RouteFieldKind, name: &str) -> &str {
        let mut sent = self.sent.iter();
        sent.find(|have| have.kind == kind && have.name == name)
            .map_or("", |have| &have.value)
    }

    /// Sets a header or a cookie, or removes it with an empty value.
    pub fn send(&mut self, kind: RouteFieldKind, name: &str, value: &str) {
        let mut sent = self.sent.iter();
        let at = sent.position(|have| have.kind == kind && have.name == name);
        match (at, value) {
            (Some(at), "") => {
                self.sent.remove(at);
            }
            (Some(at), value) => {
                if let Some(have) = self.sent.get_mut(at) {
                    have.value = value.into();
                }
            }
            (None, "") => {}
            (None, value) => self.sent.push(SentValue {
                kind,
                name: name.into(),
                value: value.into(),
            }),
        }
    }

    /// The value of a criterion; empty if the request does not have it.
    #[must_use]
    pub fn criterion(&self, key: &str) -> &str {
        let found = self.criteria.iter().find(|(have, _)| have == key);
        found.map_or("", |(_, value)| value)
    }

    /// Sets a criterion, or removes it with an empty value.
    pub fn set_criterion(&mut self, key: &str, value: &str) {
        self.criteria.retain(|(have, _)| have != key);
        if !value.is_empty() {
            self.criteria.push((key.into(), value.into()));
        }
    }
}

/// `0.1.4` is the fifth host of P1 of the first cluster.
fn host_name(at: HostAt) -> String {
    let PriorityAt { cluster, priority } = at.priority;
    format!("{cluster}.{priority}.{}", at.host)
}

fn host_named(name: &str) -> Option<HostAt> {
    let mut places = name.split('.').map(str::parse);
    let mut place = || places.next()?.ok();
    let at = HostAt {
        priority: PriorityAt {
            cluster: place()?,
            priority: place()?,
        },
        host: place()?,
    };
    places.next().is_none().then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_survives_its_text() {
        let input = TraceInput {
            seed: 7,
            addressee: Addressee::Cluster,
            listener: 1,
            authority: "shop.example".into(),
            path: "/cart?a=b".into(),
            method: "POST".into(),
            source: "192.0.2.1:1".into(),
            sent: vec![
                SentValue {
                    kind: RouteFieldKind::Header,
                    name: "x-user".into(),
                    value: "ann=1".into(),
                },
                SentValue {
                    kind: RouteFieldKind::Cookie,
                    name: "x-user".into(),
                    value: "bob".into(),
                },
            ],
            key: "a=b c".into(),
            criteria: vec![
                ("stage".into(), "prod".into()),
                ("version".into(), "1 (number)".into()),
            ],
            session: SessionKind::EnvoyStrict,
            session_host: "[::1]:80".into(),
            active: "10.0.0.1:80=3".into(),
            mode: TraceMode::Many,
            deciders: Deciders::ModelAndFilter,
            step: Some(2),
            inspected: Some(HostAt {
                priority: PriorityAt {
                    cluster: 2,
                    priority: 1,
                },
                host: 4,
            }),
            loss: "zone=a".into(),
        };
        for input in [input, TraceInput::default()] {
            assert_eq!(TraceInput::from_text(&input.to_text()), input);
        }
        assert_eq!(TraceInput::default().to_text(), "");
        for other in [
            "",
            "seed=x",
            "session=none",
            "inspected=1.2",
            "radio=on",
            "x",
        ] {
            assert_eq!(TraceInput::from_text(other), TraceInput::default());
        }
    }

    #[test]
    fn a_value_cannot_set_another_name() {
        let input = TraceInput {
            key: "ann\nseed=7".into(),
            ..TraceInput::default()
        };
        let read = TraceInput::from_text(&input.to_text());
        assert_eq!((read.seed, read.key.as_str()), (0, "ann seed=7"));
    }
}
