//! Values with commands (`%REQ(x-user)%`), as text and as parts.

use alloc::{borrow::ToOwned as _, format, string::String, vec::Vec};

use spillgate_core::route::{AddressPart, FormatAddress, FormatPart, HeaderFormat};

const ADDRESSES: [(&str, FormatAddress); 3] = [
    ("DOWNSTREAM_REMOTE", FormatAddress::Remote),
    ("DOWNSTREAM_DIRECT_REMOTE", FormatAddress::DirectRemote),
    ("DOWNSTREAM_LOCAL", FormatAddress::Local),
];

const PARTS: [(&str, AddressPart); 3] = [
    ("_ADDRESS", AddressPart::Whole),
    ("_ADDRESS_WITHOUT_PORT", AddressPart::WithoutPort),
    ("_PORT", AddressPart::Port),
];

/// A command of a value.
struct Command<'t> {
    name: &'t str,
    /// The text in parentheses.
    parameter: Option<&'t str>,
    limit: Option<usize>,
    /// The command as it is written.
    whole: &'t str,
}

/// Reads a value.
pub(crate) fn read_format(text: &str) -> HeaderFormat {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let (before, command) = rest.split_at(at);
        add_text(&mut parts, before);
        if let Some(after) = command.strip_prefix("%%") {
            add_text(&mut parts, "%");
            rest = after;
            continue;
        }
        match Command::read(command) {
            Some((read, after)) => {
                parts.push(read.part());
                rest = after;
            }
            None => {
                parts.push(FormatPart::Unmodeled(command.to_owned()));
                rest = "";
            }
        }
    }
    add_text(&mut parts, rest);
    HeaderFormat(parts)
}

/// Adjacent texts become one part.
fn add_text(parts: &mut Vec<FormatPart>, more: &str) {
    match parts.last_mut() {
        _ if more.is_empty() => {}
        Some(FormatPart::Text(text)) => text.push_str(more),
        _ => parts.push(FormatPart::Text(more.to_owned())),
    }
}

impl<'t> Command<'t> {
    /// The command at the start of a text, and the text after it.
    fn read(text: &'t str) -> Option<(Self, &'t str)> {
        let inside = text.strip_prefix('%')?;
        let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let end = inside.find(|c| !is_name(c))?;
        let (name, mut rest) = inside.split_at(end);
        let mut parameter = None;
        if let Some(after) = rest.strip_prefix('(') {
            let (inside, after) = after.split_once(')')?;
            parameter = Some(inside);
            rest = after;
        }
        let mut limit = None;
        if let Some(after) = rest.strip_prefix(':') {
            let (digits, _) = after.split_once('%')?;
            limit = Some(digits.parse().ok()?);
            rest = after.strip_prefix(digits)?;
        }
        let rest = rest.strip_prefix('%')?;
        let whole = text.strip_suffix(rest)?;
        let read = Self {
            name,
            parameter,
            limit,
            whole,
        };
        Some((read, rest)).filter(|_| end > 0)
    }

    fn part(&self) -> FormatPart {
        let unmodeled = || FormatPart::Unmodeled(self.whole.to_owned());
        match (self.name, self.parameter) {
            ("REQ" | "REQUEST_HEADER", Some(names)) => {
                let (name, otherwise) = match names.split_once('?') {
                    Some((name, otherwise)) => (name, Some(otherwise)),
                    None => (names, None),
                };
                FormatPart::Header {
                    name: name.to_ascii_lowercase(),
                    otherwise: otherwise.map(str::to_ascii_lowercase),
                    limit: self.limit,
                }
            }
            (_, Some(_)) => unmodeled(),
            _ if self.limit.is_some() => unmodeled(),
            ("ROUTE_NAME", None) => FormatPart::RouteName,
            (name, None) => address(name).unwrap_or_else(unmodeled),
        }
    }
}

fn address(name: &str) -> Option<FormatPart> {
    ADDRESSES.iter().find_map(|(prefix, of)| {
        let part = name.strip_prefix(prefix)?;
        let (_, part) = PARTS.iter().find(|(suffix, _)| *suffix == part)?;
        Some(FormatPart::Address(*of, *part))
    })
}

/// The text of a value.
pub(crate) fn write_format(format: &HeaderFormat) -> String {
    let mut text = String::new();
    for part in &format.0 {
        text.push_str(&match part {
            FormatPart::Text(plain) => plain.replace('%', "%%"),
            FormatPart::Header {
                name,
                otherwise,
                limit,
            } => {
                let otherwise = otherwise.as_ref().map(|name| format!("?{name}"));
                let limit = limit.map(|limit| format!(":{limit}"));
                let (otherwise, limit) = (otherwise.unwrap_or_default(), limit.unwrap_or_default());
                format!("%REQ({name}{otherwise}){limit}%")
            }
            FormatPart::Address(of, part) => {
                let of = ADDRESSES.iter().find(|(_, have)| have == of);
                let part = PARTS.iter().find(|(_, have)| have == part);
                let name = |found: Option<&str>| found.unwrap_or_default().to_owned();
                let of = name(of.map(|(name, _)| *name));
                let part = name(part.map(|(name, _)| *name));
                format!("%{of}{part}%")
            }
            FormatPart::RouteName => "%ROUTE_NAME%".to_owned(),
            FormatPart::Unmodeled(command) => command.clone(),
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(name: &str, otherwise: Option<&str>, limit: Option<usize>) -> FormatPart {
        FormatPart::Header {
            name: name.into(),
            otherwise: otherwise.map(String::from),
            limit,
        }
    }

    #[test]
    fn commands_are_read_and_written() {
        let text = |text: &str| FormatPart::Text(text.into());
        let unmodeled = |text: &str| FormatPart::Unmodeled(text.into());
        for (value, parts, written) in [
            ("", &[][..], ""),
            ("a%%b", &[text("a%b")], "a%%b"),
            ("%REQ(X-A)%", &[header("x-a", None, None)], "%REQ(x-a)%"),
            (
                "p%REQ(x-a?X-B):2%q",
                &[text("p"), header("x-a", Some("x-b"), Some(2)), text("q")],
                "p%REQ(x-a?x-b):2%q",
            ),
            (
                "%REQUEST_HEADER(:path)%",
                &[header(":path", None, None)],
                "%REQ(:path)%",
            ),
            (
                "%%%REQ(x)%%%",
                &[text("%"), header("x", None, None), text("%")],
                "%%%REQ(x)%%%",
            ),
            (
                "%DOWNSTREAM_LOCAL_ADDRESS_WITHOUT_PORT%:80",
                &[
                    FormatPart::Address(FormatAddress::Local, AddressPart::WithoutPort),
                    text(":80"),
                ],
                "%DOWNSTREAM_LOCAL_ADDRESS_WITHOUT_PORT%:80",
            ),
            (
                "%START_TIME(%s)%",
                &[unmodeled("%START_TIME(%s)%")],
                "%START_TIME(%s)%",
            ),
            (
                "%PROTOCOL%-%START",
                &[unmodeled("%PROTOCOL%"), text("-"), unmodeled("%START")],
                "%PROTOCOL%-%START",
            ),
        ] {
            let read = read_format(value);
            assert_eq!(read.0, parts, "{value}");
            assert_eq!(write_format(&read), written, "{value}");
        }
    }
}
