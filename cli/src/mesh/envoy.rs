//! Mesh documents as the configuration of one proxy, for commands that read Envoy configurations.

use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, Marks, facts::ConfigFacts},
};

use super::{MeshArgs, MeshInput, MeshText};
use crate::input::{Faults, Text, read_text};

/// The documents of a text and of the other files in the arguments.
pub(crate) fn input_of(text: MeshText, args: &MeshArgs) -> Result<MeshInput, Faults> {
    let mut texts = vec![text];
    for path in &args.endpoints {
        texts.push(MeshText::new(read_text(path)?, texts.len()));
    }
    MeshInput::new(texts, None)
}

/// The configuration of the proxy that the arguments name.
pub(crate) fn config_of(input: &mut MeshInput, args: &MeshArgs) -> Result<EnvoyConfig, Faults> {
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
        statuses: Vec::new(),
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
