//! Settings of clusters for requests: hash policies, override hosts, session settings.

use alloc::vec::Vec;

use spillgate_core::{
    affinity::Life,
    decide::OnLost,
    model::{HealthStatus, OverrideHostSource, OverrideStatuses},
    route::{CookieSource, HashPolicy, HashSource},
};

use super::fields::{Wire, fields, variants};
use crate::bytes::{ByteReader, ByteWriter};

/// No value starts with this tag, so bytes with an unknown value are not read.
const UNKNOWN: u8 = u8::MAX;

fields!(HashPolicy { source, terminal });
fields!(CookieSource {
    name,
    ttl,
    path,
    attributes
});
fields!(Life { ttl, max });
variants!(OnLost { Rebalance, Refuse });

/// Without rewrites of headers, whose expressions are compiled: only readers with an engine for
/// expressions accept them.
impl Wire for HashSource {
    fn write(&self, to: &mut ByteWriter) {
        match self {
            Self::Header {
                name,
                rewrite: None,
            } => {
                to.byte(0);
                name.write(to);
            }
            Self::Cookie(source) => {
                to.byte(1);
                source.write(to);
            }
            Self::QueryParameter { name } => {
                to.byte(2);
                name.write(to);
            }
            Self::SourceIp => to.byte(3),
            Self::FilterState { key } => {
                to.byte(4);
                key.write(to);
            }
            Self::Constant { text } => {
                to.byte(5);
                text.write(to);
            }
            _ => to.byte(UNKNOWN),
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Some(match from.byte()? {
            0 => Self::Header {
                name: Wire::read(from)?,
                rewrite: None,
            },
            1 => Self::Cookie(Wire::read(from)?),
            2 => Self::QueryParameter {
                name: Wire::read(from)?,
            },
            3 => Self::SourceIp,
            4 => Self::FilterState {
                key: Wire::read(from)?,
            },
            5 => Self::Constant {
                text: Wire::read(from)?,
            },
            _ => return None,
        })
    }
}

impl Wire for OverrideHostSource {
    fn write(&self, to: &mut ByteWriter) {
        match self {
            Self::Header(name) => {
                to.byte(0);
                name.write(to);
            }
            Self::Metadata { namespace, path } => {
                to.byte(1);
                namespace.write(to);
                path.write(to);
            }
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Some(match from.byte()? {
            0 => Self::Header(Wire::read(from)?),
            1 => Self::Metadata {
                namespace: Wire::read(from)?,
                path: Wire::read(from)?,
            },
            _ => return None,
        })
    }
}

/// The statuses in the set, as a list.
impl Wire for OverrideStatuses {
    fn write(&self, to: &mut ByteWriter) {
        let statuses = HealthStatus::ALL.into_iter();
        let statuses: Vec<HealthStatus> =
            statuses.filter(|status| self.contains(*status)).collect();
        statuses.write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        let statuses: Vec<HealthStatus> = Wire::read(from)?;
        Some(statuses.into_iter().collect())
    }
}
