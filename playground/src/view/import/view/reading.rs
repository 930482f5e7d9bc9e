//! The readings of the dialog's texts.

use spillgate_codec::import::{RouteAnswer, RouteQuestion};
use spillgate_scenario::{ClusterList, ImportField, ImportResult, LISTED_FAULTS, import_result};
use yew::prelude::*;

use super::{
    dialog::{Dialog, Msg},
    outcome::ReaderState,
    progress::{ReadingProgress, SLOW_MS, TICK_MS},
};
use crate::{
    bridge::{self, AskedModule, ReaderReply, Timer},
    view::import::{
        ImportMessage,
        report::read_report,
        text::{OpenedFile, field_of, fixable, has_expressions, texts_of, with_rejected},
    },
};

/// Texts above this many bytes are read after a pause in typing.
const LARGE: usize = 200_000;
/// That pause, in milliseconds.
const PAUSE_MS: u32 = 120;
/// A text that grows by more bytes than this at once takes the browser long to show. With the focus it takes
/// almost twice as long, because the browser copies all of a focused text with each frame.
const HEAVY: usize = 1_000_000;

impl Dialog {
    pub(super) fn typed(&mut self, ctx: &Context<Self>, field: ImportField, text: String) {
        if text.len() > self.texts.of(field).len().saturating_add(HEAVY) {
            bridge::rest_focus(&self.place(field).area);
        }
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
        bridge::focus_field(&self.place(field).area);
        self.typed(ctx, field, text);
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
            _ => self.fail(&ImportMessage::NoFile),
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
        self.forget();
        bridge::cancel_reading();
    }

    /// Drops the result with its clusters.
    fn forget(&mut self) {
        self.result = None;
        self.list = None;
    }

    /// Shows a failure in place of the result.
    pub(super) fn fail(&mut self, message: &ImportMessage<'_>) {
        self.list = None;
        self.result = Some(message.failure());
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
        let result = match reply {
            Ok(ReaderReply::Answer(answer)) if has_expressions(&self.texts) => {
                self.check_expressions(ctx, number, answer);
                return false;
            }
            Ok(ReaderReply::Answer(answer)) => import_result(self.texts.clone(), &answer),
            Ok(ReaderReply::Missing) => {
                self.reading = None;
                ctx.link().send_message(Msg::Load);
                return false;
            }
            Ok(ReaderReply::Replaced) => {
                self.reading = None;
                return false;
            }
            Err(reason) => ImportMessage::ReaderFailed(&reason).failure(),
        };
        self.show_result(result);
        true
    }

    /// Compiles the regular expressions with the module of the routes. Without it, the result has no findings of them.
    fn check_expressions(&self, ctx: &Context<Self>, number: u32, answer: Vec<u8>) {
        let link = ctx.link().clone();
        let config = self.texts.config.clone();
        let question = RouteQuestion::default().to_bytes();
        AskedModule::Routes.ask(config, question, move |checked| {
            let rejected = checked
                .ok()
                .and_then(|bytes| RouteAnswer::from_bytes(&bytes));
            let rejected = rejected.map_or_else(Vec::new, |answer| answer.rejected);
            link.send_message(Msg::Checked(number, with_rejected(answer, rejected)));
        });
    }

    /// The answer with the findings of regular expressions.
    pub(super) fn checked(&mut self, number: u32, answer: &[u8]) -> bool {
        let is_last = self.reading.as_ref().is_some_and(|of| of.number == number);
        if is_last {
            self.show_result(import_result(self.texts.clone(), answer));
        }
        is_last
    }

    fn show_result(&mut self, result: ImportResult) {
        self.reading = None;
        self.list = result.imported.as_ref().map(ClusterList::new);
        self.words.clear();
        let (list, imported) = (self.list.as_ref(), result.imported.as_ref());
        let first = list.zip(imported);
        self.root = first.and_then(|(list, imported)| list.first(imported.proposed));
        let listed = result.faults.get(..LISTED_FAULTS);
        self.fixable = fixable(&self.texts, listed.unwrap_or(&result.faults));
        self.report = read_report(&result);
        self.result = Some(result);
    }

    /// Shows the progress of a reading that takes long.
    pub(super) fn tick(&mut self, ctx: &Context<Self>, number: u32) -> bool {
        let Some(reading) = self.reading.as_mut().filter(|of| of.number == number) else {
            return false;
        };
        reading.is_slow = true;
        reading.timer = tick(ctx, number, TICK_MS);
        self.forget();
        true
    }
}

fn tick(ctx: &Context<Dialog>, number: u32, milliseconds: u32) -> Timer {
    let link = ctx.link().clone();
    bridge::after(milliseconds, move || link.send_message(Msg::Tick(number)))
}
