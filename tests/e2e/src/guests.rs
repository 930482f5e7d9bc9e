//! Small filters for tests and measurements, in WebAssembly's text format. None of them ships.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::Workdir;

/// A filter that does one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guest {
    /// It accepts every configuration and exports no callback for requests.
    Absent,
    /// All callbacks of a request are there, and do nothing.
    Idle,
    /// It makes one hostcall that many times per request.
    Calls(Hostcall, u32),
    /// It makes the hostcalls of our filter and ignores their results.
    OurCalls,
    /// It traps on a request with the header `x-trap`.
    Trapping,
    /// It refuses every configuration.
    Refusing,
    /// It traps on every configuration.
    TrappingWhenConfigured,
    /// It traps on its first tick.
    TrappingOnTick,
    /// On every tick, it writes WASI clock 1 to the gauge `clock`, in milliseconds. If the host has
    /// no such clock, it traps.
    Clock,
}

/// A hostcall, as a filter uses it in the request phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hostcall {
    /// All request headers.
    Pairs,
    /// The value of a header that is there.
    Value,
    /// The value of a header that is not.
    NoValue,
    /// Setting a header to a list of three hosts.
    Set,
    /// Removing a header that is not there.
    RemoveNothing,
    /// Adding one to a counter.
    Increment,
}

impl Hostcall {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Pairs,
        Self::Value,
        Self::NoValue,
        Self::Set,
        Self::RemoveNothing,
        Self::Increment,
    ];

    /// Its name in the ABI, and its arguments.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pairs => "proxy_get_header_map_pairs",
            Self::Value => "proxy_get_header_map_value, there",
            Self::NoValue => "proxy_get_header_map_value, not there",
            Self::Set => "proxy_replace_header_map_value",
            Self::RemoveNothing => "proxy_remove_header_map_value, not there",
            Self::Increment => "proxy_increment_metric",
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Pairs => "(call $pairs (i32.const 0) (i32.const 0) (i32.const 4))",
            Self::Value => {
                "(call $value (i32.const 0) (i32.const 16) (i32.const 5) (i32.const 0) (i32.const 4))"
            }
            Self::NoValue => {
                "(call $value (i32.const 0) (i32.const 32) (i32.const 18) (i32.const 0) (i32.const 4))"
            }
            Self::Set => {
                "(call $set (i32.const 0) (i32.const 64) (i32.const 16) (i32.const 96) (i32.const 47))"
            }
            Self::RemoveNothing => "(call $remove (i32.const 0) (i32.const 32) (i32.const 18))",
            Self::Increment => "(call $increment (i32.load (i32.const 8)) (i64.const 1))",
        }
    }
}

impl Guest {
    /// Writes the module into the folder of a test.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(self, workdir: &Workdir, name: &str) -> Result<PathBuf> {
        let path = workdir.path().join(name);
        std::fs::write(&path, self.wasm()?)
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }

    /// The module.
    ///
    /// # Errors
    /// When the text below is not valid.
    pub fn wasm(self) -> Result<Vec<u8>> {
        wat::parse_str(self.text()).context("invalid guest module")
    }

    fn text(self) -> String {
        let configured = match self {
            Self::Refusing => "(i32.const 0)",
            Self::TrappingWhenConfigured => "unreachable",
            Self::TrappingOnTick | Self::Clock => START_TICKS,
            _ => {
                "(drop (call $define (i32.const 0) (i32.const 160) (i32.const 5) (i32.const 8))) (i32.const 1)"
            }
        };
        let request = match self {
            Self::Calls(call, count) => repeated(call, count),
            Self::OurCalls => in_turn(OUR_CALLS),
            Self::Trapping => TRAP.to_owned(),
            _ => String::new(),
        };
        let callbacks = match self {
            Self::Absent => String::new(),
            _ => CALLBACKS.replace("REQUEST", &request),
        };
        let tick = match self {
            Self::TrappingOnTick => "unreachable",
            Self::Clock => RECORD_CLOCK,
            _ => "",
        };
        FRAME
            .replace("CONFIGURED", configured)
            .replace("TICK", tick)
            .replace("CALLBACKS", &callbacks)
    }
}

/// The calls of a request that `filter/tests/ledger.txt` has for an aggregate with responses
/// stripped by the route. Its response has none.
const OUR_CALLS: &[Hostcall] = {
    use Hostcall::{Increment, Pairs, Set};
    &[Pairs, Increment, Set, Set]
};

fn in_turn(calls: &[Hostcall]) -> String {
    let one = |call: &Hostcall| format!("(drop {})", call.text());
    calls.iter().map(one).collect()
}

fn repeated(call: Hostcall, count: u32) -> String {
    format!(
        "(local $left i32) (local.set $left (i32.const {count}))
         (loop $again
           (drop {})
           (local.set $left (i32.sub (local.get $left) (i32.const 1)))
           (br_if $again (local.get $left)))",
        call.text()
    )
}

/// Traps if the look-up of `x-trap` succeeds.
const TRAP: &str = "(if (i32.eqz
    (call $value (i32.const 0) (i32.const 176) (i32.const 6) (i32.const 0) (i32.const 4)))
    (then unreachable))";

/// Defines the gauge `clock`, and requests a tick every 100 ms.
const START_TICKS: &str =
    "(drop (call $define (i32.const 1) (i32.const 192) (i32.const 5) (i32.const 8)))
    (i32.eqz (call $period (i32.const 100)))";

const RECORD_CLOCK: &str =
    "(if (call $time (i32.const 1) (i64.const 1) (i32.const 200)) (then unreachable))
    (drop (call $record (i32.load (i32.const 8))
        (i64.div_u (i64.load (i32.const 200)) (i64.const 1000000))))";

/// What the Rust SDK exports for a stream, as far as a GET meets it.
const CALLBACKS: &str = r#"
  (func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32) REQUEST (i32.const 0))
  (func (export "proxy_on_response_headers") (param i32 i32 i32) (result i32) (i32.const 0))
  (func (export "proxy_on_response_body") (param i32 i32 i32) (result i32) (i32.const 0))
  (func (export "proxy_on_done") (param i32) (result i32) (i32.const 1))
  (func (export "proxy_on_log") (param i32))
  (func (export "proxy_on_delete") (param i32))"#;

/// What the host gives goes to one place: nothing is kept longer than the next call.
const FRAME: &str = r#"
(module
  (import "env" "proxy_get_header_map_pairs" (func $pairs (param i32 i32 i32) (result i32)))
  (import "env" "proxy_get_header_map_value" (func $value (param i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_replace_header_map_value" (func $set (param i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_remove_header_map_value" (func $remove (param i32 i32 i32) (result i32)))
  (import "env" "proxy_define_metric" (func $define (param i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_increment_metric" (func $increment (param i32 i64) (result i32)))
  (import "env" "proxy_record_metric" (func $record (param i32 i64) (result i32)))
  (import "env" "proxy_set_tick_period_milliseconds" (func $period (param i32) (result i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
  (memory (export "memory") 32)
  ;; 0: where what the host gave is, 4: how long it is, 8: the counter
  (data (i32.const 16) "x-key")
  (data (i32.const 32) "x-spillgate-absent")
  (data (i32.const 64) "x-spillgate-list")
  (data (i32.const 96) "127.4.0.1:20001,127.4.0.2:20001,127.4.0.3:20001")
  (data (i32.const 160) "guest")
  (data (i32.const 176) "x-trap")
  (data (i32.const 192) "clock")
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "_initialize"))
  (func (export "malloc") (param i32) (result i32) (i32.const 65536))
  (func (export "proxy_on_context_create") (param i32 i32))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32) (i32.const 1))
  (func (export "proxy_on_configure") (param i32 i32) (result i32) CONFIGURED)
  (func (export "proxy_on_tick") (param i32) TICK)
  CALLBACKS)
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_guest_is_a_module() -> Result<()> {
        let guests = [
            Guest::Absent,
            Guest::Idle,
            Guest::OurCalls,
            Guest::Trapping,
            Guest::Refusing,
            Guest::TrappingWhenConfigured,
            Guest::TrappingOnTick,
            Guest::Clock,
        ];
        let calls = Hostcall::ALL.map(|call| Guest::Calls(call, 20));
        for guest in guests.into_iter().chain(calls) {
            guest.wasm().with_context(|| format!("{guest:?}"))?;
        }
        Ok(())
    }
}
