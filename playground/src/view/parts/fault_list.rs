//! The list of faults or findings.

use spillgate_scenario::{FaultSeverity, ImportFault, LISTED_FAULTS, count, severity_name};
use yew::prelude::*;

/// Faults with links to their positions and buttons for their fixes.
#[derive(Debug)]
pub struct FaultList<'a> {
    /// The faults.
    pub faults: &'a [ImportFault],
    /// The number of further ones.
    pub more: usize,
    /// The `data-test` of each.
    pub test: &'static str,
    /// The fault at the caret.
    pub current: Option<usize>,
    /// Goes to the position of a fault.
    pub on_go: Callback<usize>,
    /// Whether the suggestion of each fault can be applied; empty if fixes are not offered.
    pub fixable: &'a [bool],
    /// Applies the suggestion of a fault.
    pub on_fix: Callback<usize>,
}

impl FaultList<'_> {
    /// The list; empty without faults.
    pub fn view(&self) -> Html {
        if self.faults.is_empty() {
            return html! {};
        }
        let shown = self.faults.iter().enumerate().take(LISTED_FAULTS);
        let more = self.faults.len().saturating_sub(LISTED_FAULTS) + self.more;
        html! {
            <>
                <ol class="faults">{ for shown.map(|(number, fault)| self.item(number, fault)) }</ol>
                if more > 0 {
                    <p class="note">{ format!("and {} more", count(more)) }</p>
                }
            </>
        }
    }

    fn item(&self, number: usize, fault: &ImportFault) -> Html {
        let place = fault
            .position
            .map(|position| format!("{}:{}", position.line, position.column));
        let current = (self.current == Some(number)).then_some("true");
        let fixable = self.fixable.get(number) == Some(&true);
        let suggestion = fault.suggestion.as_ref().filter(|_| fixable);
        html! {
            <li class={severity_name(fault.severity)} data-test={self.test} aria-current={current}>
                <button type="button" class="go" disabled={place.is_none()} onclick={self.on_go.reform(move |_: MouseEvent| number)}>
                    <span class="kind"><b aria-hidden="true">{ mark(fault.severity) }</b><span>{ severity_name(fault.severity) }</span></span>
                    { " " }<span class="at">{ place.unwrap_or_default() }</span>
                    { " " }<code class="code">{ &fault.code }</code>{ " " }
                    <span class="what">{ what(fault) }</span>
                </button>
                if let Some(suggestion) = suggestion {
                    <button type="button" class="fix" data-test="import-fix" onclick={self.on_fix.reform(move |_: MouseEvent| number)}>
                        { "Change to " }<code>{ suggestion }</code>
                    </button>
                }
            </li>
        }
    }
}

fn what(fault: &ImportFault) -> Html {
    let parts = [
        ("found", "found ", &fault.found),
        ("expected", "expected ", &fault.expected),
        ("suggestion", "did you mean ", &fault.suggestion),
        ("remedy", "", &fault.fix),
    ];
    html! {
        <>
            if !fault.path.is_empty() {
                <span class="path">{ &fault.path }</span>{ " " }
            }
            { &fault.message }
            { for parts.into_iter().filter_map(|(class, word, text)| {
                let text = text.as_ref()?;
                let mark = if class == "suggestion" { "?" } else { "" };
                Some(html! { <span {class}>{ word }{ text }{ mark }</span> })
            }) }
        </>
    }
}

/// The symbol of a severity, because color alone is not enough.
const fn mark(severity: FaultSeverity) -> &'static str {
    match severity {
        FaultSeverity::Error => "\u{2715}",
        FaultSeverity::Warning => "!",
        FaultSeverity::Limit => "?",
        FaultSeverity::Info => "i",
    }
}
