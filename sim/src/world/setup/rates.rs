//! How often which kind of step is taken.

use spillgate_core::draw::Draw;

/// A kind of step that is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// A client makes a request and keeps the token that it gets.
    Request,
    /// Somebody sends a token that no gateway issued, or not like this.
    Forge,
    /// Somebody sends the token of somebody else.
    Borrow,
    /// A host changes its state.
    Flap,
    /// A host drains and vanishes.
    Drain,
    /// A host vanishes.
    Vanish,
    /// A host comes.
    Appear,
    /// A host changes its priority.
    Priority,
    /// A host takes the metadata of another one.
    Metadata,
    /// A cluster fails as a whole, or is well again.
    Failover,
    /// Keys are rotated.
    Rotate,
    /// A gateway reads its configuration anew.
    Reload,
    /// A gateway begins anew.
    Restart,
    /// The clock of a gateway jumps by an hour.
    Clock,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 14] = [
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
    ];

    /// Its name in scenario files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Forge => "forge",
            Self::Borrow => "borrow",
            Self::Flap => "flap",
            Self::Drain => "drain",
            Self::Vanish => "vanish",
            Self::Appear => "appear",
            Self::Priority => "priority",
            Self::Metadata => "metadata",
            Self::Failover => "failover",
            Self::Rotate => "rotate",
            Self::Reload => "reload",
            Self::Restart => "restart",
            Self::Clock => "clock",
        }
    }
}

/// How often each kind of step is drawn, relative to the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates([u32; EventKind::ALL.len()]);

impl Rates {
    /// Nothing but requests.
    pub const REQUESTS: Self = Self::NONE.with(EventKind::Request, 1);

    /// Everything, in such proportions that most things that can meet do within 200 steps.
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
        .with(EventKind::Clock, 1);

    /// Nothing; no scenario by itself.
    pub const NONE: Self = Self([0; EventKind::ALL.len()]);

    /// The same with this rate for a kind.
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

    /// The sum of all rates; a scenario needs more than 0.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().map(|&rate| u64::from(rate)).sum()
    }

    /// A kind; a request where all rates are 0.
    pub(in crate::world) fn draw(&self, draw: &mut impl Draw) -> EventKind {
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
