//! The path of a request after normalization.

use alloc::vec::Vec;

use super::{ChangedHeaders, ConnectionManager, Headers};
use crate::route::matcher::without_query;

/// What happens to a path with an escaped slash or backslash (`PathWithEscapedSlashesAction`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EscapedSlashes {
    /// It stays (`KEEP_UNCHANGED`).
    #[default]
    Keep,
    /// The request gets status 400 (`REJECT_REQUEST`).
    Reject,
    /// The client is redirected to the path without escapes (`UNESCAPE_AND_REDIRECT`).
    UnescapeAndRedirect,
    /// The escapes are replaced (`UNESCAPE_AND_FORWARD`).
    UnescapeAndForward,
}

/// What happens to a path with a fragment, which starts with `#`
/// (`envoy.reloadable_features.http_reject_path_with_fragment`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PathFragments {
    /// The request gets status 400.
    #[default]
    Reject,
    /// The fragment is removed.
    Remove,
}

/// The status of a request whose path Envoy refuses.
const BAD_REQUEST: u16 = 400;
/// The status of a redirect to the path without escapes.
const REDIRECT: u16 = 307;

impl ConnectionManager {
    /// Whether a request with this path is refused because the path has a fragment.
    #[must_use]
    pub fn refuses_fragment(&self, path: &[u8]) -> bool {
        self.fragments == PathFragments::Reject && path.starts_with(b"/") && path.contains(&b'#')
    }

    /// Changes the path; the status of the response if the request ends here.
    pub(super) fn change_path<H: Headers>(
        &self,
        headers: &mut ChangedHeaders<'_, H>,
    ) -> Option<u16> {
        let sent = headers
            .first(":path")
            .filter(|path| path.starts_with(b"/"))?;
        let fragment = sent.iter().position(|&byte| byte == b'#');
        let sent = match (fragment, self.fragments) {
            (Some(_), PathFragments::Reject) => return Some(BAD_REQUEST),
            (Some(at), PathFragments::Remove) => sent.get(..at)?,
            (None, _) => sent,
        };
        let end = without_query(sent).len();
        let (path, rest) = sent.split_at_checked(end)?;
        let mut new = path.to_vec();
        let unescaped = unescape_slashes(path);
        match self.escaped_slashes {
            EscapedSlashes::Keep => {}
            _ if unescaped == path => {}
            EscapedSlashes::Reject => return Some(BAD_REQUEST),
            EscapedSlashes::UnescapeAndRedirect => return Some(REDIRECT),
            EscapedSlashes::UnescapeAndForward => new = unescaped,
        }
        if self.normalize_path {
            match normalized(&new) {
                Some(path) => new = path,
                None => return Some(BAD_REQUEST),
            }
        }
        if self.merge_slashes {
            // Envoy keeps two slashes of a path that has nothing else.
            let nothing_else = new.len() > 1 && new.iter().all(|byte| *byte == b'/');
            new.dedup_by(|next, before| *next == b'/' && *before == b'/');
            if nothing_else {
                new.push(b'/');
            }
        }
        if new != path || fragment.is_some() {
            new.extend_from_slice(rest);
            headers.set(":path", new);
        }
        None
    }
}

/// The path with `/` and `\` for their escapes.
fn unescape_slashes(path: &[u8]) -> Vec<u8> {
    unescape(path, |byte| matches!(byte, b'/' | b'\\'))
}

/// The path with those bytes instead of their escapes that `unescapes`.
fn unescape(path: &[u8], unescapes: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut new = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((&first, after)) = rest.split_first() {
        match escaped(rest).filter(|&byte| unescapes(byte)) {
            Some(byte) => {
                new.push(byte);
                rest = rest.get(3..).unwrap_or_default();
            }
            None => {
                new.push(first);
                rest = after;
            }
        }
    }
    new
}

/// The byte of the escape at the start of a text.
fn escaped(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else {
        return None;
    };
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let value = digit(*high)?.checked_mul(16)?.checked_add(digit(*low)?)?;
    u8::try_from(value).ok()
}

/// The path without dot segments, with `/` for `\`, letters, digits, `-`, `.`, `_` and `~`
/// without escapes, and other bytes that a path must not have escaped. `None` for `%00`, which
/// Envoy refuses.
fn normalized(path: &[u8]) -> Option<Vec<u8>> {
    const HEXADECIMAL: &[u8; 16] = b"0123456789ABCDEF";
    if (0..path.len()).any(|at| path.get(at..).and_then(escaped) == Some(0)) {
        return None;
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let mut segments: Vec<Vec<u8>> = Vec::new();
    let mut parts = path
        .split(|byte| matches!(byte, b'/' | b'\\'))
        .skip(1)
        .peekable();
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        // Dots count as dot segments if they are escaped, too.
        let dots = unescape(part, |byte| byte == b'.');
        match dots.as_slice() {
            b"." => {}
            b".." => {
                segments.pop();
            }
            // A dot segment with path parameters is one, too.
            [b'.', b'.', b';', ..] => {
                segments.pop();
            }
            _ => {
                segments.push(unescape(part, is_plain));
                continue;
            }
        }
        if is_last {
            segments.push(Vec::new());
        }
    }
    let mut new = Vec::with_capacity(path.len());
    for segment in segments {
        new.push(b'/');
        for byte in segment {
            if byte <= b' ' || byte >= 0x7f || b"\"<>^`{|}".contains(&byte) {
                let digit = |half: u8| HEXADECIMAL.get(usize::from(half)).copied();
                new.push(b'%');
                new.extend(digit(byte >> 4));
                new.extend(digit(byte & 15));
            } else {
                new.push(byte);
            }
        }
    }
    Some(new)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::route::HeaderList;

    fn changed(manager: &ConnectionManager, path: &str) -> Result<String, u16> {
        let sent = [(":path", path)];
        let sent = HeaderList(&sent);
        let mut headers = ChangedHeaders::new(&sent);
        match manager.change_path(&mut headers) {
            Some(status) => Err(status),
            None => {
                let path = headers.first(":path").unwrap();
                Ok(String::from_utf8(path.to_vec()).unwrap())
            }
        }
    }

    /// Paths that Envoy 1.40 forwarded.
    #[test]
    fn normalized_paths_are_those_of_envoy() {
        let manager = ConnectionManager {
            normalize_path: true,
            ..ConnectionManager::default()
        };
        for (sent, expected) in [
            ("/a/./b/../c", "/a/c"),
            ("/a//b", "/a//b"),
            ("/a%2Fb", "/a%2Fb"),
            ("/a%5cb", "/a%5cb"),
            ("/a\\b", "/a/b"),
            ("/%41%7e%2e%2e/x", "/A~../x"),
            ("/a/%2e%2e/b", "/b"),
            ("/a|b^c{}`\"<>", "/a%7Cb%5Ec%7B%7D%60%22%3C%3E"),
            ("/%zz/%e4%f6", "/%zz/%e4%f6"),
            ("/a;b=c/d", "/a;b=c/d"),
            ("/a?x=//y&z=/../", "/a?x=//y&z=/../"),
            ("//a/b", "//a/b"),
            ("/..", "/"),
            ("/a/b/..", "/a/"),
            ("/a/b/.", "/a/b/"),
            ("/a/...", "/a/..."),
            ("/.a/..b", "/.a/..b"),
            ("/A%2d%5F%3a%3F%23", "/A-_%3a%3F%23"),
            ("/a/b/../../../c", "/c"),
            ("/%2E/x", "/x"),
            ("/a/%2e", "/a/"),
            ("/x%2f%2Fy//z", "/x%2f%2Fy//z"),
            ("/x%5C..%2fy", "/x%5C..%2fy"),
        ] {
            assert_eq!(changed(&manager, sent).as_deref(), Ok(expected), "{sent}");
        }
        assert_eq!(changed(&manager, "/a%00b"), Err(400));
    }

    #[test]
    fn slashes_are_merged_and_unescaped() {
        let with = |escaped_slashes, normalize_path, merge_slashes| ConnectionManager {
            escaped_slashes,
            normalize_path,
            merge_slashes,
            ..ConnectionManager::default()
        };
        use EscapedSlashes::*;
        for (manager, sent, expected) in [
            (with(Keep, false, true), "//a/b//c?d=//", Ok("/a/b/c?d=//")),
            (with(Keep, true, true), "/x%2f%2Fy//z", Ok("/x%2f%2Fy/z")),
            // Envoy 1.40.0 keeps two slashes of a path without anything else.
            (with(Keep, true, true), "/a/..//", Ok("//")),
            (with(Keep, false, true), "////", Ok("//")),
            (with(Reject, false, false), "/a%2Fb", Err(400)),
            (with(Reject, false, false), "/a?b=%2f", Ok("/a?b=%2f")),
            (with(UnescapeAndRedirect, true, true), "/a%5cb", Err(307)),
            (
                with(UnescapeAndRedirect, false, false),
                "/a/./b",
                Ok("/a/./b"),
            ),
            (
                with(UnescapeAndForward, false, false),
                "/a%5cb",
                Ok("/a\\b"),
            ),
            (
                with(UnescapeAndForward, false, false),
                "/x%2f%2Fy//z",
                Ok("/x//y//z"),
            ),
            (
                with(UnescapeAndForward, true, true),
                "/x%5C..%2fy",
                Ok("/y"),
            ),
        ] {
            let found = changed(&manager, sent);
            let found = found.as_deref().map_err(|status| *status);
            assert_eq!(found, expected, "{manager:?} {sent}");
        }
    }
}
