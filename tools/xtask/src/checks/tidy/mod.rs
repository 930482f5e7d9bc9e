//! Rules that no compiler checks: the shape of sources, paths in documents, sizes of what ships.

mod cycles;
mod documents;
mod hostcalls;
mod sizes;
mod sources;
mod type_names;
mod words;

use anyhow::Result;

use super::report::CheckReport;
use crate::project::Project;
use crate::text_files::text_files;

pub use hostcalls::built as hostcalls;
pub use sizes::sizes;

/// All rules on files of the repository; each rule is one check with all its faults.
pub fn sources(project: &Project, report: &mut CheckReport) -> Result<()> {
    let files = text_files(&project.root)?;
    report.check(
        "every source file starts with a module doc",
        faults(sources::without_doc(&files)),
    );
    report.check(
        "no source file is above 600 lines",
        faults(sources::too_long(&files)),
    );
    report.check(
        "no line ends in white space",
        faults(sources::trailing_space(&files)),
    );
    report.check(
        "no text of a program names a file of docs/",
        faults(sources::named_pages(&files)),
    );
    report.check(
        "no folder of sources has a cycle among its modules",
        cycles::cycles(&files).and_then(faults),
    );
    report.check(
        "only one file of the filter declares functions of the host, and only permitted ones",
        faults(hostcalls::declared(&files)),
    );
    report.check(
        "only one file of the filter calls the SDK, and only permitted functions",
        faults(hostcalls::called(&files)),
    );
    report.check(
        "the top of a checkout has few entries",
        faults(documents::too_many_entries(&project.root)?),
    );
    report.check(
        "paths named in ARCHITECTURE.md exist",
        faults(documents::stale_paths(project)?),
    );
    report.check(
        "ARCHITECTURE.md and DESIGN.md are short enough",
        faults(documents::too_long(project)?),
    );
    report.check(
        "a public type name exists once",
        faults(type_names::duplicates(&files)),
    );
    report.check(
        "no text of the playground names a type",
        faults(type_names::in_texts(&files)),
    );
    report.check(
        "no text uses a banned phrase",
        faults(words::banned(&files)),
    );
    Ok(())
}

/// No fault is success; several are one error, a line each.
fn faults(faults: Vec<String>) -> Result<()> {
    if faults.is_empty() {
        return Ok(());
    }
    Err(anyhow::anyhow!("\n        {}", faults.join("\n        ")))
}
