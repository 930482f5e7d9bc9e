//! Which changes are tried: a part of all, or a random sample.

use std::str::FromStr;

use anyhow::{Context as _, Result, bail};
use sha2::{Digest as _, Sha256};

use super::list::Mutant;
use super::{MutantsOptions, MutantsShard};

/// The selected changes, in the order of the list.
pub fn selected(mut mutants: Vec<Mutant>, options: &MutantsOptions) -> Vec<Mutant> {
    if let Some(MutantsShard { index, count }) = options.shard {
        let mut at = 0;
        mutants.retain(|_| {
            at += 1;
            at % count == index % count
        });
    }
    if let Some(size) = options.sample.filter(|size| *size < mutants.len()) {
        let mut places: Vec<_> = mutants.iter().map(|it| rank(options.seed, it)).collect();
        places.sort_unstable();
        let bound = places.get(size).copied();
        mutants.retain(|it| bound.is_none_or(|bound| rank(options.seed, it) < bound));
    }
    mutants
}

/// The place of a change in the order of a seed. It depends on nothing else, so that a larger sample
/// contains a smaller one.
fn rank(seed: u64, mutant: &Mutant) -> [u8; 32] {
    Sha256::digest(format!("{seed}:{}", mutant.name)).into()
}

impl FromStr for MutantsShard {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let parts = text
            .split_once('/')
            .context("a shard is K/N, such as 1/8")?;
        let (index, count) = (parts.0.parse()?, parts.1.parse()?);
        if index == 0 || index > count {
            bail!("a shard K/N is from 1/N to N/N, not {text}");
        }
        Ok(Self { index, count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutants(count: usize) -> Vec<Mutant> {
        let mutant = |line| Mutant {
            name: format!("a.rs:{line}:1: delete !"),
            file: "a.rs".to_owned(),
            line,
            change: "delete !".to_owned(),
        };
        (1..=count).map(mutant).collect()
    }

    fn lines(mutants: &[Mutant]) -> Vec<usize> {
        mutants.iter().map(|mutant| mutant.line).collect()
    }

    #[test]
    fn shards_share_all_changes() -> Result<()> {
        let mut all = Vec::new();
        for shard in ["1/3", "2/3", "3/3"] {
            let options = MutantsOptions {
                shard: Some(shard.parse()?),
                ..MutantsOptions::default()
            };
            all.extend(lines(&selected(mutants(10), &options)));
        }
        assert_eq!(all, [1, 4, 7, 10, 2, 5, 8, 3, 6, 9]);
        for wrong in ["0/3", "4/3", "3", "a/b", "-1/2"] {
            assert!(wrong.parse::<MutantsShard>().is_err(), "{wrong}");
        }
        Ok(())
    }

    #[test]
    fn a_larger_sample_contains_a_smaller_one() {
        let sample = |size, seed| {
            let options = MutantsOptions {
                sample: Some(size),
                seed,
                ..MutantsOptions::default()
            };
            lines(&selected(mutants(100), &options))
        };
        let (small, large) = (sample(10, 1), sample(20, 1));
        assert_eq!((small.len(), large.len()), (10, 20));
        assert!(small.iter().all(|line| large.contains(line)));
        assert_ne!(small, sample(10, 2));
        assert_eq!(sample(1000, 1).len(), 100);
    }
}
