//! The functions that a module imports.

use super::sections::{self, IMPORT, text};

/// The kind of an imported function.
const FUNCTION: u8 = 0;

/// `module.name` of every imported function, sorted. `None` if the module is not valid, or imports
/// something other than functions.
pub fn imported_functions(module: &[u8]) -> Option<Vec<String>> {
    let Some(section) = sections::content(module, IMPORT)? else {
        return Some(Vec::new());
    };
    let (count, mut at) = sections::leb128(section, 0)?;
    let mut names = Vec::new();
    for _ in 0..count {
        let (host, after) = text(section, at)?;
        let (name, after) = text(section, after)?;
        if *section.get(after)? != FUNCTION {
            return None;
        }
        (_, at) = sections::leb128(section, after + 1)?;
        names.push(format!("{host}.{name}"));
    }
    names.sort();
    Some(names)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const HEADER: &[u8] = b"\0asm\x01\0\0\0";

    #[test]
    fn imported_functions_are_listed() {
        let section = b"\x02\x12\x02\x03env\x01b\x00\x01\x03env\x01a\x00\x80\x01";
        let module = [HEADER, section].concat();
        assert_eq!(imported_functions(&module).unwrap(), ["env.a", "env.b"]);
        assert_eq!(imported_functions(HEADER), Some(Vec::new()));
        assert_eq!(imported_functions(&module[..module.len() - 1]), None);
        assert_eq!(imported_functions(b"abc"), None);
    }

    #[test]
    fn other_imports_are_refused() {
        let memory = b"\x02\x0a\x01\x03env\x01m\x02\x00\x01";
        assert_eq!(imported_functions(&[HEADER, memory].concat()), None);
    }
}
