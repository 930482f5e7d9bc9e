//! Values as bytes: counts before lists, tags before choices.

use alloc::{string::String, sync::Arc, vec::Vec};

use crate::bytes::{Reader, Writer};

/// A value in an answer.
pub(crate) trait Wire: Sized {
    /// Appends the value.
    fn write(&self, to: &mut Writer);

    /// Reads the value; `None` for other bytes.
    fn read(from: &mut Reader<'_>) -> Option<Self>;
}

/// A struct: all its fields in the given order.
macro_rules! fields {
    ($type:ty { $($field:ident),+ $(,)? }) => {
        impl super::fields::Wire for $type {
            fn write(&self, to: &mut crate::bytes::Writer) {
                let Self { $($field),+ } = self;
                $(super::fields::Wire::write($field, to);)+
            }

            fn read(from: &mut crate::bytes::Reader<'_>) -> Option<Self> {
                Some(Self { $($field: super::fields::Wire::read(from)?),+ })
            }
        }
    };
}

/// An enum without fields: the number of its variant.
macro_rules! variants {
    ($type:ty { $($variant:ident),+ $(,)? }) => {
        impl super::fields::Wire for $type {
            fn write(&self, to: &mut crate::bytes::Writer) {
                to.byte(*self as u8);
            }

            fn read(from: &mut crate::bytes::Reader<'_>) -> Option<Self> {
                let tag = from.byte()?;
                [$(Self::$variant),+].into_iter().find(|one| *one as u8 == tag)
            }
        }
    };
}

pub(crate) use {fields, variants};

/// Integers of any width.
macro_rules! integers {
    ($($type:ty),+) => {
        $(impl Wire for $type {
            fn write(&self, to: &mut Writer) {
                to.integer(*self as u64);
            }

            fn read(from: &mut Reader<'_>) -> Option<Self> {
                from.integer()?.try_into().ok()
            }
        })+
    };
}

integers!(u16, u32, u64, usize);

impl Wire for bool {
    fn write(&self, to: &mut Writer) {
        to.integer((*self).into());
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        from.flag()
    }
}

/// The bits of a float, without rounding.
impl Wire for f64 {
    fn write(&self, to: &mut Writer) {
        to.0.extend(self.to_le_bytes());
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        from.chunk().map(Self::from_le_bytes)
    }
}

/// Strings of any owner.
macro_rules! texts {
    ($($type:ty),+) => {
        $(impl Wire for $type {
            fn write(&self, to: &mut Writer) {
                to.text(self);
            }

            fn read(from: &mut Reader<'_>) -> Option<Self> {
                from.text().map(Into::into)
            }
        })+
    };
}

texts!(String, Arc<str>);

impl<T: Wire> Wire for Option<T> {
    fn write(&self, to: &mut Writer) {
        self.is_some().write(to);
        if let Some(value) = self {
            value.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(if bool::read(from)? {
            Some(T::read(from)?)
        } else {
            None
        })
    }
}

/// Each element needs at least one byte, so reading a count that is too high stops at the end.
impl<T: Wire> Wire for Vec<T> {
    fn write(&self, to: &mut Writer) {
        to.count(self.len());
        for value in self {
            value.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let count = usize::read(from)?;
        let mut values = Self::new();
        for _ in 0..count {
            values.push(T::read(from)?);
        }
        Some(values)
    }
}
