//! The kinds of random steps, and their rates.

use spillgate_core::draw::Draw;

/// A kind of random step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// A client sends a request, and keeps the token that it gets.
    Request,
    /// A client sends a token that no gateway issued in this form.
    Forge,
    /// A client sends the token of another client.
    Borrow,
    /// A host changes its status.
    Flap,
    /// A host drains, then vanishes.
    Drain,
    /// A host is removed.
    Vanish,
    /// A host is added.
    Appear,
    /// A host changes its priority.
    Priority,
    /// A host gets the metadata of another host.
    Metadata,
    /// All hosts of a cluster fail or recover.
    Failover,
    /// Keys are rotated.
    Rotate,
    /// A gateway reads its configuration again.
    Reload,
    /// A gateway restarts.
    Restart,
    /// The clock of a gateway jumps by an hour.
    Clock,
    /// A gateway receives an incomplete update of a cluster.
    Partial,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 15] = [
        Self::Request,
        Self::Forge,
        Self::Borrow,
        Self::Flap,
        Self::Drain,
        Self::Vanish,
        Self::Appear,
        Self::Priority,
        Self::Metadata,
        Self::Failover,
        Self::Rotate,
        Self::Reload,
        Self::Restart,
        Self::Clock,
        Self::Partial,
    ];
}

/// The rate of each kind of step, relative to the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates(pub(in crate::world) [u32; EventKind::ALL.len()]);

impl Rates {
    /// Only requests.
    pub const REQUESTS: Self = Self::NONE.with(EventKind::Request, 1);

    /// All kinds, in proportions that combine most of them within 200 steps.
    pub const EVERYTHING: Self = Self::NONE
        .with(EventKind::Request, 260)
        .with(EventKind::Forge, 14)
        .with(EventKind::Borrow, 8)
        .with(EventKind::Flap, 50)
        .with(EventKind::Drain, 12)
        .with(EventKind::Vanish, 5)
        .with(EventKind::Appear, 20)
        .with(EventKind::Priority, 6)
        .with(EventKind::Metadata, 4)
        .with(EventKind::Failover, 5)
        .with(EventKind::Rotate, 6)
        .with(EventKind::Reload, 4)
        .with(EventKind::Restart, 4)
        .with(EventKind::Clock, 1)
        .with(EventKind::Partial, 4);

    /// All rates 0.
    pub const NONE: Self = Self([0; EventKind::ALL.len()]);

    /// The same rates, except for one kind.
    #[must_use]
    pub const fn with(self, kind: EventKind, rate: u32) -> Self {
        let mut rates = self.0;
        let mut rest: &mut [u32] = &mut rates;
        let mut at = 0;
        while let [rate_of, others @ ..] = rest {
            if at == kind as usize {
                *rate_of = rate;
            }
            at += 1;
            rest = others;
        }
        Self(rates)
    }

    /// The sum of all rates; must be at least 1 in a scenario.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().map(|&rate| u64::from(rate)).sum()
    }

    /// A random kind; `Request` if all rates are 0.
    pub(crate) fn draw(&self, draw: &mut impl Draw) -> EventKind {
        let mut roll = draw.draw().checked_rem(self.total()).unwrap_or(0);
        for (kind, &rate) in EventKind::ALL.into_iter().zip(&self.0) {
            match roll.checked_sub(u64::from(rate)) {
                None => return kind,
                Some(rest) => roll = rest,
            }
        }
        EventKind::Request
    }
}
