//! Events that the user adds by a click.

use spillgate_codec::import::TimelineHealth;

use super::scenario::quoted;

/// A change of hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostFault {
    /// The hosts become unhealthy.
    Fail,
    /// The hosts become healthy.
    Recover,
    /// The hosts disappear.
    Remove,
    /// Removed hosts return.
    Return,
}

impl HostFault {
    /// All, in the order of the buttons.
    pub const ALL: [Self; 4] = [Self::Fail, Self::Recover, Self::Remove, Self::Return];

    /// The change that a click on a host makes.
    #[must_use]
    pub const fn of(health: TimelineHealth) -> Self {
        match health {
            TimelineHealth::Healthy | TimelineHealth::Degraded => Self::Fail,
            TimelineHealth::Unhealthy => Self::Recover,
            TimelineHealth::Draining => Self::Remove,
            TimelineHealth::Absent => Self::Return,
        }
    }

    /// The verb on its button.
    #[must_use]
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Fail => "Fail",
            Self::Recover => "Recover",
            Self::Remove => "Remove",
            Self::Return => "Return",
        }
    }

    const fn field(self) -> &'static str {
        match self {
            Self::Fail => "status: UNHEALTHY",
            Self::Recover => "status: HEALTHY",
            Self::Remove => "vanish: true",
            Self::Return => "appear: true",
        }
    }
}

/// A scenario file with one more event; `None` if its events are not a list of lines in YAML.
#[must_use]
pub fn with_event(script: &str, at: u64, selector: &str, fault: HostFault) -> Option<String> {
    let event = format!(
        "- {{at: {at}ms, hosts: {}, {}}}",
        quoted(selector),
        fault.field()
    );
    let lines: Vec<&str> = script.lines().collect();
    let Some(start) = lines.iter().position(|line| line.starts_with("events:")) else {
        let is_block = |line: &&str| !line.trim_start().starts_with(['{', '[']);
        let starts = lines.iter().filter(|line| !is_comment(line));
        return starts
            .take(1)
            .all(is_block)
            .then(|| joined(script, &format!("events:\n{event}\n")));
    };
    let rest = lines.get(start)?.strip_prefix("events:")?;
    if !is_comment(rest) {
        return None;
    }
    let items = lines.get(start + 1..)?;
    let length = items
        .iter()
        .take_while(|line| line.starts_with([' ', '-']) || is_comment(line))
        .count();
    let own = items.get(..length)?;
    let first = own.iter().find(|line| line.trim_start().starts_with('-'));
    let indent = first.map_or("", |line| {
        let width = line.len() - line.trim_start().len();
        line.get(..width).unwrap_or_default()
    });
    let event = format!("{indent}{event}\n");
    if start + 1 + length == lines.len() {
        return Some(joined(script, &event));
    }
    let (mut text, end) = (String::new(), start + length);
    for (at, line) in lines.iter().enumerate() {
        text.push_str(line);
        text.push('\n');
        if at == end {
            text.push_str(&event);
        }
    }
    Some(text)
}

/// Whether a line has no value.
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// Both texts, with a line break between them.
fn joined(text: &str, end: &str) -> String {
    let gap = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!("{text}{gap}{end}")
}
