//! HTTP filters that set metadata or keep sessions.

use spillgate_core::route::{
    HeaderRule, KeyValue, RequestFilter, RuleSource, SessionStateKind, SetMetadata,
    StatefulSession, StatefulSessionCookie, ValueType,
};

use super::{Dice, routes::Making};

impl Dice {
    pub(super) fn filters(&mut self, making: Making<'_>) -> Vec<RequestFilter> {
        (0..self.below(3))
            .map(|_| match self.below(12) {
                10.. => RequestFilter::HeaderMutation(self.mutation_steps(making.extent)),
                0..5 => RequestFilter::HeaderToMetadata(
                    (0..self.between(1, 3)).map(|_| self.rule(making)).collect(),
                ),
                5..8 => RequestFilter::StatefulSession(self.session(making)),
                _ => RequestFilter::SetMetadata(
                    (0..self.below(3))
                        .map(|_| SetMetadata {
                            namespace: self.one(&["envoy.lb", "hosts"]).into(),
                            value: self.metadata(making.extent),
                            allow_overwrite: self.chance(50),
                        })
                        .collect(),
                ),
            })
            .collect()
    }

    fn session(&mut self, making: Making<'_>) -> StatefulSession {
        let carrier = if self.chance(50) {
            SessionStateKind::Header(self.header())
        } else {
            SessionStateKind::Cookie(StatefulSessionCookie {
                name: self.text(making.extent),
                path: self.one(&["", "/", "/cart"]).into(),
                ttl: self.one(&[0, 1, 3600]),
            })
        };
        let strict = self.chance(40);
        StatefulSession {
            carrier,
            strict,
            status_not_found: if strict {
                self.one(&[StatefulSession::UNAVAILABLE, 404, 410])
            } else {
                StatefulSession::UNAVAILABLE
            },
        }
    }

    fn rule(&mut self, making: Making<'_>) -> HeaderRule {
        let cookie = self.chance(20);
        let on_present = self.chance(80).then(|| self.key_value(making));
        let on_missing = self.chance(30).then(|| self.default_value(making));
        let nothing = on_present.is_none() && on_missing.is_none();
        if cookie {
            return HeaderRule {
                source: RuleSource::Cookie("u".into()),
                // Without a value it would be no rule.
                on_present: on_present.or_else(|| nothing.then(|| self.key_value(making))),
                on_missing,
            };
        }
        HeaderRule {
            source: RuleSource::Header {
                name: self.header(),
                remove: self.chance(30),
            },
            on_present: on_present.or_else(|| nothing.then(|| self.key_value(making))),
            on_missing,
        }
    }

    fn key_value(&mut self, making: Making<'_>) -> KeyValue {
        let mut of = self.default_value(making);
        if self.chance(60) {
            of.value = "".into();
            of.rewrite = self.chance(30).then(|| self.rewrite(making.compile));
        }
        of
    }

    fn default_value(&mut self, making: Making<'_>) -> KeyValue {
        KeyValue {
            namespace: self.one(&["envoy.lb", "envoy.lb", "hosts"]).into(),
            key: self.text(making.extent).into(),
            value: self.text(making.extent).into(),
            rewrite: None,
            value_type: self.one(&[
                ValueType::String,
                ValueType::String,
                ValueType::Number,
                ValueType::ProtobufValue,
            ]),
            base64: self.chance(10),
        }
    }
}
