//! What the SDK of proxy-wasm adds to the filter and the filter does not use.
//!
//! Envoy calls every callback that a module exports, also where it does nothing, and the SDK exports them
//! all. It also offers calls of the host as methods of contexts: most of them panic on a status that they
//! do not expect, the filter calls none of them (a tidy check), and no linker removes virtual methods.

use anyhow::Result;
use walrus::ir::{Instr, Unreachable};
use walrus::{FunctionKind, Module, passes};

use super::sections::{self, EXPORT, text};

/// What Envoy needs to run the filter, and the callbacks in which it does something, sorted.
pub const FILTER_EXPORTS: [&str; 11] = [
    "_initialize",
    "malloc",
    "memory",
    "proxy_abi_version_0_2_1",
    "proxy_on_configure",
    "proxy_on_context_create",
    "proxy_on_delete",
    "proxy_on_http_call_response",
    "proxy_on_request_headers",
    "proxy_on_response_headers",
    "proxy_on_tick",
];

/// The traits of contexts, as in the names of their methods in a module.
const TRAITS: [&str; 4] = [
    "10proxy_wasm6traits7Context",
    "10proxy_wasm6traits11RootContext",
    "10proxy_wasm6traits11HttpContext",
    "10proxy_wasm6traits13StreamContext",
];
/// What the dispatcher would do for a context of a TCP connection.
const TCP: &str = "10proxy_wasm10dispatcher10Dispatcher21create_stream_context";
/// The methods that the SDK itself calls: callbacks and constructors.
const CALLBACKS: [&str; 3] = ["on_", "create_", "get_type"];

/// The filter with only [`FILTER_EXPORTS`], with traps in place of what else of the SDK it does not use,
/// and without what nothing reaches then.
pub(super) fn without_unused(module: &[u8]) -> Result<Vec<u8>> {
    let mut module = Module::from_buffer(module)?;
    let unused: Vec<_> = module
        .exports
        .iter()
        .filter(|export| !FILTER_EXPORTS.contains(&export.name.as_str()))
        .map(|export| export.id())
        .collect();
    for export in unused {
        module.exports.delete(export);
    }
    for function in module.funcs.iter_mut() {
        let traps = function.name.as_deref().is_some_and(is_unused);
        if let (true, FunctionKind::Local(body)) = (traps, &mut function.kind) {
            let entry = body.entry_block();
            let trap = (Instr::from(Unreachable {}), Default::default());
            body.block_mut(entry).instrs = vec![trap];
        }
    }
    passes::gc::run(&mut module);
    Ok(module.emit_wasm())
}

/// Whether a function of the SDK does what the filter does not need: a method of contexts that calls the
/// host, or the creation of other contexts than those of HTTP.
fn is_unused(function: &str) -> bool {
    if function.contains(TCP) {
        return true;
    }
    let methods = TRAITS.iter().filter_map(|name| function.split_once(name));
    methods.map(|(_, rest)| rest).any(|rest| {
        // The length of the method's name precedes it.
        let method = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        method.len() < rest.len() && !CALLBACKS.iter().any(|prefix| method.starts_with(prefix))
    })
}

/// The name of every export, sorted. `None` if the module is not valid.
pub fn exported_names(module: &[u8]) -> Option<Vec<String>> {
    let Some(section) = sections::content(module, EXPORT)? else {
        return Some(Vec::new());
    };
    let (count, mut at) = sections::leb128(section, 0)?;
    let mut names = Vec::new();
    for _ in 0..count {
        let (name, kind) = text(section, at)?;
        (_, at) = sections::leb128(section, kind + 1)?;
        names.push(name.to_owned());
    }
    names.sort();
    Some(names)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn exports_of_every_kind_are_listed() {
        let section = b"\x07\x0f\x03\x02bc\x02\x00\x01a\x00\x81\x01\x01d\x00\x05";
        let module = [b"\0asm\x01\0\0\0", &section[..]].concat();
        assert_eq!(exported_names(&module).unwrap(), ["a", "bc", "d"]);
        assert_eq!(exported_names(b"\0asm\x01\0\0\0"), Some(Vec::new()));
        assert_eq!(exported_names(&module[..module.len() - 1]), None);
    }

    #[test]
    fn only_calls_of_the_host_are_unused() {
        for (name, expected) in [
            ("_ZN10proxy_wasm6traits7Context12get_property17h0E", true),
            (
                "_RNvYNtNtCs1_6filter4root4RootNtNtCs2_10proxy_wasm6traits7Context4doneB5_",
                true,
            ),
            (
                "_ZN10proxy_wasm6traits11HttpContext24get_http_request_headers17h0E",
                true,
            ),
            (
                "_ZN10proxy_wasm10dispatcher10Dispatcher21create_stream_context17h0E",
                true,
            ),
            ("_ZN10proxy_wasm6traits7Context7on_done17h0E", false),
            ("_ZN10proxy_wasm6traits11RootContext8get_type17h0E", false),
            ("_ZN10proxy_wasm9hostcalls12get_property17h0E", false),
            ("proxy_on_tick", false),
        ] {
            assert_eq!(is_unused(name), expected, "{name}");
        }
    }

    #[test]
    fn unused_exports_and_calls_are_removed() {
        let wat = r#"(module
            (import "env" "proxy_done" (func $done (result i32)))
            (import "env" "proxy_log" (func $log (result i32)))
            (table 1 funcref) (elem (i32.const 0) $_ZN10proxy_wasm6traits7Context4done17h0E)
            (func $_ZN10proxy_wasm6traits7Context4done17h0E (result i32) call $done)
            (func (export "proxy_on_tick") (result i32)
                i32.const 0 call_indirect (result i32) drop call $log)
            (func (export "proxy_on_done") (result i32) call $done))"#;
        let mut module = Module::from_buffer(&wat::parse_str(wat).unwrap()).unwrap();
        let module = without_unused(&module.emit_wasm()).unwrap();
        assert_eq!(exported_names(&module).unwrap(), ["proxy_on_tick"]);
        let imports = super::super::imported_functions(&module).unwrap();
        assert_eq!(imports, ["env.proxy_log"]);
    }
}
