//! Groups and flags.

use alloc::{format, string::String};

use super::translate::{Last, Translator};

impl Translator<'_> {
    /// Translates the start of a group, after its parenthesis.
    pub(super) fn open(&mut self) -> Result<(), String> {
        if !self.take(b"?") {
            self.start("(", self.folds());
            return Ok(());
        }
        if self.take(b"P<") || self.take(b"<") {
            self.skip_name()?;
            self.start("(", self.folds());
            return Ok(());
        }
        self.flags()
    }

    fn start(&mut self, text: &str, folds: bool) {
        self.put(text);
        self.folds.push(folds);
        self.last = Last::Nothing;
    }

    /// Skips the name of a group: Envoy refers to groups by number.
    fn skip_name(&mut self) -> Result<(), String> {
        let end = self.rest.iter().position(|&byte| byte == b'>');
        let (name, rest) = self.rest.split_at(end.unwrap_or_default());
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if name.is_empty() || !name.iter().all(is_word) {
            return Err("bad group name".into());
        }
        self.rest = rest.get(1..).unwrap_or_default();
        Ok(())
    }

    /// Flags of a group, or of the rest of the group around them.
    fn flags(&mut self) -> Result<(), String> {
        let bad = || String::from("unknown flag, or a group that RE2 does not support");
        let mut folds = self.folds();
        let (mut on, mut off) = (String::new(), String::new());
        let mut is_off = false;
        let mut has_flag = true;
        loop {
            match self.next() {
                Some(b'i') => folds = !is_off,
                Some(flag @ (b'm' | b's' | b'U')) => {
                    if is_off {
                        off.push(char::from(flag))
                    } else {
                        on.push(char::from(flag))
                    }
                }
                Some(b'-') if !is_off => {
                    is_off = true;
                    has_flag = false;
                    continue;
                }
                Some(end @ (b':' | b')')) if has_flag => {
                    let flags = match off.as_str() {
                        "" => on,
                        off => format!("{}-{off}", without(&on, off)),
                    };
                    return self.with_flags(end, &unique(&flags), folds);
                }
                _ => return Err(bad()),
            }
            has_flag = true;
        }
    }

    fn with_flags(&mut self, end: u8, flags: &str, folds: bool) -> Result<(), String> {
        match (end, flags) {
            (b':', _) => self.start(&format!("(?{flags}:"), folds),
            _ => {
                if let Some(last) = self.folds.last_mut() {
                    *last = folds;
                }
                if !flags.is_empty() {
                    self.out.push_str(&format!("(?{flags})"));
                }
            }
        }
        Ok(())
    }
}

/// The flags without those that are switched off again.
fn without(on: &str, off: &str) -> String {
    on.chars().filter(|flag| !off.contains(*flag)).collect()
}

/// Each flag once.
fn unique(flags: &str) -> String {
    let mut all = String::new();
    for flag in flags.chars() {
        if !all.contains(flag) {
            all.push(flag);
        }
    }
    all
}
