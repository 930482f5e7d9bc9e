//! Parts of a response of `/clusters` in the text format.

use super::lines::{Figure, begins, prefix, split};

/// The length of the start of a response that ends where a host ends, so that it can be read before
/// the rest has arrived; 0 if no host ends in it.
#[must_use]
pub fn whole_hosts(text: &str) -> usize {
    let line_end = |text: &str| {
        let end = text.bytes().rposition(|byte| byte == b'\n');
        end.map_or(0, |end| end + 1)
    };
    let end = line_end(text);
    let mut lines = text.get(..end).unwrap_or_default();
    let mut last = None;
    loop {
        let line = lines
            .get(..lines.len().saturating_sub(1))
            .unwrap_or_default();
        let start = line_end(line);
        let line = line.get(start..).unwrap_or_default();
        match last {
            // The last line may belong to a host with more lines.
            None => match split(line, None) {
                Some((_, Figure::OfHost { address, .. })) => last = Some(prefix(line, address)),
                Some((_, Figure::OfCluster)) => return lines.len(),
                None => {}
            },
            Some(prefix) if begins(line, prefix) => {}
            Some(_) => return lines.len(),
        }
        if start == 0 {
            return 0;
        }
        lines = lines.get(..start).unwrap_or_default();
    }
}
