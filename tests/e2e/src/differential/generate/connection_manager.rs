//! The connection manager: client addresses, paths, host names, and requests that need them.

use serde_json::{Map, Value, json};

use super::super::scenario::{Asked, HOST_ENDS};
use super::maker::Maker;

/// The features about the address of the client.
pub(super) const FORWARDING: [&str; 4] = [
    "forwarded_for",
    "use_remote_address",
    "xff_trusted_hops",
    "client_address_extension",
];
/// The features about paths.
const PATHS: [&str; 3] = ["normalize_path", "merge_slashes", "escaped_slashes"];

/// The header with the address of the client, for the extension that reads it.
const CLIENT: &str = "x-client";

impl Maker<'_> {
    /// Further fields of the connection manager.
    pub(super) fn manager(&mut self) -> Map<String, Value> {
        let mut fields = Map::new();
        let mut set = |field: &str, value: Value| fields.insert(field.into(), value);
        if self.uses("use_remote_address", 40) {
            set("use_remote_address", json!(true));
            if self.dice.chance(30) {
                set("skip_xff_append", json!(true));
            }
        } else if self.uses("client_address_extension", 30) {
            set("original_ip_detection_extensions", self.detection());
        }
        let extension = self.used.contains("client_address_extension");
        if !extension && self.uses("xff_trusted_hops", 40) {
            set("xff_num_trusted_hops", self.dice.between(1, 2).into());
        }
        if self.uses("normalize_path", 45) {
            set("normalize_path", json!(true));
        }
        if self.uses("merge_slashes", 35) {
            set("merge_slashes", json!(true));
        }
        if self.uses("escaped_slashes", 35) {
            let actions = [
                "KEEP_UNCHANGED",
                "REJECT_REQUEST",
                "UNESCAPE_AND_REDIRECT",
                "UNESCAPE_AND_FORWARD",
            ];
            set(
                "path_with_escaped_slashes_action",
                self.dice.one(&actions).into(),
            );
        }
        if self.uses("strip_port", 40) {
            let fields = [
                "strip_any_host_port",
                "strip_matching_host_port",
                "strip_trailing_host_dot",
            ];
            set(self.dice.one(&fields), json!(true));
        }
        if self.uses("early_headers", 30) {
            let config = json!({
                "@type": "type.googleapis.com/envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation",
                "mutations": self.mutations(),
            });
            let extensions = json!([{"name": "early", "typed_config": config}]);
            set("early_header_mutation_extensions", extensions);
        }
        fields
    }

    /// Whether Envoy appends to `x-forwarded-for` an address of the machine, as it does for clients
    /// at loopback addresses.
    pub(super) fn appends_own_address(&self) -> bool {
        let manager = &self.surroundings.manager;
        let has = |field| manager.contains_key(field);
        has("original_ip_detection_extensions")
            || has("use_remote_address") && !has("skip_xff_append")
    }

    /// Whether the engine names what it does not know where a route depends on the client's address:
    /// an extension that appends to the header in which it finds the address.
    pub(super) fn address_is_named(&self) -> bool {
        let extensions = self
            .surroundings
            .manager
            .get("original_ip_detection_extensions");
        let extension = extensions.and_then(|extensions| extensions.get(0));
        extension.is_some_and(|one| one["typed_config"]["skip_xff_append"] == json!(false))
    }

    fn detection(&mut self) -> Value {
        const TYPES: &str = "type.googleapis.com/envoy.extensions.http.original_ip_detection";
        if self.dice.chance(50) {
            json!([{
                "name": "envoy.http.original_ip_detection.custom_header",
                "typed_config": {
                    "@type": format!("{TYPES}.custom_header.v3.CustomHeaderConfig"),
                    "header_name": CLIENT,
                    "allow_extension_to_set_address_as_trusted": self.dice.chance(50),
                },
            }])
        } else {
            json!([{
                "name": "envoy.http.original_ip_detection.xff",
                "typed_config": {
                    "@type": format!("{TYPES}.xff.v3.XffConfig"),
                    "xff_num_trusted_hops": self.dice.between(0, 2),
                    "skip_xff_append": self.dice.chance(50),
                },
            }])
        }
    }

    /// Lets a request use what the connection manager changes.
    pub(super) fn change_for_manager(&mut self, asked: &mut Asked) {
        if self.used_any(&FORWARDING) && self.dice.chance(60) {
            let number = self.dice.below(200);
            let lists = [
                format!("198.51.100.{number}"),
                format!("198.51.100.{number}, 203.0.113.9"),
                format!("10.0.0.{number},192.0.2.4 , 10.1.2.3"),
                format!("2001:db8::{number}, 10.1.1.1"),
                "nonsense".into(),
                String::new(),
            ];
            let list = self.dice.one(&lists);
            asked.headers.push(("x-forwarded-for".into(), list));
        }
        if self.used.contains("client_address_extension") && self.dice.chance(60) {
            let number = self.dice.below(200);
            let address = self.dice.one(&[format!("192.0.2.{number}"), "none".into()]);
            asked.headers.push((CLIENT.into(), address));
        }
        if self.used_any(&PATHS) && self.dice.chance(30) {
            let paths = [
                "/r0/../r1",
                "//r0",
                "/./r1",
                "/r0//ab1",
                "/%72%30",
                "/r0%2Fab1",
                "/r0%5cab1",
                "/r1/ab1/%2e%2e/",
                "/r0\\..\\r1",
                "/r1?q=v1//x",
                "/r0/../../%2F",
            ];
            asked.path = self.dice.one(&paths).into();
        }
        if self.used.contains("strip_port") && self.dice.chance(50) {
            asked.host_end = self.dice.one(&HOST_ENDS);
        }
    }
}
