//! Another key in front, in steps that lose no session.

use spillgate_config::{Diagnostic, filter::KeySecret};

use super::{
    args::RotateArgs,
    keys::{fresh, listed},
};
use crate::{
    command::{Done, Finished},
    input::{Faults, name_of},
};

const ADDED: &str = "next: give this list to every gateway; once all have it, \
    `spillgate token rotate --promote` puts the new key in front";
const PROMOTED: &str = "next: give this list to every gateway; once the longest session from \
    before is over (affinity.max_life), `spillgate token rotate --keep 1` drops what is left";
const AT_ONCE: &str = "this is for a single gateway: with several, use --add, give the list to \
    all of them, then --promote";
const DROPPED: &str = "tokens of the keys that are left out are lost from now on";

/// Prints the list as it is to be next, and what to do with it.
pub(super) fn run(args: &RotateArgs) -> Finished {
    let mut keys = args.keys.read()?.secrets;
    let mut next = Vec::new();
    if args.add {
        keys.push(fresh(free_id(&keys, args)?)?);
        next.push(ADDED);
    } else if args.promote {
        if keys.len() < 2 {
            let what = "there is no key to put in front";
            let fault = Diagnostic::error("token/one-key", what);
            let fault = fault.found("one key").expected("a list from rotate --add");
            return Err(Faults::one(&name_of(&args.keys.keys), &fault));
        }
        keys.rotate_right(1);
        next.push(PROMOTED);
    } else if args.keep.is_none() {
        keys.insert(0, fresh(free_id(&keys, args)?)?);
        next.push(AT_ONCE);
    }
    if let Some(keep) = args.keep
        && usize::from(keep) < keys.len()
    {
        keys.truncate(keep.into());
        next.push(DROPPED);
    }
    Ok(Done {
        output: listed(&keys, args.format),
        warnings: next.into_iter().map(str::to_owned).collect(),
        ..Done::default()
    })
}

/// The next number that no key has.
fn free_id(keys: &[KeySecret], args: &RotateArgs) -> Result<u8, Faults> {
    let highest = keys.iter().map(|key| key.id).max().unwrap_or_default();
    let mut ids = (1..=u8::MAX).map(|step| highest.wrapping_add(step));
    let free = ids.find(|id| keys.iter().all(|key| key.id != *id));
    free.ok_or_else(|| {
        let fault = Diagnostic::error("token/ids", "every number has a key");
        let fault = fault.expected("fewer than 256 keys: see --keep");
        Faults::one(&name_of(&args.keys.keys), &fault)
    })
}
