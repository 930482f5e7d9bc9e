//! What the user typed, as data.

use std::ffi::OsString;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use lexopt::prelude::*;
use spillgate_testkit::demo::{DemoChange, DemoForm};

use crate::bench;
use crate::checks::TestGroup;
use crate::demo::{DemoHosts, DemoOptions};
use crate::fuzz::{self, FuzzOptions};
use crate::help;
use crate::release::ReleaseOptions;
use crate::reliability::{MutantsOptions, ReliabilityOptions};

/// One invocation.
pub enum Invocation {
    Help(&'static str),
    Build { page: bool },
    Demo(DemoOptions),
    Hosts(DemoHosts),
    Test(Vec<TestGroup>),
    Dist,
    Deny,
    Release(ReleaseOptions),
    ReleaseTwice,
    CheckCrates,
    Descriptors,
    Bench(bench::BenchOptions),
    Differential(Vec<OsString>),
    Fuzz(FuzzOptions),
    Tokens(Vec<OsString>),
    Reliability(ReliabilityOptions),
    Mutants(MutantsOptions),
    Scenario(Vec<OsString>),
    Toolchain,
    Where(Vec<String>),
}

/// Reads the command line, from which `--toolchain` is already removed.
pub fn parse(mut parser: lexopt::Parser) -> Result<Invocation> {
    let Some(first) = parser.next()? else {
        return Ok(Invocation::Help(help::MAIN));
    };
    let name = match first {
        Short('h') | Long("help") => return Ok(Invocation::Help(help::MAIN)),
        Value(name) => name.string()?,
        other => return Err(other.unexpected().into()),
    };
    match name.as_str() {
        "demo" => demo(parser),
        "test" => test(parser),
        "build" => build(parser),
        "deny" => bare(parser, help::DENY, Invocation::Deny),
        "dist" => bare(parser, help::DIST, Invocation::Dist),
        "release" => release(parser),
        "bench" => bench(parser),
        "differential" => passed_on(parser, help::DIFFERENTIAL, Invocation::Differential),
        "descriptors" => bare(parser, help::DESCRIPTORS, Invocation::Descriptors),
        "scenario" => passed_on(parser, help::SCENARIO, Invocation::Scenario),
        "fuzz" => fuzz_options(parser),
        "tokens" => passed_on(parser, help::TOKENS, Invocation::Tokens),
        "reliability" => reliability(parser),
        "toolchain" => bare(parser, help::TOOLCHAIN, Invocation::Toolchain),
        "where" => behavior(parser),
        "help" => Ok(Invocation::Help(help::MAIN)),
        _ => bail!(
            "unknown command `{name}`, expected demo, scenario, test, build, dist, release, deny, bench, differential, descriptors, fuzz, tokens, reliability, toolchain or where"
        ),
    }
}

fn behavior(mut parser: lexopt::Parser) -> Result<Invocation> {
    let mut words = Vec::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Invocation::Help(help::WHERE)),
            Value(word) => words.push(word.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    if words.is_empty() {
        bail!("`cargo xtask where` needs words of a behavior, such as `slow start`");
    }
    Ok(Invocation::Where(words))
}

fn build(mut parser: lexopt::Parser) -> Result<Invocation> {
    let mut page = true;
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Invocation::Help(help::BUILD)),
            Long("filter") => page = false,
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Invocation::Build { page })
}

fn bare(mut parser: lexopt::Parser, text: &'static str, command: Invocation) -> Result<Invocation> {
    match parser.next()? {
        None => Ok(command),
        Some(Short('h') | Long("help")) => Ok(Invocation::Help(text)),
        Some(other) => Err(other.unexpected().into()),
    }
}

fn release(mut parser: lexopt::Parser) -> Result<Invocation> {
    let (mut version, mut folder) = (None, None);
    let (mut allow_dirty, mut check, mut twice) = (false, false, false);
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Invocation::Help(help::RELEASE)),
            Long("allow-dirty") => allow_dirty = true,
            Long("check") => check = true,
            Long("twice") => twice = true,
            Long("folder") => folder = Some(parser.value()?.into()),
            Value(word) if version.is_none() => version = Some(word.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    match (version, check, twice) {
        (None, true, false) => Ok(Invocation::CheckCrates),
        (None, false, true) => Ok(Invocation::ReleaseTwice),
        (Some(version), false, false) => Ok(Invocation::Release(ReleaseOptions {
            version,
            allow_dirty,
            folder,
        })),
        _ => bail!("release needs either a VERSION, for example 0.1.0, or --check, or --twice"),
    }
}

fn demo(mut parser: lexopt::Parser) -> Result<Invocation> {
    let mut options = DemoOptions::default();
    let mut words = Vec::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Invocation::Help(help::DEMO)),
            Long("page-port") => options.ports.page = parser.value()?.parse()?,
            Long("service-port") => options.ports.service = parser.value()?.parse()?,
            Long("hosts-port") => options.ports.hosts = parser.value()?.parse()?,
            Long("admin-port") => options.ports.admin = parser.value()?.parse()?,
            Long("check") => options.check = true,
            Long("native") => options.form = DemoForm::Native,
            Long("state") => options.state = Some(parser.value()?.into()),
            Value(word) => words.push(word.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let Some((verb, names)) = words.split_first() else {
        return Ok(Invocation::Demo(options));
    };
    let change = match verb.as_str() {
        "kill" => Some(DemoChange::Kill),
        "heal" => Some(DemoChange::Heal),
        "hosts" => None,
        _ => bail!("unknown word `{verb}` after demo, expected kill, heal or hosts"),
    };
    if change.is_some() && names.is_empty() {
        bail!("`demo {verb}` needs at least one HOST, for example 127.0.1.3");
    }
    Ok(Invocation::Hosts(DemoHosts {
        state: options.state,
        change,
        names: names.to_vec(),
    }))
}

fn test(mut parser: lexopt::Parser) -> Result<Invocation> {
    let mut only = Vec::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Invocation::Help(help::TEST)),
            Long("only") => {
                for name in parser.value()?.string()?.split(',') {
                    only.push(TestGroup::named(name).with_context(|| {
                        format!(
                            "unknown group `{name}`, expected one of {}",
                            TestGroup::names()
                        )
                    })?);
                }
            }
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Invocation::Test(only))
}

fn bench(mut parser: lexopt::Parser) -> Result<Invocation> {
    let mut options = bench::BenchOptions::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Invocation::Help(help::BENCH)),
            Long("json") => options.json = Some(parser.value()?.into()),
            Long("instructions") => options.instructions = true,
            Long("figures-only") => options.figures_only = true,
            Long("runs") => options.runs = Some(parser.value()?.parse()?),
            Long("only") => {
                let name = parser.value()?.string()?;
                let part = bench::BenchPart::named(&name);
                options.only = Some(part.with_context(|| {
                    format!(
                        "unknown part `{name}`, expected engine, filter, polls, admin, page or lighthouse"
                    )
                })?);
            }
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Invocation::Bench(options))
}

fn reliability(mut parser: lexopt::Parser) -> Result<Invocation> {
    let mut options = ReliabilityOptions::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Invocation::Help(help::RELIABILITY)),
            Long("record") => options.record = true,
            Long(name @ ("pairs" | "seed")) => {
                let name = format!("--{name}");
                options.arguments.extend([name.into(), parser.value()?]);
            }
            Value(name) if options.names.is_empty() && name == "mutants" => return mutants(parser),
            Value(name) => options.names.push(name.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Invocation::Reliability(options))
}

fn mutants(mut parser: lexopt::Parser) -> Result<Invocation> {
    let mut options = MutantsOptions::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Invocation::Help(help::MUTANTS)),
            Long("shard") => options.shard = Some(parser.value()?.parse()?),
            Long("sample") => options.sample = Some(parser.value()?.parse()?),
            Long("seed") => options.seed = parser.value()?.parse()?,
            Long("changed") => options.changed = Some(parser.value()?.string()?),
            Long("again") => options.again = true,
            Long("figures") => options.figures = true,
            Value(name) => options.packages.push(name.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Invocation::Mutants(options))
}

fn fuzz_options(mut parser: lexopt::Parser) -> Result<Invocation> {
    let mut options = FuzzOptions::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Invocation::Help(help::FUZZ)),
            Long("seconds") => options.time = Duration::from_secs(parser.value()?.parse()?),
            Long("save") => options.save = true,
            Long("jobs") => options.jobs = parser.value()?.parse()?,
            Long("file") => options.file = Some(parser.value()?.into()),
            Long("target") => {
                let name = parser.value()?.string()?;
                let target = fuzz::Target::named(&name);
                options.targets.push(target.with_context(|| {
                    let names: Vec<_> = fuzz::TARGETS.iter().map(|target| target.name).collect();
                    format!(
                        "unknown target `{name}`, expected one of {}",
                        names.join(", ")
                    )
                })?);
            }
            other => return Err(other.unexpected().into()),
        }
    }
    if options.file.is_some() && options.targets.len() != 1 {
        bail!("--file needs one --target");
    }
    Ok(Invocation::Fuzz(options))
}

/// Everything but the wish for help is for the program that does the work.
fn passed_on(
    mut parser: lexopt::Parser,
    text: &'static str,
    command: fn(Vec<OsString>) -> Invocation,
) -> Result<Invocation> {
    let arguments: Vec<OsString> = parser.raw_args()?.collect();
    let help = ["-h", "--help"];
    if arguments
        .iter()
        .any(|argument| help.iter().any(|help| argument == help))
    {
        return Ok(Invocation::Help(text));
    }
    Ok(command(arguments))
}
