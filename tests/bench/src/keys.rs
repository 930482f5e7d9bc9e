//! Request keys: the same ones, in the same order, for us and for the peers.

/// Eight bytes that differ from request to request.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    next: u64,
}

impl Keys {
    /// The next key.
    pub fn key(&mut self) -> [u8; 8] {
        // An odd step meets every number once and leaves no byte the same for long.
        self.next = self.next.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.next.to_le_bytes()
    }
}
