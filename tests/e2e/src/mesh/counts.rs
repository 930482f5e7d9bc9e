//! Counted requests, and whether they fit predicted shares.

use std::collections::BTreeMap;

use anyhow::Result;
use spillgate_conformance::chi_square::SIGNIFICANCE;

use super::{MeshFiles, MeshShares};
use crate::chi_square_p;

/// Whether counts with this probability fit.
#[must_use]
pub fn fits(probability: f64) -> bool {
    probability >= SIGNIFICANCE
}

/// Counted requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeshCounts {
    /// By the address of the host that answered.
    pub hosts: BTreeMap<String, u64>,
    /// Without a host.
    pub no_host: u64,
}

impl MeshCounts {
    /// All requests.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.hosts.values().sum::<u64>() + self.no_host
    }

    /// The probability of counts at least this far from the shares: the lower one of two tests.
    /// The first compares hosts. Hosts with the same share take turns, which hides deviations of
    /// random choices between them and others; the second compares their sums.
    ///
    /// # Errors
    /// If the shares do not add up to 100.
    pub fn probability(&self, shares: &MeshShares, files: &MeshFiles) -> Result<f64> {
        let hosts = self
            .cells(shares)
            .into_values()
            .chain([(self.no_host, shares.no_host)]);
        let groups = self
            .groups(shares, files)
            .into_iter()
            .map(|group| (group.count, group.share));
        let hosts = chi_square_p(&hosts.collect::<Vec<_>>())?;
        let groups = chi_square_p(&groups.collect::<Vec<_>>())?;
        Ok(hosts.min(groups))
    }

    /// Predicted and observed percentages, as text.
    #[must_use]
    pub fn comparison(&self, shares: &MeshShares, files: &MeshFiles) -> String {
        let all = self.requests().max(1) as f64;
        let groups = self.groups(shares, files).into_iter();
        let some = groups.filter(|group| group.share > 0.0 || group.count > 0);
        let texts = some.map(|group| {
            let observed = group.count as f64 * 100.0 / all;
            let hosts = match group.hosts {
                0 => String::new(),
                1 => " (1 host)".into(),
                number => format!(" ({number} hosts)"),
            };
            let (zone, share) = (group.zone, group.share);
            format!("{zone}{hosts} {share:.1} predicted, {observed:.1} observed")
        });
        texts.collect::<Vec<_>>().join("; ")
    }

    /// Count and share of each host.
    fn cells<'a>(&'a self, shares: &'a MeshShares) -> BTreeMap<&'a str, (u64, f64)> {
        let mut cells: BTreeMap<&str, (u64, f64)> = BTreeMap::new();
        for (host, share) in &shares.hosts {
            cells.entry(host).or_default().1 = *share;
        }
        for (host, count) in &self.hosts {
            cells.entry(host).or_default().0 = *count;
        }
        cells
    }

    /// The hosts of a zone with the same share, and the requests without a host.
    fn groups<'a>(&'a self, shares: &'a MeshShares, files: &'a MeshFiles) -> Vec<HostGroup<'a>> {
        let mut groups: Vec<HostGroup<'_>> = Vec::new();
        for (host, (count, share)) in self.cells(shares) {
            let zone = files.zone_of(host).unwrap_or("unknown zone");
            let mut known = groups.iter_mut();
            match known.find(|group| group.zone == zone && same(group.of_each, share)) {
                Some(group) => {
                    group.hosts += 1;
                    group.share += share;
                    group.count += count;
                }
                None => groups.push(HostGroup {
                    zone,
                    hosts: 1,
                    of_each: share,
                    share,
                    count,
                }),
            }
        }
        groups.push(HostGroup {
            zone: "no host",
            hosts: 0,
            of_each: 0.0,
            share: shares.no_host,
            count: self.no_host,
        });
        groups
    }
}

/// Whether two shares differ by no more than the rounding of their sums.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// Hosts of a zone with the same predicted share.
struct HostGroup<'a> {
    zone: &'a str,
    hosts: usize,
    of_each: f64,
    share: f64,
    count: u64,
}

#[cfg(test)]
mod tests {
    use anyhow::{Context as _, ensure};
    use spillgate_testkit::Port;

    use super::*;
    use crate::{Workdir, mesh::UseCase};

    /// Six hosts in three zones.
    fn files(workdir: &str) -> Result<MeshFiles> {
        let case = UseCase::named("any-zone").context("no such case")?;
        MeshFiles::new(&Workdir::new(workdir)?, &case, &Port::lease()?)
    }

    /// Predicted: 30 % for each host of the first zone, 10 % for each of the second, and 20 %
    /// without a host.
    fn probability(files: &MeshFiles, counts: [u64; 6], no_host: u64) -> Result<f64> {
        let hosts = || files.hosts().map(str::to_owned);
        let shares = MeshShares {
            hosts: hosts().zip([30.0, 30.0, 10.0, 10.0]).collect(),
            no_host: 20.0,
        };
        let hosts = hosts().zip(counts).filter(|(_, count)| *count > 0);
        let counts = MeshCounts {
            hosts: hosts.collect(),
            no_host,
        };
        counts.probability(&shares, files)
    }

    #[test]
    fn counts_near_the_shares_fit() -> Result<()> {
        let files = files("mesh_counts_near")?;
        let near = probability(&files, [920, 900, 295, 295, 0, 0], 590)?;
        ensure!(fits(near), "{near}");
        Ok(())
    }

    #[test]
    fn other_counts_do_not_fit() -> Result<()> {
        let files = files("mesh_counts_far")?;
        for (counts, no_host) in [
            // Too few hosts, no request without one, a host of a zone without a share.
            ([840, 840, 280, 280, 0, 0], 760),
            ([1125, 1125, 375, 375, 0, 0], 0),
            ([900, 899, 300, 300, 0, 1], 600),
            // Only the first host of a zone.
            ([1800, 0, 300, 300, 0, 0], 600),
        ] {
            let far = probability(&files, counts, no_host)?;
            ensure!(!fits(far), "{counts:?} and {no_host}: {far}");
        }
        Ok(())
    }

    #[test]
    fn turns_within_a_zone_do_not_hide_a_deviation() -> Result<()> {
        let files = files("mesh_counts_turns")?;
        // Five standard deviations between the zones, none within them.
        let shifted = probability(&files, [965, 965, 235, 235, 0, 0], 600)?;
        ensure!(!fits(shifted), "{shifted}");
        Ok(())
    }
}
