//! The arguments of `spillgate token`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    pub(crate) command: TokenCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Print a list of one fresh key, for `affinity.keys`.
    #[command(after_long_help = "Examples:\n  \
        spillgate token keygen > keys.yaml\n  \
        spillgate token keygen --id 7 --format json")]
    Keygen(KeygenArgs),
    /// Print a list of keys with another one in front, which seals from then on.
    ///
    /// Several gateways learn of a key one after the other, and a token of a key that a gateway
    /// does not know is a session lost. So there are two steps: `--add` a key that only opens, and
    /// once every gateway has it, `--promote` it.
    #[command(after_long_help = "Examples:\n  \
        spillgate token rotate --keys keys.yaml --add > with-new.yaml\n  \
        spillgate token rotate --keys two-keys.yaml --promote > promoted.yaml\n  \
        spillgate token rotate --keys two-keys.yaml --keep 1\n  \
        spillgate token rotate --keys keys.yaml")]
    Rotate(RotateArgs),
    /// Print a token for a session on a host.
    #[command(after_long_help = "Examples:\n  \
        spillgate token mint --keys keys.yaml --scope shop.example --cluster shop --host 10.0.0.1:80\n  \
        spillgate token keygen | \
        spillgate token mint --keys - --scope shop.example --cluster shop --host 10.0.0.1:80")]
    Mint(MintArgs),
    /// Print what a token says; the exit status is 1 if it is not good.
    #[command(after_long_help = "Examples:\n  \
        spillgate token mint --keys keys.yaml --scope shop.example --cluster shop --host 10.0.0.1:80 | \
        spillgate token inspect - --keys keys.yaml --scope shop.example --config envoy.yaml")]
    Inspect(InspectArgs),
}

#[derive(Debug, Args)]
pub(crate) struct KeygenArgs {
    /// The number of the key, which tokens carry openly.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) id: u8,
    /// How the list is written.
    #[arg(long, value_enum, default_value_t = KeyFormat::Yaml)]
    pub(crate) format: KeyFormat,
}

/// How keys are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyFormat {
    /// A key a line.
    Yaml,
    /// An array.
    Json,
}

/// Where keys are.
#[derive(Debug, Args)]
pub(crate) struct KeysArgs {
    /// The keys, or `-`: a list of them, or a configuration of the filter with `affinity.keys`.
    #[arg(long, value_name = "FILE")]
    pub(crate) keys: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct RotateArgs {
    #[command(flatten)]
    pub(crate) keys: KeysArgs,
    /// Put a fresh key at the end: it opens and does not seal yet.
    #[arg(long, conflicts_with = "promote")]
    pub(crate) add: bool,
    /// Put the last key in front: it seals from now on.
    #[arg(long)]
    pub(crate) promote: bool,
    /// How many keys are kept, counted from the front; sessions that only others open are lost.
    /// Alone, nothing else changes.
    #[arg(long, value_name = "N", conflicts_with = "add", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) keep: Option<u16>,
    /// How the list is written.
    #[arg(long, value_enum, default_value_t = KeyFormat::Yaml)]
    pub(crate) format: KeyFormat,
}

#[derive(Debug, Args)]
pub(crate) struct MintArgs {
    #[command(flatten)]
    pub(crate) keys: KeysArgs,
    /// Where it may be used: the authority of requests, or the configured `affinity.scope`.
    #[arg(long, value_name = "NAME")]
    pub(crate) scope: String,
    /// The cluster of the host.
    #[arg(long, value_name = "NAME")]
    pub(crate) cluster: String,
    /// The host, as the configuration has it.
    #[arg(long, value_name = "IP:PORT")]
    pub(crate) host: String,
    /// The session: up to 16 hexadecimal digits; by default drawn at random.
    #[arg(long, value_name = "HEX", value_parser = hexadecimal)]
    pub(crate) session: Option<u64>,
    /// How long it is good, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 3_600, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) ttl: u64,
    /// Its generation, as in `affinity.epoch`.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) epoch: u16,
    /// The time in seconds since the Unix epoch; by default the present.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) now: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// The token, or `-`.
    #[arg(value_name = "TOKEN", allow_hyphen_values = true)]
    pub(crate) token: String,
    #[command(flatten)]
    pub(crate) keys: KeysArgs,
    /// Where it is used: the authority of requests, or the configured `affinity.scope`. Without it
    /// the token may be for any.
    #[arg(long, value_name = "NAME")]
    pub(crate) scope: Option<String>,
    /// An Envoy configuration, to find the host in.
    #[arg(long, value_name = "CONFIG")]
    pub(crate) config: Option<PathBuf>,
    /// How long a session may live, in seconds, as in `affinity.max_life`.
    #[arg(long, value_name = "SECONDS", default_value_t = 86_400)]
    pub(crate) max_life: u64,
    /// The oldest generation that is good, as in `affinity.epoch`.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) epoch: u16,
    /// The time in seconds since the Unix epoch; by default the present.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) now: Option<u64>,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = InspectFormat::Text)]
    pub(crate) format: InspectFormat,
}

/// How what a token says is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InspectFormat {
    /// A line each.
    Text,
    /// An object (docs/schemas/token-inspect.schema.json).
    Json,
}

fn hexadecimal(text: &str) -> Result<u64, String> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u64::from_str_radix(text, 16);
    number
        .ok()
        .filter(|_| is_digits)
        .ok_or_else(|| "not 1 to 16 hexadecimal digits".to_owned())
}
