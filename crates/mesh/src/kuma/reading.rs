//! Which rows are read as the decision record describes them.

use super::KumaRow;
use crate::Compat;

/// A set of rows that follow the decision record; the others follow the released code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// All rows in one way.
    All(Compat),
    /// Only this row follows the record.
    Only(KumaRow),
}

impl Reading {
    /// Whether this row follows the decision record.
    pub(super) fn follows_record(self, row: KumaRow) -> bool {
        match self {
            Self::All(compat) => compat == Compat::Madr,
            Self::Only(only) => only == row,
        }
    }
}
