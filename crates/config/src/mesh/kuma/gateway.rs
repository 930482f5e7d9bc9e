//! MeshGateway documents.

use spillgate_mesh::kuma::{KumaGateway, KumaListener};

use crate::{
    mesh::document::{KUMA_DOCUMENT, MeshDocument, ResourceMeta},
    proto::{
        Irrelevance::{Admission, Document, Transport},
        Message, Report, Schema, limit,
    },
};

pub(super) static MESH_GATEWAY: Schema = Schema::new("MeshGateway", "selectors tags conf")
    .ignored(&[(Document, KUMA_DOCUMENT)])
    .of("MeshGateway");
pub(super) static SELECTOR: Schema = Schema::new("selector", "match").of("MeshGateway.selectors");
pub(super) static CONF: Schema = Schema::new("conf", "listeners").of("MeshGateway.conf");
pub(super) static LISTENER: Schema = Schema::new("listener", "hostname port protocol tags")
    .limits(&[limit(
        "crossMesh",
        "the listener is for proxies of other meshes only",
    )])
    .ignored(&[(Transport, "tls"), (Admission, "resources")])
    .of("MeshGateway.conf.listeners");

/// Whether a listener serves HTTP.
static PROTOCOL: [(&str, i64, bool); 5] = [
    ("NONE", 0, false),
    ("TCP", 1, false),
    ("TLS", 3, false),
    ("HTTP", 4, true),
    ("HTTPS", 5, true),
];

/// Reads a MeshGateway.
pub(crate) fn read_gateway(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<KumaGateway> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &MESH_GATEWAY, report)?;
    let selectors = spec.messages("selectors", &SELECTOR, report);
    let conf = spec.message("conf", &CONF, report);
    let listeners = conf.map(|conf| conf.messages("listeners", &LISTENER, report));
    Some(KumaGateway {
        created: meta.created.clone(),
        selectors: selectors
            .iter()
            .map(|selector| selector.text_map("match", report))
            .collect(),
        tags: spec.text_map("tags", report),
        listeners: listeners
            .iter()
            .flatten()
            .filter_map(|listener| read_listener(listener, report))
            .collect(),
        meta: meta.into_kuma(),
    })
}

fn read_listener(listener: &Message<'_, '_>, report: &mut Report) -> Option<KumaListener> {
    listener.require("port", report);
    let hostname = listener.text("hostname", report);
    let http = listener.enumeration("protocol", &PROTOCOL, report);
    let tags = listener.text_map("tags", report);
    Some(KumaListener {
        port: listener.port("port", report)?,
        hostname: if hostname.is_empty() {
            "*".into()
        } else {
            hostname
        },
        http: http.unwrap_or(false),
        tags,
    })
}
