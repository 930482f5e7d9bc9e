//! The console blocks of the documentation have the real output of the commands.

use std::{fs, path::Path};

use clap::CommandFactory as _;

use spillgate_testkit::repository;

use crate::help::{MessageForm, examples, shell, shell_with};

const PROMPT: &str = "$ ";

/// The text with the present output of every command in its `console` blocks: warnings first, then
/// the output, then what is not simulated. A line `...` replaces the rest of the output.
fn rendered(text: &str, folder: &Path, form: MessageForm) -> String {
    let mut lines = text.lines().peekable();
    let mut out = Vec::new();
    while let Some(line) = lines.next() {
        out.push(line.to_owned());
        if line != "```console" {
            continue;
        }
        while let Some(line) = lines.next_if(|line| *line != "```") {
            let command = line.strip_prefix(PROMPT).expect("a command comes first");
            let mut kept = 0;
            let mut cut = false;
            while let Some(line) = lines.next_if(|line| *line != "```" && !line.starts_with(PROMPT))
            {
                cut = line == "...";
                kept += 1;
            }
            let (_, stdout, stderr) = shell_with(form, command, folder);
            out.push(line.to_owned());
            // These lines follow the output.
            let closes = |line: &&str| line.starts_with("not simulated: ");
            let (last, first): (Vec<&str>, Vec<&str>) = stderr.lines().partition(closes);
            let all = first
                .into_iter()
                .chain(stdout.lines())
                .chain(last)
                .map(str::to_owned);
            if cut {
                out.extend(all.take(kept - 1));
                out.push("...".to_owned());
            } else {
                out.extend(all);
            }
        }
    }
    out.join("\n") + "\n"
}

/// Compares a page of several commands with their output, run in a folder.
#[track_caller]
pub(crate) fn assert_shown(page: &str, folder: &Path) {
    assert_shown_in(MessageForm::Full, page, folder);
}

/// The same with errors and warnings in one form.
#[track_caller]
pub(crate) fn assert_shown_in(form: MessageForm, page: &str, folder: &Path) {
    let commands = compare(page, folder, form);
    assert!(commands >= 2, "{page} shows too few commands");
}

/// Compares a page with the output of its commands, run in a folder: their number.
/// `SPILLGATE_GOLDEN=write` updates the page.
#[track_caller]
fn compare(page: &str, folder: &Path, form: MessageForm) -> usize {
    let path = repository().join(page);
    let text = fs::read_to_string(&path).unwrap();
    let commands = text.lines().filter(|line| line.starts_with(PROMPT)).count();
    let now = rendered(&text, folder, form);
    if std::env::var_os("SPILLGATE_GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, &now).unwrap();
        return commands;
    }
    for (at, (kept, now)) in text.lines().zip(now.lines()).enumerate() {
        assert_eq!(kept, now, "line {} of {page}", at + 1);
    }
    assert!(text == now, "{page} differs in length from the output");
    commands
}

/// The Markdown files of a folder in the repository.
pub(crate) fn pages(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(repository().join(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pages = names.filter(|name| name.ends_with(".md"));
    let mut pages: Vec<String> = pages.map(|name| format!("{folder}/{name}")).collect();
    pages.sort();
    pages
}

#[test]
fn the_manual_has_the_output_of_the_commands() {
    assert_shown("docs/command-line.md", &examples("manual"));
    assert_shown("docs/live-proxies.md", &examples("manual-live"));
}

/// These pages run their commands in the root folder of the repository.
#[test]
fn the_other_pages_have_the_output_of_the_commands() {
    for page in [
        "README.md",
        "docs/grpc.md",
        "docs/index.md",
        "docs/simulate.md",
        "docs/what-if.md",
    ] {
        assert_shown(page, repository());
    }
}

/// The pages about meshes run their commands in the root folder too.
#[test]
fn the_pages_about_meshes_have_the_output_of_the_commands() {
    for page in pages("docs/mesh") {
        assert_shown(&page, repository());
    }
}

/// Pages for a goal run their commands in the root folder too. Some have none.
#[test]
fn the_pages_by_goal_have_the_output_of_the_commands() {
    let folders = ["docs/concepts", "docs/how-to", "docs/tutorials"];
    let pages = folders.into_iter().flat_map(pages);
    let commands: usize = pages
        .map(|page| compare(&page, repository(), MessageForm::Full))
        .sum();
    assert!(commands >= 15, "{commands}");
}

/// The picture of a use case is the matrix of its policy after the loss of a zone: where the policies differ.
#[test]
fn the_pictures_of_the_use_cases_are_the_traffic_of_their_policies() {
    let root = repository();
    let mut pictures = 0;
    for entry in fs::read_dir(root.join("docs/mesh/images")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let hosts = match name {
            "zone-groups" => "six-zones",
            _ => "three-zones",
        };
        // After these losses, no two pictures are the same.
        let lost = match name {
            "ordered-zones" | "zone-list" => "second-zone-lost",
            _ => "first-zone-lost",
        };
        let command = format!(
            "spillgate convert docs/mesh/examples/{name}.yaml docs/mesh/examples/{hosts}.yaml \
             --health docs/mesh/examples/{lost}.txt --to matrix --format svg"
        );
        let (_, now, _) = shell(&command, root);
        assert!(now.starts_with("<svg"), "{command}: {now}");
        if std::env::var_os("SPILLGATE_GOLDEN").is_some_and(|value| value == "write") {
            fs::write(&path, now).unwrap();
        } else {
            assert!(now == fs::read_to_string(&path).unwrap(), "{command}");
        }
        pictures += 1;
    }
    assert_eq!(pictures, 7);
}

#[test]
fn the_manual_has_every_command() {
    let path = repository().join("docs/command-line.md");
    let text = fs::read_to_string(&path).unwrap();
    let command = spillgate::Args::command();
    for command in command.get_subcommands() {
        let shown = format!("spillgate {}", command.get_name());
        let mut lines = text.lines().filter(|line| line.starts_with(PROMPT));
        assert!(
            lines.any(|line| line.contains(&shown)),
            "`{shown}` is missing"
        );
    }
}
