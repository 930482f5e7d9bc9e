//! What happens to some hosts for some time.

/// An event of the script. Times are in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutageEvent {
    /// What the hosts do.
    pub kind: HostAction,
    /// The percentage of errors, or a time in milliseconds; not used by kinds without an amount.
    pub amount: u32,
    /// The selector of the hosts: `zone=a`.
    pub hosts: String,
    /// Its start.
    pub from: u64,
    /// Its end; `None` for the end of the simulated time.
    pub to: Option<u64>,
}

/// What hosts do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostAction {
    /// They refuse connections.
    Fail,
    /// They answer a part of their requests with 500.
    Errors,
    /// They answer late.
    Slow,
    /// They never answer.
    Timeout,
    /// They fail and work in turn.
    Flap,
    /// Their health checks report them as degraded.
    Degraded,
    /// EDS removes them.
    Remove,
    /// EDS adds them.
    Add,
}

/// What the amount of an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventAmount {
    /// A percentage, from 1 to 100.
    Percent,
    /// A time in milliseconds.
    Millis,
}

impl HostAction {
    /// All, in the order of the list.
    pub const ALL: [Self; 8] = [
        Self::Fail,
        Self::Errors,
        Self::Slow,
        Self::Timeout,
        Self::Flap,
        Self::Degraded,
        Self::Remove,
        Self::Add,
    ];

    /// Its name in scripts, in links and as an option.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Errors => "errors",
            Self::Slow => "slow",
            Self::Timeout => "timeout",
            Self::Flap => "flap",
            Self::Degraded => "degraded",
            Self::Remove => "remove",
            Self::Add => "add",
        }
    }

    /// What the hosts do, in the list.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Fail => "refuse connections",
            Self::Errors => "answer with errors (500)",
            Self::Slow => "answer late",
            Self::Timeout => "never answer",
            Self::Flap => "fail and work in turn",
            Self::Degraded => "report that they are degraded",
            Self::Remove => "are removed (EDS)",
            Self::Add => "are added (EDS)",
        }
    }

    /// The kind with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What its amount is; `None` without one.
    #[must_use]
    pub const fn amount(self) -> Option<EventAmount> {
        match self {
            Self::Errors => Some(EventAmount::Percent),
            Self::Slow | Self::Flap => Some(EventAmount::Millis),
            _ => None,
        }
    }

    /// The amount of a new event.
    #[must_use]
    pub const fn first_amount(self) -> u32 {
        match self {
            Self::Errors => 50,
            Self::Slow => 2_000,
            Self::Flap => 5_000,
            _ => 0,
        }
    }
}

impl OutageEvent {
    /// The hosts, the amount and the time, as the option of its kind takes them: `zone=a:50%@10s..70s`.
    #[must_use]
    pub fn text(&self) -> String {
        let amount = match self.kind.amount() {
            Some(EventAmount::Percent) => format!(":{}%", self.amount),
            Some(EventAmount::Millis) => format!(":{}", time(self.amount.into())),
            None => String::new(),
        };
        let to = self.to.map_or_else(String::new, time);
        format!("{}{amount}@{}..{to}", self.hosts, time(self.from))
    }

    /// The line in the text of a link. Names of the scenario are after an `=` only, so generated names can replace them.
    pub(super) fn line(&self) -> String {
        let mut line = format!("e_{} f{}", self.kind.name(), self.from);
        if let Some(to) = self.to {
            line.push_str(&format!(" t{to}"));
        }
        if self.kind.amount().is_some() {
            line.push_str(&format!(" a{}", self.amount));
        }
        format!("{line} {}", self.hosts)
    }

    /// Reads a line; `None` for another text.
    pub(super) fn from_line(line: &str) -> Option<Self> {
        let (kind, mut rest) = line.strip_prefix("e_")?.split_once(' ')?;
        let kind = HostAction::named(kind)?;
        let mut read = Self {
            kind,
            amount: kind.first_amount(),
            hosts: String::new(),
            from: 0,
            to: None,
        };
        while let Some((word, after)) = rest.split_once(' ') {
            if word.contains('=') {
                break;
            }
            let (letter, number) = word.split_at_checked(1)?;
            let number: u32 = number.parse().ok()?;
            match letter {
                "f" => read.from = number.into(),
                "t" => read.to = Some(number.into()),
                "a" => read.amount = number,
                _ => return None,
            }
            rest = after;
        }
        let is_forward = read.to.is_none_or(|to| to > read.from);
        read.hosts = rest.into();
        (!rest.is_empty() && is_forward).then_some(read)
    }
}

/// Milliseconds in the shortest exact form: `10s`, `1500ms`.
pub(super) fn time(millis: u64) -> String {
    if millis.is_multiple_of(1_000) {
        format!("{}s", millis / 1_000)
    } else {
        format!("{millis}ms")
    }
}
