//! The arguments of `spillgate token`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// The options of `spillgate token`.
#[derive(Debug, Args)]
pub(crate) struct TokenArgs {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: TokenCommand,
}

/// The commands of `spillgate token`.
#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Print a key list with one new key, for affinity.keys.
    #[command(after_help = "Examples:\n  \
        spillgate token keygen > keys.yaml\n  \
        spillgate token keygen --id 7 --format json")]
    Keygen(KeygenArgs),
    /// Print the next key list of a key rotation.
    #[command(
        after_help = "The first key seals new tokens; all keys open them. With several \
        gateways, --add a key first. When\nall gateways have it, --promote it. When the tokens of the \
        old key have expired (cookie.ttl;\naffinity.max_life if ttl is 0s, or for a header or envelope), \
        drop it with --keep 1. Without an\noption, a new first key is added at once, which is safe for a \
        single gateway only.\n\n\
        Examples:\n  \
        spillgate token rotate --keys keys.yaml --add > with-new.yaml\n  \
        spillgate token rotate --keys two-keys.yaml --promote > promoted.yaml"
    )]
    Rotate(RotateArgs),
    /// Print a session token for a host.
    #[command(after_help = "Examples:\n  \
        spillgate token mint --keys keys.yaml --scope shop.example --cluster shop --host 10.0.0.1:80\n  \
        spillgate token mint --keys keys.yaml --scope s --cluster shop --host 10.0.0.1:80 --ttl 60")]
    Mint(MintArgs),
    /// Print the contents of a session token and check it.
    #[command(after_help = "Exit status 1: the token is not valid.\n\n\
        Examples:\n  \
        spillgate token inspect TOKEN --keys keys.yaml\n  \
        spillgate token inspect - --keys keys.yaml --scope shop.example --config envoy.yaml < token.txt")]
    Inspect(InspectArgs),
}

/// The options of `spillgate token keygen`.
#[derive(Debug, Args)]
pub(crate) struct KeygenArgs {
    /// Key id, 0 to 255. Tokens carry it unencrypted.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) id: u8,
    /// Output format: yaml, json.
    #[arg(long, value_enum, default_value_t = KeyFormat::Yaml, hide_possible_values = true)]
    pub(crate) format: KeyFormat,
}

/// The output format of a key list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyFormat {
    /// One key per line.
    Yaml,
    /// A JSON array.
    Json,
}

/// The option that names the keys.
#[derive(Debug, Args)]
pub(crate) struct KeysArgs {
    /// Keys: a key list or a filter configuration with affinity.keys or keys_from_env, or `-`.
    #[arg(long, value_name = "FILE")]
    pub(crate) keys: PathBuf,
}

/// The options of `spillgate token rotate`.
#[derive(Debug, Args)]
pub(crate) struct RotateArgs {
    #[command(flatten)]
    pub(crate) keys: KeysArgs,
    /// Add a new last key, which only opens tokens.
    #[arg(long, conflicts_with = "promote")]
    pub(crate) add: bool,
    /// Move the last key to the front, so that it seals new tokens.
    #[arg(long)]
    pub(crate) promote: bool,
    /// Keep only the first N keys; tokens of the other keys become invalid.
    #[arg(long, value_name = "N", conflicts_with = "add", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) keep: Option<u16>,
    /// Output format: yaml, json.
    #[arg(long, value_enum, default_value_t = KeyFormat::Yaml, hide_possible_values = true)]
    pub(crate) format: KeyFormat,
}

/// The options of `spillgate token mint`.
#[derive(Debug, Args)]
pub(crate) struct MintArgs {
    #[command(flatten)]
    pub(crate) keys: KeysArgs,
    /// Token scope: the authority of the requests, or affinity.scope.
    #[arg(long, value_name = "NAME")]
    pub(crate) scope: String,
    /// Cluster of the host.
    #[arg(long, value_name = "NAME")]
    pub(crate) cluster: String,
    /// Address of the host, as in the configuration.
    #[arg(long, value_name = "IP:PORT")]
    pub(crate) host: String,
    /// Session id, 1 to 16 hexadecimal digits [default: random].
    #[arg(long, value_name = "HEX", value_parser = hexadecimal)]
    pub(crate) session: Option<u64>,
    /// Lifetime in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 3_600, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) ttl: u64,
    /// Epoch of the token (affinity.epoch).
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) epoch: u16,
    /// Time in seconds since 1970 [default: now].
    #[arg(long, value_name = "SECONDS")]
    pub(crate) now: Option<u64>,
}

/// The options of `spillgate token inspect`.
#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// Token, or `-` for standard input.
    #[arg(value_name = "TOKEN", allow_hyphen_values = true)]
    pub(crate) token: String,
    #[command(flatten)]
    pub(crate) keys: KeysArgs,
    /// Expected token scope: the authority of the requests, or affinity.scope [default: any].
    #[arg(long, value_name = "NAME")]
    pub(crate) scope: Option<String>,
    /// Envoy configuration with the host, to show its address.
    #[arg(long, value_name = "CONFIG")]
    pub(crate) config: Option<PathBuf>,
    /// Maximum session age in seconds (affinity.max_life).
    #[arg(long, value_name = "SECONDS", default_value_t = 86_400)]
    pub(crate) max_life: u64,
    /// Oldest valid epoch (affinity.epoch).
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) epoch: u16,
    /// Time in seconds since 1970 [default: now].
    #[arg(long, value_name = "SECONDS")]
    pub(crate) now: Option<u64>,
    /// Output format: text, json.
    #[arg(long, value_enum, default_value_t = InspectFormat::Text, hide_possible_values = true)]
    pub(crate) format: InspectFormat,
}

/// The output format of the contents of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InspectFormat {
    /// One field per line.
    Text,
    /// A JSON object (docs/schemas/token-inspect.schema.json).
    Json,
}

fn hexadecimal(text: &str) -> Result<u64, String> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u64::from_str_radix(text, 16);
    number
        .ok()
        .filter(|_| is_digits)
        .ok_or_else(|| "expected 1 to 16 hexadecimal digits".to_owned())
}
