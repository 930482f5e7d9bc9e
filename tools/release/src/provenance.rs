//! Where the files come from: an in-toto statement with SLSA's provenance, version 1.
//!
//! It has no time and no number of the build, so that two builds of a commit write the same statement.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Map, Value, json};

use crate::artifact::Artifact;
use crate::hash::sha256_hex;
use crate::parts::{Parts, ReleaseId};

const STATEMENT: &str = "https://in-toto.io/Statement/v1";
const PREDICATE: &str = "https://slsa.dev/provenance/v1";
/// How the files are built: `docs/releases.md` describes it.
const BUILD_TYPE: &str = "urn:spillgate:release:1";
/// Who built them: the one who ran the command, and signs the statement.
const BUILDER: &str = "urn:spillgate:xtask";
/// The mark of uncommitted changes in a commit.
const MODIFIED: &str = "-modified";

/// The statement about these files.
pub(crate) fn statement(files: &[Artifact], parts: &Parts, id: &ReleaseId) -> Result<Artifact> {
    let subjects = files.iter().map(|one| subject(&one.path, &one.bytes));
    let tools = parts.text("tools.txt")?;
    let lines = tools.lines().filter_map(|line| line.split_once(": "));
    let tools: Map<String, Value> = lines
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect();
    let commit = id.commit.strip_suffix(MODIFIED).unwrap_or(&id.commit);
    let statement = json!({
        "_type": STATEMENT,
        "subject": subjects.collect::<Vec<_>>(),
        "predicateType": PREDICATE,
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD_TYPE,
                "externalParameters": {
                    "command": format!("cargo xtask release {}", id.version),
                    "version": id.version,
                },
                "internalParameters": {"tools": tools},
                "resolvedDependencies": [
                    {
                        "name": "sources",
                        "digest": {"gitCommit": commit},
                        "annotations": {"modified": commit != id.commit},
                    },
                    {
                        "name": LOCK,
                        "digest": {"sha256": sha256_hex(&parts.bytes(LOCK)?)},
                    },
                ],
            },
            "runDetails": {"builder": {"id": BUILDER}},
        },
    });
    let text = format!("{}\n", serde_json::to_string_pretty(&statement)?);
    Ok(Artifact::new(
        file_name(id),
        "the provenance of the files (in-toto statement, SLSA 1)",
        text.into_bytes(),
    ))
}

/// The versions and hashes of all crates.
const LOCK: &str = "Cargo.lock";

/// The name of the file.
pub(crate) fn file_name(id: &ReleaseId) -> String {
    format!("spillgate-{}.provenance.json", id.version)
}

fn subject(path: &str, bytes: &[u8]) -> Value {
    json!({"name": path, "digest": {"sha256": sha256_hex(bytes)}})
}

/// Checks that the statement is about this commit and these files, and no others.
pub(crate) fn check<'a>(
    bytes: &[u8],
    files: impl Iterator<Item = (&'a str, &'a [u8])>,
    id: &ReleaseId,
) -> Result<()> {
    let statement: Value = serde_json::from_slice(bytes)?;
    ensure!(
        statement["_type"] == STATEMENT && statement["predicateType"] == PREDICATE,
        "not SLSA's provenance"
    );
    let build = &statement["predicate"]["buildDefinition"];
    ensure!(
        build["externalParameters"]["version"] == id.version,
        "another version"
    );
    let sources = &build["resolvedDependencies"][0];
    let commit = sources["digest"]["gitCommit"]
        .as_str()
        .context("no commit")?;
    let mark = if sources["annotations"]["modified"] == true {
        MODIFIED
    } else {
        ""
    };
    ensure!(format!("{commit}{mark}") == id.commit, "another commit");
    let expected: Vec<Value> = files.map(|(path, bytes)| subject(path, bytes)).collect();
    let subjects = statement["subject"].as_array().context("no subjects")?;
    ensure!(
        *subjects == expected,
        "other files than those of the release"
    );
    Ok(())
}
