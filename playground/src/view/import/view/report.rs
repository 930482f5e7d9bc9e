//! What was read, ignored and missed.

use spillgate_scenario::count;
use yew::prelude::*;

use crate::view::import::report::{ReadReport, ReportLine};

/// The report; empty before a result. `on_go` gets the place of a fault in the list of faults.
pub(super) fn report(report: &ReadReport, on_go: &Callback<usize>) -> Html {
    if report.read.is_empty() {
        return html! {};
    }
    let read = report.read.join(", ");
    let of = |kind: &str, remarks: &[ReportLine]| match remarks.len() {
        0 => String::new(),
        remarks => format!(", {} {kind}", count(remarks)),
    };
    let title = format!(
        "Read {read}{}{}{}",
        of("missing", &report.missing),
        of("not modeled", &report.limits),
        of("ignored", &report.ignored)
    );
    html! {
        <details class="more report" data-test="import-report">
            <summary>{ title }</summary>
            { list("Missing", "missing", &report.missing, on_go) }
            { list("Not modeled: figures can differ from Envoy", "limits", &report.limits, on_go) }
            { list("Ignored: no effect on this page", "ignored", &report.ignored, on_go) }
        </details>
    }
}

fn list(
    title: &'static str,
    test: &'static str,
    remarks: &[ReportLine],
    on_go: &Callback<usize>,
) -> Html {
    if remarks.is_empty() {
        return html! {};
    }
    html! {
        <>
            <h3>{ title }</h3>
            <ul data-test={format!("import-{test}")}>{ for remarks.iter().map(|remark| line(remark, on_go)) }</ul>
        </>
    }
}

fn line(remark: &ReportLine, on_go: &Callback<usize>) -> Html {
    let fault = remark.fault;
    let go = on_go.reform(move |_: MouseEvent| fault);
    html! {
        <li>
            if !remark.path.is_empty() {
                <button type="button" class="place" onclick={go}>{ &remark.path }</button>{ ": " }
            }
            { &remark.message }
            if let Some(query) = remark.query {
                { ". Query of Envoy's admin interface: " }<code>{ format!("GET {query}") }</code>
            }
        </li>
    }
}
