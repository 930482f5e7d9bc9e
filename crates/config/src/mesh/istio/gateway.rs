//! Gateway documents of Istio: the servers of gateway proxies.

use alloc::vec::Vec;

use spillgate_mesh::istio::{IstioGateway, IstioServer, IstioServerProtocol};

use crate::{
    mesh::document::{MeshDocument, ResourceMeta},
    proto::{
        Irrelevance::{NotInForce, Observability, Transport},
        Message, Report, Schema,
    },
};

pub(super) static GATEWAY: Schema = Schema::new("Gateway", "selector servers")
    .ignored(&[(
        crate::proto::Irrelevance::Document,
        "apiVersion kind metadata status spec",
    )])
    .of("Gateway");
pub(super) static SERVER: Schema = Schema::new("server", "port bind hosts tls")
    .ignored(&[(NotInForce, "defaultEndpoint"), (Observability, "name")])
    .of("Gateway.servers");
pub(super) static SERVER_PORT: Schema = Schema::new("port", "number protocol name")
    .ignored(&[(NotInForce, "targetPort")])
    .of("Gateway.servers.port");
pub(super) static SERVER_TLS: Schema = Schema::new("tls", "httpsRedirect mode")
    .ignored(&[(
        Transport,
        "caCertCredentialName caCertificates caCrl cipherSuites credentialName credentialNames \
         insecureSkipVerify maxProtocolVersion minProtocolVersion privateKey serverCertificate \
         subjectAltNames tlsCertificates verifyCertificateHash verifyCertificateSpki",
    )])
    .of("Gateway.servers.tls");

/// Reads a Gateway.
pub(crate) fn read_gateway(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<IstioGateway> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &GATEWAY, report)?;
    let mut servers = Vec::new();
    for (path, node) in spec.items("servers", report) {
        if let Some(server) = Message::open(node, path, &SERVER, report) {
            servers.extend(read_server(&server, report));
        }
    }
    Some(IstioGateway {
        selector: spec.text_map("selector", report),
        servers,
        name: meta.name,
        namespace: meta.namespace,
        created: meta.created,
    })
}

fn read_server(server: &Message<'_, '_>, report: &mut Report) -> Option<IstioServer> {
    server.require("port", report);
    let port = server.message("port", &SERVER_PORT, report)?;
    port.require("number", report);
    let tls = server.message("tls", &SERVER_TLS, report);
    let mode = tls.as_ref().map(|tls| tls.text("mode", report));
    let passes = mode.is_some_and(|mode| mode == "PASSTHROUGH" || mode == "AUTO_PASSTHROUGH");
    let protocol = port.text("protocol", report);
    let is = |known: &&str| known.eq_ignore_ascii_case(&protocol);
    const HTTP: [&str; 4] = ["HTTP", "HTTP2", "GRPC", "GRPC-WEB"];
    Some(IstioServer {
        port: port.port("number", report)?,
        port_name: port.text("name", report),
        bind: server.text("bind", report),
        protocol: match (HTTP.iter().any(is), is(&"HTTPS") && !passes) {
            (true, _) => IstioServerProtocol::Http,
            (_, true) => IstioServerProtocol::Https,
            _ => IstioServerProtocol::Connections,
        },
        hosts: server.texts("hosts", report),
        https_redirect: tls
            .as_ref()
            .is_some_and(|tls| tls.bool("httpsRedirect", report) == Some(true)),
        tls: tls.is_some(),
    })
}
