//! Descriptors as text: one line for each message, enum and field, sorted by full name.

use std::fmt::{Display, Formatter};
use std::str::FromStr;

use anyhow::{Context as _, Error, Result, bail};

use super::{ApiField, Cardinality, Descriptors};

impl Display for Descriptors {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        for (name, fields) in &self.messages {
            writeln!(f, "message {name}")?;
            for field in fields {
                writeln!(f, "\t{field}")?;
            }
        }
        for (name, values) in &self.enums {
            writeln!(f, "enum {name}")?;
            for (value, number) in values {
                writeln!(f, "\t{value}\t{number}")?;
            }
        }
        Ok(())
    }
}

impl Display for ApiField {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let many = match self.cardinality {
            Cardinality::Single => "",
            Cardinality::Repeated => "repeated ",
            Cardinality::Map => "map ",
        };
        write!(f, "{}\t{many}{}", self.name, self.kind)?;
        if let Some(oneof) = &self.oneof {
            write!(f, "\toneof {oneof}")?;
        }
        if self.deprecated {
            f.write_str("\tdeprecated")?;
        }
        if self.disallowed {
            f.write_str("\tdisallowed")?;
        }
        Ok(())
    }
}

impl FromStr for Descriptors {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut read = Self::default();
        let mut open = None;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("message ") {
                read.messages.insert(name.into(), Vec::new());
                open = Some(name);
            } else if let Some(name) = line.strip_prefix("enum ") {
                read.enums.insert(name.into(), Vec::new());
                open = Some(name);
            } else {
                let of = open.with_context(|| format!("`{line}` before any message"))?;
                let line = line
                    .strip_prefix('\t')
                    .with_context(|| format!("`{line}` is no field"))?;
                if let Some(values) = read.enums.get_mut(of) {
                    let (name, number) = line
                        .split_once('\t')
                        .context("an enum's value without a number")?;
                    values.push((name.into(), number.parse()?));
                } else if let Some(fields) = read.messages.get_mut(of) {
                    fields.push(line.parse()?);
                }
            }
        }
        Ok(read)
    }
}

impl FromStr for ApiField {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self> {
        let mut parts = line.split('\t');
        let name = parts.next().unwrap_or_default();
        let kind = parts
            .next()
            .with_context(|| format!("{name} has no type"))?;
        let (cardinality, kind) = match kind.split_once(' ') {
            Some(("repeated", kind)) => (Cardinality::Repeated, kind),
            Some(("map", kind)) => (Cardinality::Map, kind),
            _ => (Cardinality::Single, kind),
        };
        let mut field = Self {
            name: name.into(),
            kind: kind.into(),
            cardinality,
            oneof: None,
            deprecated: false,
            disallowed: false,
        };
        for flag in parts {
            match flag.split_once(' ') {
                Some(("oneof", oneof)) => field.oneof = Some(oneof.into()),
                None if flag == "deprecated" => field.deprecated = true,
                None if flag == "disallowed" => field.disallowed = true,
                _ => bail!("{name} has the unknown flag `{flag}`"),
            }
        }
        Ok(field)
    }
}
