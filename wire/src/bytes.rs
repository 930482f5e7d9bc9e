//! Values as bytes: integers of variable length, counts before lists, tags before choices.

use alloc::{string::String, sync::Arc, vec::Vec};

/// The bytes that are still to be read.
#[derive(Debug)]
pub(crate) struct Bytes<'b>(pub(crate) &'b [u8]);

/// A value that goes over.
pub(crate) trait Wire: Sized {
    /// Adds it to what is written.
    fn write(&self, to: &mut Vec<u8>);

    /// Takes it from what is left; `None` where something else stands there.
    fn read(from: &mut Bytes<'_>) -> Option<Self>;
}

/// A struct as its fields, all of them, in the order given.
macro_rules! fields {
    ($type:ty { $($field:ident),+ $(,)? }) => {
        impl crate::bytes::Wire for $type {
            fn write(&self, to: &mut alloc::vec::Vec<u8>) {
                let Self { $($field),+ } = self;
                $(crate::bytes::Wire::write($field, to);)+
            }

            fn read(from: &mut crate::bytes::Bytes<'_>) -> Option<Self> {
                Some(Self { $($field: crate::bytes::Wire::read(from)?),+ })
            }
        }
    };
}

/// A choice without content as the number of its variant.
macro_rules! variants {
    ($type:ty { $($variant:ident),+ $(,)? }) => {
        impl crate::bytes::Wire for $type {
            fn write(&self, to: &mut alloc::vec::Vec<u8>) {
                to.push(*self as u8);
            }

            fn read(from: &mut crate::bytes::Bytes<'_>) -> Option<Self> {
                let tag = from.byte()?;
                [$(Self::$variant),+].into_iter().find(|one| *one as u8 == tag)
            }
        }
    };
}

pub(crate) use {fields, variants};

impl Bytes<'_> {
    /// The next byte.
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }
}

impl Wire for u64 {
    fn write(&self, to: &mut Vec<u8>) {
        let mut value = *self;
        while value >= 0x80 {
            to.push(value as u8 | 0x80);
            value >>= 7;
        }
        to.push(value as u8);
    }

    fn read(from: &mut Bytes<'_>) -> Option<Self> {
        let mut value = 0;
        for place in 0..10 {
            let byte = from.byte()?;
            value |= Self::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }
}

/// Integers that are written as the widest one.
macro_rules! integers {
    ($($type:ty),+) => {
        $(impl Wire for $type {
            fn write(&self, to: &mut Vec<u8>) {
                (*self as u64).write(to);
            }

            fn read(from: &mut Bytes<'_>) -> Option<Self> {
                u64::read(from)?.try_into().ok()
            }
        })+
    };
}

integers!(u16, u32, usize);

impl Wire for bool {
    fn write(&self, to: &mut Vec<u8>) {
        to.push((*self).into());
    }

    fn read(from: &mut Bytes<'_>) -> Option<Self> {
        Some(from.byte()? != 0)
    }
}

/// Bit by bit: no value is rounded.
impl Wire for f64 {
    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.to_le_bytes());
    }

    fn read(from: &mut Bytes<'_>) -> Option<Self> {
        let (bytes, rest) = from.0.split_first_chunk()?;
        from.0 = rest;
        Some(Self::from_le_bytes(*bytes))
    }
}

impl Wire for String {
    fn write(&self, to: &mut Vec<u8>) {
        self.len().write(to);
        to.extend(self.as_bytes());
    }

    fn read(from: &mut Bytes<'_>) -> Option<Self> {
        let length = usize::read(from)?;
        let (bytes, rest) = from.0.split_at_checked(length)?;
        from.0 = rest;
        Self::from_utf8(bytes.into()).ok()
    }
}

impl Wire for Arc<str> {
    fn write(&self, to: &mut Vec<u8>) {
        self.len().write(to);
        to.extend(self.as_bytes());
    }

    fn read(from: &mut Bytes<'_>) -> Option<Self> {
        String::read(from).map(Into::into)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn write(&self, to: &mut Vec<u8>) {
        self.is_some().write(to);
        if let Some(value) = self {
            value.write(to);
        }
    }

    fn read(from: &mut Bytes<'_>) -> Option<Self> {
        Some(if bool::read(from)? {
            Some(T::read(from)?)
        } else {
            None
        })
    }
}

/// Every element takes a byte at least, so a count that is too high ends with the bytes.
impl<T: Wire> Wire for Vec<T> {
    fn write(&self, to: &mut Vec<u8>) {
        self.len().write(to);
        for value in self {
            value.write(to);
        }
    }

    fn read(from: &mut Bytes<'_>) -> Option<Self> {
        let count = usize::read(from)?;
        let mut values = Self::new();
        for _ in 0..count {
            values.push(T::read(from)?);
        }
        Some(values)
    }
}
