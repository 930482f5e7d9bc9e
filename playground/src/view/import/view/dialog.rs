//! The import dialog: texts, faults, choice of a cluster. Texts with errors cannot be imported, and a
//! text that is not imported is discarded only if the user says so.

use std::rc::Rc;

use spillgate_scenario::{
    ClusterList, EXAMPLE_CONFIG, EditedScenario, ImportFault, ImportField, ImportResult,
    ImportTexts, Imported, TextPosition,
};
use yew::prelude::*;

use super::{
    cluster_list::ClusterListView,
    footer::Footer,
    outcome::{Outcome, ReaderState},
    progress::ReadingProgress,
    search::TextSearch,
    summary::is_rejected,
    text_field::TextField,
};
use crate::{
    bridge::{self, File, ReaderReply, SearchKey, Timer},
    state::Direction,
    view::import::{report::ReadReport, text::OpenedFile},
};

/// The initial state of the dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DialogStart {
    /// The imported texts; empty without any.
    pub(crate) texts: ImportTexts,
    /// The place of the caret; `None` at the start of the configuration.
    pub(crate) caret: Option<(ImportField, TextPosition)>,
    /// The files to read into the fields.
    pub(crate) files: Vec<File>,
}

#[derive(PartialEq, Properties)]
pub(crate) struct DialogProps {
    pub(crate) start: Rc<DialogStart>,
    /// Called with what the user imports.
    pub(crate) on_import: Callback<Rc<EditedScenario>>,
    /// Called after the dialog closed.
    pub(crate) on_close: Callback<()>,
}

/// The elements of a text field, and its number of lines.
#[derive(Default)]
pub(super) struct FieldPlace {
    pub(super) area: NodeRef,
    numbers: NodeRef,
    lines: usize,
}

pub(crate) struct Dialog {
    pub(super) dialog: NodeRef,
    pub(super) config: FieldPlace,
    pub(super) clusters: FieldPlace,
    pub(super) texts: ImportTexts,
    pub(super) reader: ReaderState,
    pub(super) result: Option<ImportResult>,
    /// Whether the suggestion of each listed fault can be applied.
    pub(super) fixable: Vec<bool>,
    /// What was read, ignored and missed.
    pub(super) report: ReadReport,
    /// Whether the field for `/clusters` is open.
    pub(super) with_clusters: bool,
    /// The clusters of the result.
    pub(super) list: Option<ClusterList>,
    /// The searched words of a cluster.
    pub(super) words: String,
    /// The cluster to show; `None` if the playground cannot show any.
    pub(super) root: Option<usize>,
    /// The fault at the caret.
    pub(super) current: Option<usize>,
    /// A large text that is read later.
    pub(super) waiting: Option<Timer>,
    /// The reading of the current texts.
    pub(super) reading: Option<ReadingProgress>,
    /// The number of readings so far.
    pub(super) readings: u32,
    /// Whether the user must decide about a text that is not imported.
    pub(super) asks: bool,
    /// The search in the configuration.
    pub(super) search: TextSearch,
    /// Whether the text was imported, or the user discards it.
    pub(super) is_done: bool,
}

pub(crate) enum Msg {
    /// The result of fetching the reader.
    Loaded(Result<(), String>),
    /// Fetches the reader.
    Load,
    Typed(ImportField, String),
    Example,
    Scrolled(ImportField),
    Chosen(ImportField, Vec<File>),
    FilesRead(ImportField, Vec<OpenedFile>),
    /// The text to search for.
    Wanted(String),
    Search(SearchKey),
    /// Starts a reading.
    Read,
    /// The reply to a reading.
    Reply(u32, Result<ReaderReply, String>),
    /// The answer of a reading, with the findings of its regular expressions.
    Checked(u32, Vec<u8>),
    /// A reading takes long.
    Tick(u32),
    Cancel,
    GoTo(usize),
    Step(Direction),
    Fix(usize),
    /// The searched words of a cluster.
    ClusterWords(String),
    Root(usize),
    Apply,
    /// The user closes the dialog.
    Close,
    Keep,
    Discard,
    /// The browser closed the dialog.
    Closed,
}

impl Component for Dialog {
    type Message = Msg;
    type Properties = DialogProps;

    fn create(ctx: &Context<Self>) -> Self {
        let texts = &ctx.props().start.texts;
        ctx.link().send_message(Msg::Load);
        let files = ctx.props().start.files.clone();
        if !files.is_empty() {
            let chosen = Msg::Chosen(ImportField::Config, files);
            ctx.link().send_message(chosen);
        }
        Self {
            dialog: NodeRef::default(),
            config: FieldPlace::default(),
            clusters: FieldPlace::default(),
            texts: texts.clone(),
            reader: ReaderState::Loading,
            with_clusters: !texts.clusters.is_empty(),
            result: None,
            fixable: Vec::new(),
            report: ReadReport::default(),
            list: None,
            words: String::new(),
            root: None,
            current: None,
            waiting: None,
            reading: None,
            readings: 0,
            asks: false,
            search: TextSearch::default(),
            is_done: false,
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if !first {
            return;
        }
        for field in [ImportField::Config, ImportField::Clusters] {
            bridge::set_text(&self.place(field).area, self.texts.of(field));
            self.number_lines(field);
        }
        bridge::open_dialog(&self.dialog);
        match ctx.props().start.caret {
            None => bridge::focus_field(&self.config.area),
            Some((field, position)) => self.place_caret(field, position),
        }
    }

    fn update(&mut self, ctx: &Context<Self>, message: Msg) -> bool {
        match message {
            Msg::Load => {
                self.reader = ReaderState::Loading;
                let link = ctx.link().clone();
                bridge::load_reader(move |result| link.send_message(Msg::Loaded(result)));
            }
            Msg::Loaded(Ok(())) => {
                self.reader = ReaderState::Ready;
                self.read(ctx);
            }
            Msg::Loaded(Err(reason)) => self.reader = ReaderState::Failed(reason),
            Msg::Typed(field, text) => self.typed(ctx, field, text),
            Msg::Example => self.fill_in(ctx, ImportField::Config, EXAMPLE_CONFIG.into()),
            Msg::Scrolled(field) => {
                let place = self.place(field);
                bridge::show_line_numbers(&place.area, &place.numbers, place.lines);
                return false;
            }
            Msg::Chosen(field, files) => {
                let link = ctx.link().clone();
                bridge::read_files(files, move |files| {
                    let opened = files
                        .into_iter()
                        .map(|(name, text)| OpenedFile { name, text });
                    link.send_message(Msg::FilesRead(field, opened.collect()));
                });
                return false;
            }
            Msg::FilesRead(field, files) => self.opened(ctx, field, &files),
            Msg::Wanted(wanted) => self.search.look_for(wanted, &self.texts.config),
            Msg::Search(key) => self.search.press(key, &self.config.area),
            Msg::Read => self.read(ctx),
            Msg::Reply(number, reply) => return self.reply(ctx, number, reply),
            Msg::Checked(number, answer) => return self.checked(number, &answer),
            Msg::Tick(number) => return self.tick(ctx, number),
            Msg::Cancel => {
                self.stop();
                self.reader = ReaderState::Canceled;
            }
            Msg::GoTo(number) => self.go_to(number),
            Msg::Step(direction) => self.step(direction),
            Msg::Fix(number) => {
                self.fix(number);
                return false;
            }
            Msg::ClusterWords(words) => {
                let list = self.list.as_ref();
                self.root = list.and_then(|list| list.choose(&words, self.root));
                self.words = words;
            }
            Msg::Root(root) => self.root = Some(root),
            Msg::Apply => self.apply(ctx),
            Msg::Close if self.asks => self.keep(),
            Msg::Close if self.is_unsaved(ctx) => self.ask(),
            Msg::Keep => self.keep(),
            Msg::Close | Msg::Discard => self.close(),
            // Some gestures of a browser close a dialog without asking the playground.
            Msg::Closed if !self.is_done && self.is_unsaved(ctx) => {
                bridge::open_dialog(&self.dialog);
                self.ask();
            }
            Msg::Closed => ctx.props().on_close.emit(()),
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let link = ctx.link();
        let close = link.callback(|_: MouseEvent| Msg::Close);
        let onkeydown = link.batch_callback(|event: KeyboardEvent| {
            let step = bridge::fault_key(&event)
                .map(Msg::Step)
                .or_else(|| bridge::search_key(&event).map(Msg::Search));
            step.or_else(|| bridge::is_escape(&event).then_some(Msg::Close))
        });
        let oncancel = link.callback(|event: Event| {
            event.prevent_default();
            Msg::Close
        });
        html! {
            <dialog ref={&self.dialog} class="sheet import" aria-labelledby="import-title" {onkeydown} {oncancel}
                onclose={link.callback(|_: Event| Msg::Closed)}>
                <div class="sheet-head">
                    <h2 id="import-title">{ "Import an Envoy configuration" }</h2>
                    <button type="button" class="icon" aria-label="Close" onclick={close}>{ "\u{d7}" }</button>
                </div>
                <p class="note" id="import-help">
                    { "Paste a bootstrap, a config_dump, single clusters, endpoint assignments and routes, or policies and endpoints of Kuma or Istio, in YAML or JSON. The text stays in this page." }
                </p>
                { self.field(link, ImportField::Config) }
                <details class="more" open={self.with_clusters}>
                    <summary>{ "Hosts and health from /clusters" }</summary>
                    { self.field(link, ImportField::Clusters) }
                </details>
                { self.outcome(link).view() }
                { self.footer(link).view() }
            </dialog>
        }
    }

    fn destroy(&mut self, _: &Context<Self>) {
        bridge::cancel_reading();
    }
}

impl Dialog {
    pub(super) fn place(&self, field: ImportField) -> &FieldPlace {
        match field {
            ImportField::Config => &self.config,
            ImportField::Clusters => &self.clusters,
        }
    }

    pub(super) fn number_lines(&mut self, field: ImportField) {
        let lines = self.texts.lines(field);
        let place = match field {
            ImportField::Config => &mut self.config,
            ImportField::Clusters => &mut self.clusters,
        };
        place.lines = lines;
        bridge::show_line_numbers(&place.area, &place.numbers, lines);
    }

    /// The clusters of the texts, also while later texts are read.
    pub(super) fn imported(&self) -> Option<&Imported> {
        self.result.as_ref()?.imported.as_ref()
    }

    /// Whether the clusters are those of the current texts, which may still wait for their reader.
    fn is_current(&self) -> bool {
        let is_ready = matches!(self.reader, ReaderState::Ready);
        is_ready && self.reading.is_none() && self.waiting.is_none()
    }

    pub(super) fn fault(&self, number: usize) -> Option<&ImportFault> {
        self.result.as_ref()?.faults.get(number)
    }

    fn outcome(&self, link: &html::Scope<Self>) -> Outcome<'_> {
        Outcome {
            texts: &self.texts,
            reader: &self.reader,
            progress: self.reading.as_ref().filter(|reading| reading.is_slow),
            result: self.result.as_ref(),
            fixable: &self.fixable,
            report: &self.report,
            current: self.current,
            on_go: link.callback(Msg::GoTo),
            on_fix: link.callback(Msg::Fix),
            on_step: link.callback(Msg::Step),
            on_retry: link.callback(|_: MouseEvent| Msg::Load),
            on_cancel: link.callback(|_: MouseEvent| Msg::Cancel),
        }
    }

    fn footer(&self, link: &html::Scope<Self>) -> Footer<'_> {
        Footer {
            clusters: self.list.as_ref().map(|list| ClusterListView {
                list,
                words: &self.words,
                chosen: self.root,
                on_words: link.callback(Msg::ClusterWords),
                on_choose: link.callback(Msg::Root),
            }),
            is_current: self.is_current(),
            asks: self.asks,
            on_apply: link.callback(|_: MouseEvent| Msg::Apply),
            on_keep: link.callback(|_: MouseEvent| Msg::Keep),
            on_discard: link.callback(|_: MouseEvent| Msg::Discard),
        }
    }

    fn field(&self, link: &html::Scope<Self>, field: ImportField) -> Html {
        let label = match field {
            ImportField::Config => "Configuration",
            ImportField::Clusters => "Output of /clusters, text or JSON",
        };
        let place = self.place(field);
        let search = (field == ImportField::Config && !self.texts.config.is_empty()).then(|| {
            self.search
                .view(link.callback(Msg::Wanted), &link.callback(Msg::Search))
        });
        let offers = field == ImportField::Config && self.texts.config.is_empty();
        let field = TextField {
            field,
            area: place.area.clone(),
            numbers: place.numbers.clone(),
            label,
            invalid: is_rejected(self.result.as_ref(), field),
            on_example: offers.then(|| link.callback(|_: MouseEvent| Msg::Example)),
            on_scroll: link.callback(move |_: Event| Msg::Scrolled(field)),
            on_text: link.callback(|(field, text)| Msg::Typed(field, text)),
            on_files: link.callback(|(field, files)| Msg::Chosen(field, files)),
            search,
        };
        field.view()
    }
}
