//! A message before it becomes JSON or YAML: values in order, built field by field.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

/// A value to write.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    /// At most 2^53 in magnitude, so that every JSON reader reads it exactly.
    Int(i64),
    /// A number in a field of a message, where Envoy also reads strings.
    Double(f64),
    /// A number in a `google.protobuf.Struct`, where a string would be another value.
    Number(f64),
    Text(String),
    List(Vec<Tree>),
    Map(Fields),
}

/// Named values in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Fields(Vec<(Cow<'static, str>, Tree)>);

impl Fields {
    /// An empty message.
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// A message of this type, for a field of type `Any`.
    pub(crate) fn of_type(name: &str) -> Self {
        Self::new().with("@type", format!("type.googleapis.com/{name}"))
    }

    /// With one more field.
    pub(crate) fn with(
        mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<Tree>,
    ) -> Self {
        self.0.push((name.into(), value.into()));
        self
    }

    /// With one more field if there is a value.
    pub(crate) fn with_some(self, name: &'static str, value: Option<impl Into<Tree>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Omits the field's default.
    pub(crate) fn with_unless<T: Into<Tree> + PartialEq>(
        self,
        name: &'static str,
        value: T,
        default: T,
    ) -> Self {
        self.with_some(name, (value != default).then_some(value))
    }

    /// With a Boolean, omitted if false.
    pub(crate) fn with_flag(self, name: &'static str, value: bool) -> Self {
        self.with_unless(name, value, false)
    }

    /// With a string, omitted if empty.
    pub(crate) fn with_text(self, name: &'static str, text: &str) -> Self {
        self.with_some(name, (!text.is_empty()).then_some(text))
    }

    /// Omits an empty message.
    pub(crate) fn with_filled(self, name: &'static str, fields: Self) -> Self {
        self.with_some(name, (!fields.is_empty()).then_some(fields))
    }

    /// Omits an empty list.
    pub(crate) fn with_list<T: Into<Tree>>(
        self,
        name: &'static str,
        items: impl IntoIterator<Item = T>,
    ) -> Self {
        let items: Vec<Tree> = items.into_iter().map(Into::into).collect();
        self.with_some(name, (!items.is_empty()).then_some(items))
    }

    /// These fields, followed by `more`.
    pub(crate) fn and(mut self, more: Self) -> Self {
        self.0.extend(more.0);
        self
    }

    /// Whether there is no field.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Tree)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

/// A message with one field.
pub(crate) fn within(name: &'static str, value: impl Into<Tree>) -> Fields {
    Fields::new().with(name, value)
}

impl From<bool> for Tree {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u16> for Tree {
    fn from(value: u16) -> Self {
        Self::Int(value.into())
    }
}

impl From<u32> for Tree {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<u64> for Tree {
    fn from(value: u64) -> Self {
        match i64::try_from(value) {
            Ok(value) => value.into(),
            Err(_) => Self::Text(format!("{value}")),
        }
    }
}

impl From<i64> for Tree {
    /// As in proto3 JSON: a string if a double cannot represent the number.
    fn from(value: i64) -> Self {
        const EXACT: u64 = 1 << 53;
        if value.unsigned_abs() <= EXACT {
            Self::Int(value)
        } else {
            Self::Text(format!("{value}"))
        }
    }
}

impl From<&str> for Tree {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Tree {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<Tree>> for Tree {
    fn from(items: Vec<Tree>) -> Self {
        Self::List(items)
    }
}

impl From<Fields> for Tree {
    fn from(fields: Fields) -> Self {
        Self::Map(fields)
    }
}
