//! The machine that figures were measured on. Ratios to a peer depend on it.

use std::fs;
use std::thread;

/// The processor, the number of processors, and the load average of the last minute.
pub fn describe() -> String {
    let model = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let load = fs::read_to_string("/proc/loadavg").ok();
    let load = load.as_deref().and_then(|text| text.split(' ').next());
    format!(
        "{}, {} processors, load {}",
        model.as_deref().unwrap_or("unknown processor"),
        thread::available_parallelism().map_or(1, usize::from),
        load.unwrap_or("unknown")
    )
}
