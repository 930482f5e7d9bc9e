//! Reads the settings of a `default`.

use alloc::{string::String, vec::Vec};
use core::{ops::RangeInclusive, time::Duration};

use spillgate_core::decimal;
use spillgate_mesh::kuma::KumaNumber;

use super::settings::{KumaSettings, KumaValue};
use crate::{
    Diagnostic,
    mesh::{kuma::number::read_number, place::ValuePlace},
    proto::{Message, Report, Schema},
};

/// The settings read so far. The last part of a path is the name of the field in its message.
pub(super) struct ConfReader<'r> {
    pub(super) report: &'r mut Report,
    file: usize,
    settings: KumaSettings,
}

/// Which durations a field accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Least {
    /// Those above 0.
    Positive,
    /// 0, too, which switches a timeout off.
    Zero,
}

impl<'r> ConfReader<'r> {
    /// For a `default` in a file.
    pub(super) fn new(conf: &Message<'_, '_>, file: usize, report: &'r mut Report) -> Self {
        let mut reader = Self {
            report,
            file,
            settings: KumaSettings::default(),
        };
        let place = ValuePlace {
            file,
            path: conf.path.text(),
            position: conf.position,
        };
        reader.settings.set("", KumaValue::Present, Some(place));
        reader
    }

    pub(super) fn finish(self) -> KumaSettings {
        self.settings
    }

    /// An object.
    pub(super) fn block<'n, 'a>(
        &mut self,
        of: &Message<'n, 'a>,
        path: &'static str,
        schema: &Schema,
    ) -> Option<Message<'n, 'a>> {
        let block = of.message(field_of(path), schema, self.report)?;
        self.set(of, path, KumaValue::Present);
        Some(block)
    }

    /// A duration, as Go writes it.
    pub(super) fn time(&mut self, of: &Message<'_, '_>, path: &'static str, least: Least) {
        let field = field_of(path);
        let Some(time) = of.go_duration(field, self.report) else {
            return;
        };
        if time.is_zero() && least == Least::Positive {
            of.out_of_range(field, "more than 0", self.report);
        }
        // Times are whole milliseconds, and 0 means none.
        let shortest = Duration::from_millis(u64::from(!time.is_zero()));
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let time = Duration::from_millis(millis).max(shortest);
        self.set(of, path, KumaValue::Time(time));
    }

    /// Durations above 0.
    pub(super) fn times(&mut self, of: &Message<'_, '_>, paths: &[&'static str]) {
        for path in paths {
            self.time(of, path, Least::Positive);
        }
    }

    /// An integer in a range.
    pub(super) fn number(
        &mut self,
        of: &Message<'_, '_>,
        path: &'static str,
        range: RangeInclusive<u32>,
    ) {
        if let Some(number) = of.u32_within(field_of(path), range, self.report) {
            self.set(of, path, KumaValue::Number(number));
        }
    }

    /// Integers from 1 to a most.
    pub(super) fn counts(&mut self, of: &Message<'_, '_>, paths: &[&'static str], most: u32) {
        for path in paths {
            self.number(of, path, 1..=most);
        }
    }

    /// A number that may be a text; `is_legal` decides, and `expected` names what it accepts.
    pub(super) fn decimal(
        &mut self,
        of: &Message<'_, '_>,
        path: &'static str,
        is_legal: impl Fn(f64) -> bool,
        expected: &'static str,
    ) {
        let field = field_of(path);
        let number = match read_number(of, field, self.report) {
            None => return,
            Some(KumaNumber::Integer(number)) => Some(number as f64),
            Some(KumaNumber::Text(text)) => decimal::parse(&text),
        };
        match number.filter(|number| is_legal(*number)) {
            Some(number) => self.set(of, path, KumaValue::Decimal(number)),
            None => of.out_of_range(field, expected, self.report),
        }
    }

    pub(super) fn flag(&mut self, of: &Message<'_, '_>, path: &'static str) {
        if let Some(flag) = of.bool(field_of(path), self.report) {
            self.set(of, path, KumaValue::Flag(flag));
        }
    }

    pub(super) fn texts(&mut self, of: &Message<'_, '_>, path: &'static str) -> Vec<String> {
        let field = field_of(path);
        if !of.has(field) {
            return Vec::new();
        }
        let texts = of.texts(field, self.report);
        self.set(of, path, KumaValue::Texts(texts.clone()));
        texts
    }

    /// A setting whose value has no part in answers.
    pub(super) fn named(&mut self, of: &Message<'_, '_>, path: &'static str) {
        if of.has(field_of(path)) {
            self.set(of, path, KumaValue::Present);
        }
    }

    /// Adds a value.
    pub(super) fn set(&mut self, of: &Message<'_, '_>, path: &'static str, value: KumaValue) {
        let field = field_of(path);
        let place = ValuePlace {
            file: self.file,
            path: of.path.field(field).text(),
            position: of.position_of(field),
        };
        self.settings.set(path, value, Some(place));
    }

    /// An object must have one of these fields.
    pub(super) fn require_any(&mut self, of: &Message<'_, '_>, fields: &[&'static str]) {
        if !fields.iter().any(|field| of.has(field)) {
            let fault = Diagnostic::error("mesh/empty", "must not be empty");
            let expected = fields.join(" or ");
            let fault = fault.at(of.path.text(), of.position).expected(expected);
            self.report.push(fault);
        }
    }
}

/// The field at the end of a path.
fn field_of(path: &'static str) -> &'static str {
    path.rsplit('.').next().unwrap_or(path)
}
