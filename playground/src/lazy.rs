//! Parts of the playground whose code is loaded on first use.
//!
//! A group of parts is a module of its own, which the build splits off the playground's. The playground in a single file
//! has no groups: its code is complete.

use std::{future::Future, pin::Pin};

/// The code of a part did not load. The browser's console has the reason. A later attempt starts again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotLoaded;

#[cfg(feature = "split")]
impl From<wasm_split_helpers::SplitLoaderError> for NotLoaded {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

/// What loads, or has loaded.
pub(crate) type Loading<T> = Pin<Box<dyn Future<Output = Result<T, NotLoaded>>>>;

/// `fn LOAD as PART in GROUP -> TYPE { VALUE }` declares a function that loads a group and returns a value.
/// Only code that nothing else reaches is in the group: a value is a function, or has functions.
macro_rules! lazy {
    ($(#[$doc:meta])* $vis:vis fn $load:ident as $part:ident in $group:ident -> $type:ty { $value:expr }) => {
        #[cfg_attr(feature = "split", wasm_split_helpers::wasm_split($group, fallible))]
        fn $part() -> Result<$type, $crate::lazy::NotLoaded> {
            Ok($value)
        }

        $(#[$doc])*
        $vis fn $load() -> $crate::lazy::Loading<$type> {
            #[cfg(feature = "split")]
            let loading = $part();
            #[cfg(not(feature = "split"))]
            let loading = std::future::ready($part());
            Box::pin(loading)
        }
    };
}
pub(crate) use lazy;
