//! The version of the GNU C library that a program needs.

/// The newest version among the symbol versions of a program, such as (2, 34).
pub(crate) fn newest_needed(program: &[u8]) -> Option<(u32, u32)> {
    const MARK: &[u8] = b"GLIBC_";
    let places = program.windows(MARK.len()).enumerate();
    let starts = places.filter(|(_, window)| *window == MARK);
    let versions = starts.filter_map(|(at, _)| {
        let text = program.get(at + MARK.len()..)?;
        let end = text.iter().position(|byte| *byte == 0)?;
        let text = std::str::from_utf8(text.get(..end)?).ok()?;
        let mut numbers = text.split('.').map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    });
    versions.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_counts_and_other_names_do_not() {
        let program = b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0GLIBC_PRIVATE\0GCC_3.0\0";
        assert_eq!(newest_needed(program), Some((2, 34)));
        assert_eq!(newest_needed(b"static"), None);
    }
}
