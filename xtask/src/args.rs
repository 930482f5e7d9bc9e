//! What the user typed, as data.

use std::ffi::OsString;

use anyhow::{Context as _, Result, bail};
use lexopt::prelude::*;

use crate::bench;
use crate::checks::Group;
use crate::demo::{Change, Options};
use crate::help;

/// One invocation.
pub enum Command {
    Help(&'static str),
    Build { page: bool },
    Demo(Options),
    Hosts(Change),
    Test(Vec<Group>),
    Dist,
    Bench(bench::Options),
    Differential(Vec<OsString>),
    Fuzz(Vec<OsString>),
    Tokens(Vec<OsString>),
    Scenario(Vec<OsString>),
    Toolchain,
}

/// Reads the command line, from which `--toolchain` is already removed.
pub fn parse(mut parser: lexopt::Parser) -> Result<Command> {
    let Some(first) = parser.next()? else {
        return Ok(Command::Help(help::MAIN));
    };
    let name = match first {
        Short('h') | Long("help") => return Ok(Command::Help(help::MAIN)),
        Value(name) => name.string()?,
        other => return Err(other.unexpected().into()),
    };
    match name.as_str() {
        "demo" => demo(parser),
        "test" => test(parser),
        "build" => build(parser),
        "dist" => bare(parser, help::DIST, Command::Dist),
        "bench" => bench(parser),
        "differential" => passed_on(parser, help::DIFFERENTIAL, Command::Differential),
        "scenario" => passed_on(parser, help::SCENARIO, Command::Scenario),
        "fuzz" => passed_on(parser, help::FUZZ, Command::Fuzz),
        "tokens" => passed_on(parser, help::TOKENS, Command::Tokens),
        "toolchain" => bare(parser, help::TOOLCHAIN, Command::Toolchain),
        "help" => Ok(Command::Help(help::MAIN)),
        _ => bail!(
            "unknown command `{name}`, expected demo, scenario, test, build, dist, bench, differential, fuzz, tokens or toolchain"
        ),
    }
}

fn build(mut parser: lexopt::Parser) -> Result<Command> {
    let mut page = true;
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Command::Help(help::BUILD)),
            Long("filter") => page = false,
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Command::Build { page })
}

fn bare(mut parser: lexopt::Parser, text: &'static str, command: Command) -> Result<Command> {
    match parser.next()? {
        None => Ok(command),
        Some(Short('h') | Long("help")) => Ok(Command::Help(text)),
        Some(other) => Err(other.unexpected().into()),
    }
}

fn demo(mut parser: lexopt::Parser) -> Result<Command> {
    let mut options = Options::default();
    let mut words = Vec::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Command::Help(help::DEMO)),
            Long("page-port") => options.ports.page = parser.value()?.parse()?,
            Long("service-port") => options.ports.service = parser.value()?.parse()?,
            Long("hosts-port") => options.ports.hosts = parser.value()?.parse()?,
            Long("admin-port") => options.ports.admin = parser.value()?.parse()?,
            Long("check") => options.check = true,
            Long("state") => options.state = Some(parser.value()?.into()),
            Value(word) => words.push(word.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let Some((verb, hosts)) = words.split_first() else {
        return Ok(Command::Demo(options));
    };
    let (state, hosts) = (options.state, hosts.to_vec());
    let change = match verb.as_str() {
        "kill" if !hosts.is_empty() => Change::kill(state, hosts),
        "heal" if !hosts.is_empty() => Change::heal(state, hosts),
        "kill" | "heal" => bail!("`demo {verb}` needs at least one HOST, for example 127.0.1.3"),
        "hosts" => Change::none(state),
        _ => bail!("unknown word `{verb}` after demo, expected kill, heal or hosts"),
    };
    Ok(Command::Hosts(change))
}

fn test(mut parser: lexopt::Parser) -> Result<Command> {
    let mut only = Vec::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Command::Help(help::TEST)),
            Long("only") => {
                for name in parser.value()?.string()?.split(',') {
                    only.push(Group::named(name).with_context(|| {
                        format!("unknown group `{name}`, expected one of {}", Group::names())
                    })?);
                }
            }
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Command::Test(only))
}

fn bench(mut parser: lexopt::Parser) -> Result<Command> {
    let mut options = bench::Options::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Command::Help(help::BENCH)),
            Long("json") => options.json = Some(parser.value()?.into()),
            Long("instructions") => options.instructions = true,
            Long("figures-only") => options.figures_only = true,
            Long("runs") => options.runs = Some(parser.value()?.parse()?),
            Long("only") => {
                let name = parser.value()?.string()?;
                let part = bench::Part::named(&name);
                options.only = Some(part.with_context(|| {
                    format!("unknown part `{name}`, expected engine, filter or polls")
                })?);
            }
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Command::Bench(options))
}

/// Everything but the wish for help is for the program that does the work.
fn passed_on(
    mut parser: lexopt::Parser,
    text: &'static str,
    command: fn(Vec<OsString>) -> Command,
) -> Result<Command> {
    let arguments: Vec<OsString> = parser.raw_args()?.collect();
    let help = ["-h", "--help"];
    if arguments
        .iter()
        .any(|argument| help.iter().any(|help| argument == help))
    {
        return Ok(Command::Help(text));
    }
    Ok(command(arguments))
}
