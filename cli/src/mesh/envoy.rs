//! Mesh documents as the configuration of one proxy, for commands that read Envoy configurations.

use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, Format, Marks, facts::ConfigFacts},
    mesh::is_mesh,
};

use super::{MeshArgs, MeshInput};
use crate::input::{Faults, Text, read_text};

/// Whether a text contains mesh documents. Most Envoy configurations contain none of these words, and
/// are parsed only once.
pub(crate) fn is_mesh_text(text: &Text) -> bool {
    const WORDS: [&str; 4] = ["Mesh", "kuma.io", "istio", "trafficPolicy"];
    if !WORDS.iter().any(|word| text.text.contains(word)) {
        return false;
    }
    let format = match Format::guess(&text.name, &text.text) {
        Format::Yaml => Format::YamlAsJson,
        other => other,
    };
    format
        .parse(&text.text)
        .is_ok_and(|document| is_mesh(&document))
}

/// The documents of a text and of the other files in the arguments.
pub(crate) fn input_of(text: Text, args: &MeshArgs) -> Result<MeshInput, Faults> {
    let mut texts = vec![text];
    for path in &args.endpoints {
        texts.push(read_text(path)?);
    }
    MeshInput::new(texts, None)
}

/// The configuration of the proxy that the arguments name.
pub(crate) fn config_of(input: &MeshInput, args: &MeshArgs) -> Result<EnvoyConfig, Faults> {
    let outbound = input.outbound_of(args)?;
    let model = outbound
        .model()
        .map_err(|faults| Faults::all(&input.name, &faults))?;
    let mut warnings = outbound.warnings.clone();
    let listener = outbound.listener(&mut warnings);
    Ok(EnvoyConfig {
        model,
        listeners: vec![listener],
        marks: Marks::default(),
        facts: ConfigFacts::default(),
        warnings,
    })
}

/// The error of an argument that an Envoy configuration does not support.
pub(crate) fn only_for_meshes(text: &Text, argument: &str) -> Faults {
    let fault = Diagnostic::error(
        "input/not-a-mesh",
        format!("{argument} applies to mesh documents only"),
    );
    let expected =
        "a policy of Kuma or Istio, such as MeshLoadBalancingStrategy or DestinationRule";
    Faults::one(&text.name, &fault.expected(expected))
}
