//! All findings in documents of a mesh, seen from zone `z1`.

use spillgate_config::{
    Diagnostic,
    envoy::Format,
    mesh::{
        IstioInputs, KumaInputs, MeshDocuments, MeshKind, MeshOutbound, MeshZone, OutboundForm,
        PointOfView, left_out_warnings, read, zone_warnings,
    },
};
use spillgate_mesh::{Compat, istio::IstioVersion};

/// The faults of the documents, or else everything that reading and assembling them reports.
pub(crate) fn findings(text: &str) -> Vec<Diagnostic> {
    let documents = match read(text, Format::Yaml, 0) {
        Ok(documents) => documents,
        Err(faults) => return faults,
    };
    let view = PointOfView::Zone("z1".into());
    let mut found = documents.warnings.clone();
    match KumaInputs::new(&documents, &view) {
        Ok(inputs) => {
            found.extend(inputs.warnings);
            let outbound =
                MeshOutbound::new(&documents, MeshKind::Kuma, &view, Compat::Kuma).unwrap();
            let written = outbound.envoy(OutboundForm::Envoy);
            found.extend(written.map_or_else(|faults| faults, |(_, _, warnings)| warnings));
            found.extend(outbound.warnings);
        }
        Err(fault) => found.push(fault),
    }
    let policies = documents.policy_warnings().into_iter();
    found.extend(policies.map(|(_, warning)| warning));
    match IstioInputs::new(&documents, &view) {
        Ok(_) => {
            let outbound = MeshOutbound::new(&documents, MeshKind::Istio, &view, Compat::Kuma);
            let zone = MeshZone {
                name: "z1".into(),
                outbound: outbound.unwrap(),
            };
            let zones = [zone];
            found.extend(zone_warnings(&zones));
            found.extend(left_out_warnings(&zones));
        }
        Err(fault) => found.push(fault),
    }
    found
}

/// Faults of a point of view, and those that take a long text.
pub(crate) fn staged() -> Vec<Diagnostic> {
    let documents = MeshDocuments::default();
    let fault = |view| KumaInputs::new(&documents, &view).err();
    let views = [
        PointOfView::Name("shop".into()),
        PointOfView::Documents(MeshDocuments::default()),
    ];
    let rules = vec!["{to: {type: Any}}"; 129].join(", ");
    let policy = format!(
        "{{type: MeshLoadBalancingStrategy, spec: {{to: [{{targetRef: {{kind: Mesh}}, default: \
         {{localityAwareness: {{crossZone: {{failover: [{rules}]}}}}}}}}]}}}}"
    );
    let mut found = findings(&policy);
    found.retain(|finding| finding.code == "mesh/too-many-rules");
    found.extend(views.into_iter().filter_map(fault));
    let gateway = "{type: Dataplane, name: edge, mesh: default, networking: {address: 10.0.0.1, \
        gateway: {type: BUILTIN, tags: {kuma.io/service: edge}}}}";
    let documents = read(gateway, Format::Yaml, 0).unwrap();
    let edge = KumaInputs::new(&documents, &PointOfView::Name("edge".into())).unwrap();
    found.extend(edge.warnings);
    let pods = "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: one}}\n---\n\
        {apiVersion: v1, kind: Pod, metadata: {name: web, namespace: two}}\n";
    let documents = read(pods, Format::Yaml, 0).unwrap();
    found.extend(KumaInputs::new(&documents, &PointOfView::Name("web".into())).err());
    let setting = "{host: a, trafficPolicy: {loadBalancer: {zoneAwareLbSetting: {}}}}";
    let mut documents = read(setting, Format::Yaml, 0).unwrap();
    documents.istio_version = IstioVersion::V1_30;
    let newer = documents.policy_warnings().into_iter();
    found.extend(newer.map(|(_, warning)| warning));
    let rule = "{apiVersion: v1, kind: Service, metadata: {name: shop}, spec: {ports: [{port: 80}]}}\n---\n\
        {host: shopp, trafficPolicy: {outlierDetection: {}}}\n";
    let unmatched = read(rule, Format::Yaml, 0).unwrap().unmatched_rules();
    found.extend(unmatched.into_iter().map(|(_, warning)| warning));
    found.extend(gateways());
    found
}

/// Findings from the point of view of Istio's gateways and of Pods.
fn gateways() -> Vec<Diagnostic> {
    const GATEWAYS: &str = "
{apiVersion: networking.istio.io/v1, kind: Gateway, metadata: {name: edge, namespace: a}, spec: {selector: {app: edge}, servers: [{port: {number: 443, protocol: TLS}, hosts: [shop.example], tls: {mode: PASSTHROUGH}}, {port: {number: 443, protocol: HTTPS}, hosts: [shop.example], tls: {mode: SIMPLE}}]}}
---
{apiVersion: networking.istio.io/v1, kind: Gateway, metadata: {name: twin, namespace: a}, spec: {selector: {app: none}, servers: []}}
---
{apiVersion: networking.istio.io/v1, kind: Gateway, metadata: {name: twin, namespace: b}, spec: {selector: {app: none}, servers: []}}
---
{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: shop, namespace: a}, spec: {hosts: [shop.example], http: [{route: [{destination: {host: shop}}]}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: edge-1, namespace: a, labels: {app: edge, istio-locality: r.z1}}, status: {podIP: 10.0.0.1}}
---
{apiVersion: v1, kind: Pod, metadata: {name: edge-2, namespace: a, labels: {app: edge, istio-locality: r.z2}}, status: {podIP: 10.0.0.2}}
---
{apiVersion: v1, kind: Pod, metadata: {name: calls, namespace: a, labels: {istio.io/dataplane-mode: ambient}}, status: {podIP: 10.0.0.3}}
";
    let documents = read(GATEWAYS, Format::Yaml, 0).unwrap();
    let views = [
        PointOfView::Gateway("edge".into()),
        PointOfView::Gateway("a/twin".into()),
        PointOfView::Gateway("twin".into()),
        PointOfView::Gateway("edg".into()),
        PointOfView::Name("edge-1".into()),
        PointOfView::Name("calls".into()),
    ];
    let found = views.map(|view| {
        let outbound = MeshOutbound::new(&documents, MeshKind::Istio, &view, Compat::Kuma);
        outbound.map_or_else(|fault| vec![fault], |outbound| outbound.warnings)
    });
    found.concat()
}
