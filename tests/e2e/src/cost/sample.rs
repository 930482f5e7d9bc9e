//! One sample: a number of requests over kept connections, and their CPU time in Envoy.

use std::io::{BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};

use spillgate_testkit::{connect, read};

/// Active requests, each on its own connection.
const CONNECTIONS: usize = 8;

/// The kept connections to one listener.
pub(super) struct Driver {
    connections: Vec<BufReader<TcpStream>>,
}

impl Driver {
    pub(super) fn connect(to: SocketAddr) -> Result<Self> {
        let connect = |_| Ok(BufReader::new(connect(to)?));
        Ok(Self {
            connections: (0..CONNECTIONS).map(connect).collect::<Result<_>>()?,
        })
    }

    /// Sends that many requests, taken from `requests` in turn; every answer must be 200.
    pub(super) fn drive(&mut self, requests: &[Vec<u8>], count: usize) -> Result<()> {
        let mut next = requests.iter().cycle();
        let mut sent = 0;
        let mut send = |connection: &mut BufReader<TcpStream>| -> Result<()> {
            if sent < count {
                let request = next.next().context("no requests")?;
                connection.get_mut().write_all(request)?;
                sent += 1;
            }
            Ok(())
        };
        for connection in &mut self.connections {
            send(connection)?;
        }
        for received in 0..count {
            let connection = &mut self.connections[received % CONNECTIONS];
            let response = read(connection)?;
            ensure!(
                response.status == 200,
                "{} {}",
                response.status,
                response.text()
            );
            send(connection)?;
        }
        Ok(())
    }
}

/// Nanoseconds that all threads of a process ran so far.
pub(crate) fn cpu_time(process: u32) -> Result<u64> {
    let threads = PathBuf::from(format!("/proc/{process}/task"));
    let mut sum = 0;
    let list = threads
        .read_dir()
        .with_context(|| format!("{} lists no threads", threads.display()))?;
    for thread in list {
        let file = thread?.path().join("schedstat");
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            // It has ended since it was listed.
            Err(_) if !file.exists() => continue,
            Err(error) => bail!("{}: {error}", file.display()),
        };
        let ran: Option<u64> = text
            .split_whitespace()
            .next()
            .and_then(|ran| ran.parse().ok());
        sum += ran.with_context(|| format!("not a schedstat: `{text}`"))?;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_takes_time() -> Result<()> {
        let own = std::process::id();
        let before = cpu_time(own)?;
        // The accounting of a thread is brought up to date now and then: run until it shows.
        let mut rounds = 0_u64;
        while cpu_time(own)? < before + 1_000_000 {
            rounds += 1;
        }
        ensure!(rounds > 0);
        Ok(())
    }
}
