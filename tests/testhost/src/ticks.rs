//! When root contexts tick.

use std::collections::BTreeMap;

/// The tick periods of root contexts, on the fake clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ticks(BTreeMap<u32, Tick>);

#[derive(Clone, Copy, Debug)]
struct Tick {
    period_ms: u32,
    due_ns: u64,
}

impl Ticks {
    /// Period 0 stops the ticks of this context.
    pub(crate) fn set(&mut self, context: u32, period_ms: u32, now_ns: u64) {
        if period_ms == 0 {
            self.0.remove(&context);
        } else {
            let due_ns = now_ns + nanoseconds(period_ms);
            self.0.insert(context, Tick { period_ms, due_ns });
        }
    }

    pub(crate) fn forget(&mut self, context: u32) {
        self.0.remove(&context);
    }

    pub(crate) fn period_ms(&self, context: u32) -> Option<u32> {
        self.0.get(&context).map(|tick| tick.period_ms)
    }

    /// Takes the earliest tick that is due by `until_ns`: its time and its context.
    pub(crate) fn take_due(&mut self, until_ns: u64) -> Option<(u64, u32)> {
        let (context, tick) = self
            .0
            .iter_mut()
            .filter(|(_, tick)| tick.due_ns <= until_ns)
            .min_by_key(|(context, tick)| (tick.due_ns, **context))?;
        let due = tick.due_ns;
        tick.due_ns += nanoseconds(tick.period_ms);
        Some((due, *context))
    }
}

fn nanoseconds(milliseconds: u32) -> u64 {
    u64::from(milliseconds) * 1_000_000
}

#[cfg(test)]
mod tests {
    use super::Ticks;

    #[test]
    fn ticks_come_in_the_order_of_their_time() {
        let mut ticks = Ticks::default();
        ticks.set(1, 2, 0);
        ticks.set(2, 3, 0);
        let mut seen = Vec::new();
        while let Some((at, context)) = ticks.take_due(6_000_000) {
            seen.push((at / 1_000_000, context));
        }
        assert_eq!(seen, [(2, 1), (3, 2), (4, 1), (6, 1), (6, 2)]);
    }
}
