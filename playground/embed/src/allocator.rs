//! The allocator. With the one of the standard library, this module would be two kilobytes larger.

use rlsf::{GlobalTlsf, GlobalTlsfOptions};

#[global_allocator]
static ALLOCATOR: GlobalTlsf<SmallAllocator> = GlobalTlsf::new();

/// Allocations that grow are copied: an own way for them costs more code than time.
#[derive(Debug)]
struct SmallAllocator;

impl GlobalTlsfOptions for SmallAllocator {
    const ENABLE_REALLOCATION: bool = false;
}
