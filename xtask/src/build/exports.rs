//! Takes exports out of a module: callbacks that the SDK offers to the host for every filter.
//!
//! The host calls what is exported, also where our side does nothing, and each call into the module
//! costs the request half a microsecond. What nobody can call any more, wasm-opt takes out too.

use super::sections::leb128;

/// The id of the section of exports.
const EXPORTS: u8 = 7;
/// Magic number and version.
const HEADER: usize = 8;

/// Callbacks of the SDK in which our filter does nothing. Without them the host goes on at once.
pub const IDLE_CALLBACKS: [&str; 16] = [
    "proxy_on_done",
    "proxy_on_downstream_connection_close",
    "proxy_on_downstream_data",
    "proxy_on_foreign_function",
    "proxy_on_grpc_close",
    "proxy_on_grpc_receive",
    "proxy_on_grpc_receive_initial_metadata",
    "proxy_on_grpc_receive_trailing_metadata",
    "proxy_on_new_connection",
    "proxy_on_queue_ready",
    "proxy_on_request_body",
    "proxy_on_request_trailers",
    "proxy_on_response_body",
    "proxy_on_response_trailers",
    "proxy_on_upstream_connection_close",
    "proxy_on_upstream_data",
];

/// `module` without the exports of those names; as it is when it cannot be read as a module.
pub fn without(module: &[u8], names: &[&str]) -> Vec<u8> {
    try_without(module, names).unwrap_or_else(|| module.to_vec())
}

fn try_without(module: &[u8], names: &[&str]) -> Option<Vec<u8>> {
    let mut kept = module.get(..HEADER)?.to_vec();
    let mut at = HEADER;
    while at < module.len() {
        let id = *module.get(at)?;
        let (size, content) = leb128(module, at + 1)?;
        let end = content.checked_add(size)?;
        if id == EXPORTS {
            let section = some_of(module.get(content..end)?, names)?;
            kept.push(EXPORTS);
            push_leb128(&mut kept, section.len());
            kept.extend(section);
        } else {
            kept.extend_from_slice(module.get(at..end)?);
        }
        at = end;
    }
    Some(kept)
}

/// A section of exports without some: a count, then name, kind and index of each.
fn some_of(section: &[u8], names: &[&str]) -> Option<Vec<u8>> {
    let (count, mut at) = leb128(section, 0)?;
    let (mut left, mut entries) = (0, Vec::new());
    for _ in 0..count {
        let (length, name_at) = leb128(section, at)?;
        let kind_at = name_at.checked_add(length)?;
        let name = section.get(name_at..kind_at)?;
        let (_, end) = leb128(section, kind_at + 1)?;
        if !names.iter().any(|gone| gone.as_bytes() == name) {
            left += 1;
            entries.extend_from_slice(section.get(at..end)?);
        }
        at = end;
    }
    let mut kept = Vec::new();
    push_leb128(&mut kept, left);
    kept.extend(entries);
    Some(kept)
}

fn push_leb128(bytes: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGIC: &[u8] = b"\0asm\x01\0\0\0";

    #[test]
    fn only_the_named_exports_go() {
        let code = b"\x0a\x02\x01\x00";
        let all = b"\x07\x0f\x03\x01a\x00\x81\x01\x02bc\x02\x00\x01d\x00\x05";
        let some = b"\x07\x0a\x02\x01a\x00\x81\x01\x01d\x00\x05";
        let module = [MAGIC, all, code].concat();
        assert_eq!(without(&module, &["bc", "x"]), [MAGIC, some, code].concat());
        assert_eq!(without(&module, &["b"]), module);
    }

    #[test]
    fn what_is_no_module_stays() {
        assert_eq!(without(b"abc", &["a"]), b"abc");
        let cut = [MAGIC, b"\x07\x0f\x03\x01a"].concat();
        assert_eq!(without(&cut, &["a"]), cut);
    }

    #[test]
    fn long_lengths_take_several_bytes() {
        let mut bytes = Vec::new();
        push_leb128(&mut bytes, 300);
        assert_eq!(leb128(&bytes, 0), Some((300, 2)));
    }
}
