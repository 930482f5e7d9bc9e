//! The readings of the dialog's texts.

use spillgate_scenario::{ImportField, LISTED_FAULTS, import_result};
use yew::prelude::*;

use super::{
    dialog::{Dialog, Msg},
    outcome::ReaderState,
    progress::{ReadingProgress, SLOW_MS, TICK_MS},
};
use crate::{
    bridge::{self, ReaderReply, Timer},
    view::import::{
        ImportMessage,
        report::read_report,
        text::{OpenedFile, field_of, fixable, texts_of},
    },
};

/// Texts above this many bytes are read after a pause in typing.
const LARGE: usize = 200_000;
/// That pause, in milliseconds.
const PAUSE_MS: u32 = 120;

impl Dialog {
    pub(super) fn typed(&mut self, ctx: &Context<Self>, field: ImportField, text: String) {
        match field {
            ImportField::Config => self.texts.config = text,
            ImportField::Clusters => self.texts.clusters = text,
        }
        self.asks = false;
        self.number_lines(field);
        self.search.refresh(&self.texts.config);
        if matches!(self.reader, ReaderState::Canceled) {
            self.reader = ReaderState::Ready;
        }
        self.waiting = None;
        if self.texts.config.len() + self.texts.clusters.len() > LARGE {
            self.stop();
            let link = ctx.link().clone();
            self.waiting = Some(bridge::after(PAUSE_MS, move || {
                link.send_message(Msg::Read)
            }));
        } else {
            self.read(ctx);
        }
    }

    pub(super) fn fill_in(&mut self, ctx: &Context<Self>, field: ImportField, text: String) {
        bridge::set_text(&self.place(field).area, &text);
        self.typed(ctx, field, text);
        bridge::focus_field(&self.place(field).area);
    }

    /// Fills in files: one goes to the field for which it was opened unless it belongs to the other one, several
    /// replace both texts.
    pub(super) fn opened(&mut self, ctx: &Context<Self>, field: ImportField, files: &[OpenedFile]) {
        let texts = texts_of(files);
        match files {
            [] => {}
            [
                OpenedFile {
                    text: Some(text), ..
                },
            ] => {
                let field = match field_of(text) {
                    ImportField::Clusters => ImportField::Clusters,
                    ImportField::Config => field,
                };
                self.with_clusters |= field == ImportField::Clusters;
                self.fill_in(ctx, field, text.clone());
            }
            several if several.iter().all(|file| file.text.is_some()) => {
                self.with_clusters |= !texts.clusters.is_empty();
                if !texts.clusters.is_empty() {
                    self.fill_in(ctx, ImportField::Clusters, texts.clusters);
                }
                if !texts.config.is_empty() {
                    self.fill_in(ctx, ImportField::Config, texts.config);
                }
            }
            _ => self.result = Some(ImportMessage::NoFile.failure()),
        }
    }

    /// Starts to read the texts. The previous result stays until then, so that the dialog is calm.
    pub(super) fn read(&mut self, ctx: &Context<Self>) {
        self.waiting = None;
        self.current = None;
        if self.texts.config.trim().is_empty() || !matches!(self.reader, ReaderState::Ready) {
            return self.stop();
        }
        self.readings += 1;
        let number = self.readings;
        self.reading = Some(ReadingProgress::new(number, tick(ctx, number, SLOW_MS)));
        let link = ctx.link().clone();
        bridge::read_texts(self.texts.clone(), move |reply| {
            link.send_message(Msg::Reply(number, reply));
        });
    }

    /// Drops the reading and the result.
    pub(super) fn stop(&mut self) {
        self.reading = None;
        self.result = None;
        bridge::cancel_reading();
    }

    pub(super) fn reply(
        &mut self,
        ctx: &Context<Self>,
        number: u32,
        reply: Result<ReaderReply, String>,
    ) -> bool {
        if self.reading.as_ref().is_none_or(|of| of.number != number) {
            return false;
        }
        self.reading = None;
        let result = match reply {
            Ok(ReaderReply::Answer(answer)) => import_result(self.texts.clone(), &answer),
            Ok(ReaderReply::Missing) => {
                ctx.link().send_message(Msg::Load);
                return false;
            }
            Ok(ReaderReply::Replaced) => return false,
            Err(reason) => ImportMessage::ReaderFailed(&reason).failure(),
        };
        if let Some(imported) = &result.imported {
            self.root = imported.proposed;
        }
        let listed = result.faults.get(..LISTED_FAULTS);
        self.fixable = fixable(&self.texts, listed.unwrap_or(&result.faults));
        self.report = read_report(&result);
        self.result = Some(result);
        true
    }

    /// Shows the progress of a reading that takes long.
    pub(super) fn tick(&mut self, ctx: &Context<Self>, number: u32) -> bool {
        let Some(reading) = self.reading.as_mut().filter(|of| of.number == number) else {
            return false;
        };
        reading.is_slow = true;
        reading.timer = tick(ctx, number, TICK_MS);
        self.result = None;
        true
    }
}

fn tick(ctx: &Context<Dialog>, number: u32, milliseconds: u32) -> Timer {
    let link = ctx.link().clone();
    bridge::after(milliseconds, move || link.send_message(Msg::Tick(number)))
}
