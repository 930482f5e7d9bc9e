//! `spillgate token rotate`: the next key list of a rotation that loses no session.

use spillgate_answers::input::{Faults, name_of};
use spillgate_config::{Diagnostic, filter::KeySecret};

use super::{
    args::RotateArgs,
    keys::{fresh, listed},
};
use crate::command::{Done, Finished};

const ADDED: &str = "next: deploy this list to every gateway, then run \
    `spillgate token rotate --keys FILE --promote`";
const PROMOTED: &str = "next: deploy this list to every gateway, wait until the tokens of the old key \
    have expired (cookie.ttl; affinity.max_life if ttl is 0s, or for a header or envelope), then run \
    `spillgate token rotate --keys FILE --keep 1`";
const AT_ONCE: &str = "this list is safe for a single gateway only; with several gateways, use \
    --add, deploy, then --promote";
const DROPPED: &str = "tokens of the removed keys are invalid from now on";

/// Prints the next key list, and the next step as a warning.
pub(super) fn run(args: &RotateArgs) -> Finished {
    let mut keys = args.keys.read()?.secrets;
    let mut next = Vec::new();
    if args.add {
        keys.push(fresh(free_id(&keys, args)?)?);
        next.push(ADDED);
    } else if args.promote {
        if keys.len() < 2 {
            let what = "--promote needs a second key";
            let fault = Diagnostic::error("token/one-key", what)
                .found("one key")
                .expected("a key list from rotate --add");
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
        closing: next.into_iter().map(str::to_owned).collect(),
        ..Done::default()
    })
}

/// The next free key id.
fn free_id(keys: &[KeySecret], args: &RotateArgs) -> Result<u8, Faults> {
    let highest = keys.iter().map(|key| key.id).max().unwrap_or_default();
    let mut ids = (1..=u8::MAX).map(|step| highest.wrapping_add(step));
    let free = ids.find(|id| keys.iter().all(|key| key.id != *id));
    free.ok_or_else(|| {
        let fault = Diagnostic::error("token/ids", "no free key id")
            .expected("at most 255 keys; remove keys with --keep");
        Faults::one(&name_of(&args.keys.keys), &fault)
    })
}
