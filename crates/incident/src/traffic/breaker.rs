//! Circuit breakers: how many requests can be active, and which requests are refused beyond that.

use alloc::{format, string::String};

/// The circuit breaker of a cluster for one routing priority (`CircuitBreakers.Thresholds`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CircuitBreaker {
    /// `max_connections`, default 1,024.
    pub connections: u32,
    /// `max_pending_requests`, default 1,024.
    pub pending_requests: u32,
    /// `max_requests`, default 1,024.
    pub requests: u32,
    /// Whether requests share connections, as with HTTP/2 and HTTP/3; `None` if that is not known, which counts as no.
    pub shares_connections: Option<bool>,
}

/// The limit that is reached first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FirstLimit {
    /// A limit of 0: all requests are refused. Without pending requests, no connection is opened.
    Nothing(&'static str),
    /// `max_requests`: all requests beyond it are refused, whatever their host.
    Requests(u32),
    /// With a connection for each request, requests beyond `max_connections` wait for one, and those beyond
    /// `max_pending_requests` are refused. Hosts that answer at once have connections that are free.
    Connections {
        /// `max_connections`; Envoy opens the first one of a host whatever the limit.
        most: u32,
        /// `max_pending_requests`.
        waiting: u32,
    },
}

/// The parts of the requests that a breaker admits, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Admission {
    /// Of those to any host.
    pub(crate) all: f64,
    /// Of those to hosts that answer late.
    pub(crate) late: f64,
}

impl CircuitBreaker {
    pub(crate) fn first_limit(self) -> FirstLimit {
        if self.requests == 0 {
            FirstLimit::Nothing("max_requests 0")
        } else if self.pending_requests == 0 {
            FirstLimit::Nothing("max_pending_requests 0")
        } else if self.shares_connections == Some(true) || self.requests < self.connections {
            FirstLimit::Requests(self.requests)
        } else {
            FirstLimit::Connections {
                most: self.connections.max(1),
                waiting: self.pending_requests,
            }
        }
    }
}

impl FirstLimit {
    /// How many requests can be active.
    pub(crate) fn most(self) -> f64 {
        match self {
            Self::Nothing(_) => 0.0,
            Self::Requests(most) => most.into(),
            Self::Connections { most, waiting } => f64::from(most) + f64::from(waiting),
        }
    }

    /// How many requests hosts can have at the same time.
    #[cfg(feature = "envoy")]
    pub(crate) const fn active(self) -> u32 {
        match self {
            Self::Nothing(_) => 0,
            Self::Requests(most) | Self::Connections { most, .. } => most,
        }
    }

    /// Whether requests beyond it wait, however many they are.
    pub(crate) const fn is_queue(self) -> bool {
        matches!(
            self,
            Self::Connections {
                waiting: u32::MAX,
                ..
            }
        )
    }

    /// The settings with their values.
    pub(crate) fn text(self) -> String {
        match self {
            Self::Nothing(setting) => setting.into(),
            Self::Requests(most) => format!("max_requests {most}"),
            Self::Connections { most, waiting } => {
                format!("max_connections {most} with max_pending_requests {waiting}")
            }
        }
    }
}

impl Admission {
    /// Nothing at all.
    pub(crate) const NOTHING: Self = Self {
        all: 0.0,
        late: 0.0,
    };

    /// Without a limit.
    pub(crate) const ALL: Self = Self {
        all: 1.0,
        late: 1.0,
    };
}

/// The part of random arrivals that find all places taken (Erlang's loss formula). `load` is their rate times their
/// mean time.
pub(crate) fn refused_part(load: f64, places: f64) -> f64 {
    if load <= 0.0 {
        return 0.0;
    }
    if places < 1.0 {
        return 1.0;
    }
    if places > load + 8.0 * libm::sqrt(load) + 16.0 {
        return 0.0;
    }
    let mut inverse = 1.0_f64;
    let mut place = 1.0;
    while place <= places {
        inverse = 1.0 + inverse * place / load;
        // Less than a millionth opens no breaker.
        if inverse > 1e6 {
            return 0.0;
        }
        place += 1.0;
    }
    inverse.recip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_losses() {
        for (load, places, refused) in [
            (1.0, 1.0, 0.5),
            (2.0, 3.0, 4.0 / 19.0),
            (10.0, 10.0, 0.214_582),
            (1_000.0, 100.0, 0.900_107),
            (5.0, 0.0, 1.0),
            (0.0, 3.0, 0.0),
            (5.0, 1_000.0, 0.0),
        ] {
            let found = refused_part(load, places);
            assert!((found - refused).abs() < 1e-5, "{load} {places}: {found}");
        }
    }

    #[test]
    fn the_first_limit_depends_on_the_protocol() {
        let breaker = CircuitBreaker {
            connections: 40,
            pending_requests: 20,
            requests: 40,
            shares_connections: Some(false),
        };
        assert_eq!(breaker.first_limit().most(), 60.0);
        let shared = CircuitBreaker {
            shares_connections: Some(true),
            ..breaker
        };
        assert_eq!(shared.first_limit(), FirstLimit::Requests(40));
        let fewer = CircuitBreaker {
            requests: 39,
            ..breaker
        };
        assert_eq!(fewer.first_limit(), FirstLimit::Requests(39));
    }
}
