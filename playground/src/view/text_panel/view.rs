//! The elements of the panel.

use spillgate_scenario::{FaultSeverity, LineRange, PageMessage, severity_counts};
use yew::prelude::*;

use super::{
    draft::TextState,
    messages::TextMessage,
    panel::{Msg, ReaderState, TextPanel},
};
use crate::{
    bridge,
    view::{
        import::ImportMessage,
        parts::{FaultList, Status, note, text_button},
    },
};

impl TextPanel {
    pub(super) fn draw(&self, ctx: &Context<Self>) -> Html {
        let link = ctx.link();
        let summary = self.summary();
        let scenario = ctx.props().store.scenario();
        let is_edited = self.draft.state != TextState::Same;
        let is_stale = is_edited && !self.draft.is_of(scenario);
        let is_imported = scenario.origin.is_some();
        let invalid = matches!(
            self.draft.state,
            TextState::Rejected | TextState::NotFollowed
        );
        let oninput = link.callback(|event: InputEvent| Msg::Typed(bridge::text_of(&event)));
        let onkeydown =
            link.batch_callback(|event: KeyboardEvent| bridge::fault_key(&event).map(Msg::Step));
        // A text is read at once when the user leaves it, for example with a click on a host.
        let onchange = link.callback(|_: Event| Msg::Left);
        let onkeyup = link.callback(|_: KeyboardEvent| Msg::Caret);
        let onclick = link.callback(|_: MouseEvent| Msg::Caret);
        let onscroll = link.callback(|_: Event| Msg::Scrolled);
        html! {
            <section class="text-panel" aria-label="YAML" data-test="text-panel">
                <div class="text-head">
                    <label for="text-field">{ "The shown clusters as Envoy YAML" }</label>
                    if matches!(self.reader, ReaderState::Failed(_)) {
                        { text_button("Retry", "text-retry", link.callback(|_: MouseEvent| Msg::Load)) }
                    }
                    if self.draft.state == TextState::NotFollowed {
                        { text_button("Import this text", "text-import", link.callback(|_: MouseEvent| Msg::Import)) }
                    }
                    if is_edited {
                        { text_button("Discard the edit", "text-again", link.callback(|_: MouseEvent| Msg::Again)) }
                    }
                </div>
                <div class="numbered">
                    <textarea ref={&self.area} id="text-field" class="paste" data-test="text" aria-describedby="text-help text-summary"
                        aria-invalid={invalid.to_string()} readonly={!self.refused.is_empty()} spellcheck="false" autocomplete="off"
                        {oninput} {onchange} {onkeydown} {onkeyup} {onclick} {onscroll} />
                    <div ref={&self.numbers} class="numbers" aria-hidden="true" data-test="text-lines" />
                    // Always a child: another number of children would make Yew draw the text area again.
                    if let Some(lines) = self.marked {
                        { self.draw_mark(lines) }
                    }
                </div>
                <p class="note" id="text-summary" data-test="text-summary">{ &summary }</p>
                <Status test="text-status" text={summary} />
                if is_stale {
                    { note("The scenario changed since; this text will replace it.".into()) }
                }
                { self.draw_faults(link) }
                if !self.omitted.is_empty() {
                    { note(format!("Kept, but not in the text: {}", self.omitted)) }
                }
                <p class="note" id="text-help">
                    { "The picture follows after a pause. A change in the picture changes only its lines of this text. \
                       Another cluster and a reload write it again: without comments, and without fields \
                       that balance nothing, such as connect_timeout, health_checks and transport_socket." }
                    if is_imported {
                        { " The listeners and routes of the import stay." }
                    }
                </p>
            </section>
        }
    }

    /// Errors, and warnings and notes behind a summary.
    fn draw_faults(&self, link: &html::Scope<Self>) -> Html {
        let list = FaultList {
            faults: &self.faults,
            more: self.more,
            test: "text-fault",
            current: self.current,
            on_go: link.callback(Msg::GoTo),
            fixable: &[],
            on_fix: Callback::noop(),
        };
        let first = self.faults.first().map(|fault| fault.severity);
        match first {
            None => html! {},
            Some(FaultSeverity::Error) => list.view(),
            Some(_) => html! {
                <details class="more">
                    <summary>{ severity_counts(&self.faults, self.more) }</summary>
                    { list.view() }
                </details>
            },
        }
    }

    fn draw_mark(&self, lines: LineRange) -> Html {
        let top = bridge::line_top(lines.first) - bridge::scrolled_by(&self.area);
        let end = bridge::line_top(lines.last.saturating_add(1));
        let height = end - bridge::line_top(lines.first);
        html! {
            <svg class="line-mark" width="100%" height="100%" aria-hidden="true" data-test="text-mark"
                data-lines={format!("{}-{}", lines.first, lines.last)}>
                <rect width="100%" y={top.to_string()} height={height.to_string()} />
            </svg>
        }
    }

    fn summary(&self) -> String {
        let counts = severity_counts(&self.faults, self.more);
        let message = match self.draft.state {
            _ if !self.refused.is_empty() => return self.refused.clone(),
            _ if self.draft.of.is_none() => return PageMessage::LoadingFiles.to_string(),
            state => match (&self.reader, state) {
                (ReaderState::Failed(reason), _) => {
                    return ImportMessage::ReaderNotLoaded(reason).to_string();
                }
                (ReaderState::Loading, _) => return ImportMessage::LoadingReader.to_string(),
                (ReaderState::Ready, TextState::Typed) => TextMessage::Reading,
                (ReaderState::Ready, TextState::Same) => TextMessage::Same(&counts),
                (ReaderState::Ready, TextState::Rejected | TextState::NotFollowed) => {
                    TextMessage::NotFollowed(&counts)
                }
            },
        };
        message.to_string()
    }
}
