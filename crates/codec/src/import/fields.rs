//! Values as bytes: counts before lists, tags before choices.

use alloc::{string::String, sync::Arc, vec::Vec};

use crate::bytes::{ByteReader, ByteWriter};

/// A value as bytes.
pub trait Wire: Sized {
    /// Appends the value.
    fn write(&self, to: &mut ByteWriter);

    /// Reads the value; `None` for other bytes.
    fn read(from: &mut ByteReader<'_>) -> Option<Self>;
}

/// The bytes of a value.
#[must_use]
pub fn to_bytes(value: &impl Wire) -> Vec<u8> {
    let mut writer = ByteWriter::default();
    value.write(&mut writer);
    writer.0
}

/// The value with exactly these bytes; `None` for other bytes.
#[must_use]
pub fn from_bytes<T: Wire>(bytes: &[u8]) -> Option<T> {
    let mut reader = ByteReader::new(bytes);
    let value = T::read(&mut reader)?;
    reader.is_empty().then_some(value)
}

/// Implements [`Wire`](crate::wire::Wire) for a struct: all its fields in the given order.
macro_rules! fields {
    ($type:ty { $($field:ident),+ $(,)? }) => {
        impl $crate::wire::Wire for $type {
            fn write(&self, to: &mut $crate::bytes::ByteWriter) {
                let Self { $($field),+ } = self;
                $($crate::wire::Wire::write($field, to);)+
            }

            fn read(from: &mut $crate::bytes::ByteReader<'_>) -> Option<Self> {
                Some(Self { $($field: $crate::wire::Wire::read(from)?),+ })
            }
        }
    };
}

/// Implements [`Wire`](crate::wire::Wire) for an enum without fields: the number of its variant.
macro_rules! variants {
    ($type:ty { $($variant:ident),+ $(,)? }) => {
        impl $crate::wire::Wire for $type {
            fn write(&self, to: &mut $crate::bytes::ByteWriter) {
                to.byte(*self as u8);
            }

            fn read(from: &mut $crate::bytes::ByteReader<'_>) -> Option<Self> {
                let tag = from.byte()?;
                [$(Self::$variant),+].into_iter().find(|one| *one as u8 == tag)
            }
        }
    };
}

/// Reads and writes the bytes of whole values, as methods.
macro_rules! bytes {
    ($($type:ty),+) => {
        $(impl $type {
            /// Writes it.
            #[must_use]
            pub fn to_bytes(&self) -> alloc::vec::Vec<u8> {
                $crate::wire::to_bytes(self)
            }

            /// Reads it; `None` for other bytes.
            #[must_use]
            pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
                $crate::wire::from_bytes(bytes)
            }
        })+
    };
}

pub(crate) use {bytes, fields, variants};

/// Integers of any width.
macro_rules! integers {
    ($($type:ty),+) => {
        $(impl Wire for $type {
            fn write(&self, to: &mut ByteWriter) {
                to.integer(*self as u64);
            }

            fn read(from: &mut ByteReader<'_>) -> Option<Self> {
                from.integer()?.try_into().ok()
            }
        })+
    };
}

integers!(u16, u32, u64, usize);

impl<T: Wire> Wire for Arc<T> {
    fn write(&self, to: &mut ByteWriter) {
        (**self).write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        T::read(from).map(Self::new)
    }
}

impl Wire for bool {
    fn write(&self, to: &mut ByteWriter) {
        to.integer((*self).into());
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        from.flag()
    }
}

/// The bits of a float, without rounding.
impl Wire for f64 {
    fn write(&self, to: &mut ByteWriter) {
        to.0.extend(self.to_le_bytes());
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        from.chunk().map(Self::from_le_bytes)
    }
}

/// Strings of any owner.
macro_rules! texts {
    ($($type:ty),+) => {
        $(impl Wire for $type {
            fn write(&self, to: &mut ByteWriter) {
                to.text(self);
            }

            fn read(from: &mut ByteReader<'_>) -> Option<Self> {
                from.text().map(Into::into)
            }
        })+
    };
}

texts!(String, Arc<str>);

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn write(&self, to: &mut ByteWriter) {
        self.0.write(to);
        self.1.write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Some((A::read(from)?, B::read(from)?))
    }
}

impl<T: Wire> Wire for Option<T> {
    fn write(&self, to: &mut ByteWriter) {
        self.is_some().write(to);
        if let Some(value) = self {
            value.write(to);
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Some(if bool::read(from)? {
            Some(T::read(from)?)
        } else {
            None
        })
    }
}

/// Each element needs at least one byte, so reading a count that is too high stops at the end.
impl<T: Wire> Wire for Vec<T> {
    fn write(&self, to: &mut ByteWriter) {
        to.count(self.len());
        for value in self {
            value.write(to);
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        let count = usize::read(from)?;
        let mut values = Self::new();
        for _ in 0..count {
            values.push(T::read(from)?);
        }
        Some(values)
    }
}
