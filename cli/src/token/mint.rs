//! `spillgate token mint`: seals a token for a session on a host.

use spillgate_core::{
    affinity::{Life, Token},
    model::Metadata,
};

use super::{args::MintArgs, keys::random};
use crate::{
    clock::present,
    command::{Done, Finished},
};

/// Prints a token, sealed with the first key.
pub(super) fn run(args: &MintArgs) -> Finished {
    let ring = args.keys.read()?.ring;
    let key = ring.first();
    let now = args.now.unwrap_or_else(present);
    let session = match args.session {
        Some(session) => session,
        None => u64::from_be_bytes(random()?),
    };
    let mut criteria = Vec::new();
    Metadata::EMPTY.canonical(&mut criteria);
    let life = Life {
        ttl: args.ttl,
        max: args.ttl,
    };
    let token = Token {
        session,
        host: key.host_id(&args.cluster, &args.host),
        cluster: key.cluster_id(&args.cluster),
        scope: key.scope_id(&args.scope),
        subset: key.subset_id(&criteria),
        issued: now,
        expires: life.expiry(now, now),
        epoch: args.epoch,
    };
    Ok(Done {
        output: ring.seal(&token).as_str().to_owned() + "\n",
        ..Done::default()
    })
}
