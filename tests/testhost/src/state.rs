//! All that hostcalls read and change.

use crate::callout::Callout;
use crate::exchange::LocalReply;
use crate::headers::HeaderMap;
use crate::log::{GuestLogLevel, LogLine};
use crate::metrics::Metrics;
use crate::properties::Properties;
use crate::random::SplitMix64;
use crate::shared::Shared;
use crate::status::Status;
use crate::ticks::Ticks;
use std::collections::{BTreeMap, BTreeSet};
use wasmi::{Memory, TypedFunc};

/// The header maps that hostcalls name, with the numbers of proxy-wasm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MapKind {
    FilterRequest = 0,
    FilterResponse = 2,
    Callout = 6,
}

/// The buffers that hostcalls name, with the numbers of proxy-wasm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum BufferKind {
    CalloutBody = 4,
    VmConfiguration = 6,
    PluginConfiguration = 7,
}

/// Everything that hostcalls read and change: the world outside the guest.
pub(crate) struct State {
    /// Set once the module is instantiated.
    pub(crate) memory: Option<Memory>,
    /// The guest's allocator, through which the host gives it data.
    pub(crate) allocate: Option<TypedFunc<u32, u32>>,
    /// The wall clock, which a test can step.
    pub(crate) clock_ns: u64,
    /// The monotonic clock, by which ticks are due.
    pub(crate) monotonic_ns: u64,
    /// Whether guests may read the monotonic clock.
    pub(crate) offers_monotonic: bool,
    pub(crate) random: SplitMix64,
    pub(crate) log_level: GuestLogLevel,
    pub(crate) logs: Vec<LogLine>,
    /// The maps that the running callback may touch; a map that is not here answers `BadArgument`.
    pub(crate) maps: BTreeMap<u32, HeaderMap>,
    pub(crate) buffers: BTreeMap<u32, Vec<u8>>,
    pub(crate) local_response: Option<LocalReply>,
    pub(crate) properties: Properties,
    pub(crate) metrics: Metrics,
    pub(crate) shared: Shared,
    /// The environment variables of the VM, by name.
    pub(crate) environment: BTreeMap<String, Vec<u8>>,
    pub(crate) callouts: Vec<Callout>,
    pub(crate) callout_clusters: BTreeSet<String>,
    pub(crate) last_token: u32,
    pub(crate) ticks: Ticks,
    /// Every live context, and the one that hostcalls act for.
    pub(crate) contexts: BTreeSet<u32>,
    pub(crate) effective_context: u32,
    /// How often each hostcall was called since the counts were last taken.
    pub(crate) calls: BTreeMap<&'static str, u32>,
    /// The statuses of hostcalls that do nothing, by their names.
    pub(crate) answers: BTreeMap<String, Status>,
}

impl State {
    pub(crate) fn new(shared: Shared, seed: u64) -> Self {
        Self {
            memory: None,
            allocate: None,
            // A date of this century, so that a guest which divides or formats it sees nothing odd.
            clock_ns: 1_700_000_000_000_000_000,
            // Some uptime of a machine.
            monotonic_ns: 5_000_000_000_000,
            offers_monotonic: true,
            random: SplitMix64::new(seed),
            log_level: GuestLogLevel::Info,
            logs: Vec::new(),
            maps: BTreeMap::new(),
            buffers: BTreeMap::new(),
            local_response: None,
            properties: Properties::default(),
            metrics: Metrics::default(),
            shared,
            environment: BTreeMap::new(),
            callouts: Vec::new(),
            callout_clusters: BTreeSet::new(),
            last_token: 0,
            ticks: Ticks::default(),
            contexts: BTreeSet::new(),
            effective_context: 0,
            calls: BTreeMap::new(),
            answers: BTreeMap::new(),
        }
    }

    pub(crate) fn count(&mut self, call: &'static str) {
        *self.calls.entry(call).or_default() += 1;
    }

    pub(crate) fn map(&mut self, kind: u32) -> Result<&mut HeaderMap, Status> {
        self.maps.get_mut(&kind).ok_or(Status::BadArgument)
    }

    pub(crate) fn log(&mut self, level: GuestLogLevel, message: String) {
        if level >= self.log_level {
            self.logs.push(LogLine { level, message });
        }
    }
}
