//! Numbers.

use spillgate_core::decimal;

use super::{Reader, syntax};
use crate::{Diagnostic, node::NodeValue};

impl<'a> Reader<'a> {
    pub(super) fn number(&mut self) -> Result<NodeValue<'a>, Diagnostic> {
        let (start, position) = (self.at, self.position());
        let mut whole = true;
        self.skip_if(b'-');
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(syntax("number with a leading zero", position));
            }
        } else {
            self.digits()?;
        }
        if self.skip_if(b'.') {
            whole = false;
            self.digits()?;
        }
        if self.skip_if(b'e') || self.skip_if(b'E') {
            whole = false;
            let _ = self.skip_if(b'+') || self.skip_if(b'-');
            self.digits()?;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        if whole {
            if let Ok(value) = text.parse() {
                return Ok(NodeValue::Int(value));
            }
            if let Ok(value) = text.parse() {
                return Ok(NodeValue::Uint(value));
            }
        }
        match decimal::parse(text) {
            Some(value) if value.is_finite() => Ok(NodeValue::Decimal(text.into())),
            _ => Err(syntax("number is out of range", position)),
        }
    }

    fn skip_if(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn digits(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.unexpected("a digit"));
        }
        Ok(())
    }
}
