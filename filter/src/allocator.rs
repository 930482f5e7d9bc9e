//! The allocator. A request allocates a few dozen times, which takes half of the instructions of the
//! standard library's allocator, and less code.

use rlsf::{GlobalTlsf, GlobalTlsfOptions};

#[global_allocator]
static ALLOCATOR: GlobalTlsf<SmallAllocator> = GlobalTlsf::new();

/// Allocations that grow are copied: an own way for them costs more than it saves.
#[derive(Debug)]
struct SmallAllocator;

impl GlobalTlsfOptions for SmallAllocator {
    const ENABLE_REALLOCATION: bool = false;
}
