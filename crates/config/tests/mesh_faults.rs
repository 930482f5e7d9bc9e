//! Faults in the documents of a mesh: all at once, each with its position.

use spillgate_config::{Diagnostic, envoy::Format, mesh::read};

/// The rendered faults, or else the warnings.
fn findings(text: &str) -> Vec<String> {
    let found: Vec<Diagnostic> = match read(text, Format::Yaml, 0) {
        Ok(documents) => documents.warnings,
        Err(faults) => faults,
    };
    found.iter().map(|fault| fault.render("p")).collect()
}

#[test]
fn a_policy_with_ten_errors_lists_ten() {
    let text = "\
type: MeshLoadBalancingStrategy
name: p
spec:
  targetRef: {kind: MeshServce}
  to:
  - targetRef: {kind: Mesh}
    default:
      localityAwareness:
        localZone:
          affinityTags:
          - {key: '', weight: 0}
          - {key: a}
        crossZone:
          failover:
          - from: {zones: []}
            to: {type: Any, zones: [zone-1]}
          - to: {type: Sometimes}
          failoverThreshold: {percentage: 120}
      loadBalancer: {type: RingHash, ringHash: {minRingSize: 9000000}}
      hashPolicies:
      - {type: Header}
";
    assert_eq!(
        findings(text),
        [
            "p:4:21: mesh/unsupported-kind: spec.targetRef.kind: kind is not supported here; found \"MeshServce\", expected one of Mesh, Dataplane, MeshSubset, MeshGateway, MeshService, MeshServiceSubset (did you mean MeshService?)",
            "p:11:13: mesh/mixed-weights: spec.to[0].default.localityAwareness.localZone.affinityTags: some affinity tags have a weight and others do not; found a list of 2, expected a weight for all tags or for none",
            "p:11:19: mesh/empty: spec.to[0].default.localityAwareness.localZone.affinityTags[0].key: must not be empty; found \"\"",
            "p:11:31: mesh/not-positive: spec.to[0].default.localityAwareness.localZone.affinityTags[0].weight: out of range; found 0, expected more than 0",
            "p:15:27: mesh/empty: spec.to[0].default.localityAwareness.crossZone.failover[0].from.zones: must not be empty; found a list of 0",
            "p:16:36: mesh/zones-not-allowed: spec.to[0].default.localityAwareness.crossZone.failover[0].to.zones: a rule of this type takes no zones; found a list of 1, expected type Only or AnyExcept, or no zones",
            "p:17:24: mesh/unknown-type: spec.to[0].default.localityAwareness.crossZone.failover[1].to.type: unknown type; found \"Sometimes\", expected one of None, Only, Any, AnyExcept",
            "p:18:43: mesh/percentage: spec.to[0].default.localityAwareness.crossZone.failoverThreshold.percentage: out of range; found 120, expected a percentage up to 100",
            "p:19:62: mesh/range: spec.to[0].default.loadBalancer.ringHash.minRingSize: out of range of this field; found 9000000, expected 1 to 8000000",
            "p:21:9: mesh/block-missing: spec.to[0].default.hashPolicies[0].header: the block that the type names is missing",
        ]
    );
}

#[test]
fn faults_in_json_and_in_the_form_of_the_decision_record_have_positions() {
    let text = r#"{"type": "MeshLoadBalancingStrategy", "spec": {"to":
 {"targetRef": {"kind": "Mesh"}, "defaults": {"localityAwareness": {"crossZone": {"failover": [
  {"to": {"type": "Only"}}]}}}}}}"#;
    let faults = read(text, Format::Json, 0).unwrap_err();
    assert_eq!(faults.len(), 1, "{faults:#?}");
    let fault = faults[0].render("p");
    assert!(fault.starts_with("p:3:10: mesh/zones-required: spec.to.defaults.localityAwareness.crossZone.failover[0].to.zones:"), "{fault}");
}

#[test]
fn a_wrong_type_is_one_fault() {
    let policy = |conf: &str| {
        format!(
            "type: MeshLoadBalancingStrategy\nspec:\n  to:\n  - targetRef: {{kind: Mesh}}\n    default: {conf}\n"
        )
    };
    for (conf, expected) in [
        (
            "{localityAwareness: {localZone: {affinityTags: [{key: a, weight: x}, {key: b, weight: 1}]}}}",
            "p:5:79: config/type: spec.to[0].default.localityAwareness.localZone.affinityTags[0].weight: not a number; found \"x\", expected a 64-bit integer",
        ),
        (
            "{localityAwareness: {localZone: {affinityTags: [5]}}}",
            "p:5:62: config/type: spec.to[0].default.localityAwareness.localZone.affinityTags[0]: wrong type; found 5, expected an object (affinityTag)",
        ),
        (
            "{localityAwareness: {localZone: {affinityTags: {key: a}}}}",
            "p:5:61: config/type: spec.to[0].default.localityAwareness.localZone.affinityTags: wrong type; found an object with \"key\", expected a list",
        ),
        (
            "{localityAwareness: {crossZone: {failover: [{to: {type: Only, zones: [1]}}]}}}",
            "p:5:84: config/type: spec.to[0].default.localityAwareness.crossZone.failover[0].to.zones[0]: wrong type (put it in quotes); found 1, expected a string",
        ),
        (
            "{localityAwarenes: {}}",
            "p:5:15: config/unknown-field: spec.to[0].default.localityAwarenes: unknown field in default (did you mean localityAwareness?)",
        ),
        (
            "{loadBalancer: {}}",
            "p:5:29: mesh/unknown-type: spec.to[0].default.loadBalancer.type: unknown type; expected one of RoundRobin, LeastRequest, RingHash, Random, Maglev",
        ),
    ] {
        assert_eq!(findings(&policy(conf)), [expected]);
    }
}

#[test]
fn names_and_ranges_in_messages_are_those_of_the_rules() {
    let conf = |conf: &str| {
        findings(&format!(
            "{{type: MeshLoadBalancingStrategy, spec: {{to: [{{targetRef: {{kind: Mesh}}, default: {conf}}}]}}}}"
        ))
    };
    for (field, block, range) in [
        (
            "choiceCount",
            "type: LeastRequest, leastRequest",
            "2 to 4294967295",
        ),
        ("minRingSize", "type: RingHash, ringHash", "1 to 8000000"),
        ("maxRingSize", "type: RingHash, ringHash", "1 to 8000000"),
        ("tableSize", "type: Maglev, maglev", "1 to 5000011"),
    ] {
        let (lowest, highest) = range.split_once(" to ").unwrap();
        let (lowest, highest): (i64, i64) = (lowest.parse().unwrap(), highest.parse().unwrap());
        for value in lowest - 1..=lowest {
            let found = conf(&format!(
                "{{loadBalancer: {{{block}: {{{field}: {value}}}}}}}"
            ));
            assert_eq!(
                found.len(),
                usize::from(value < lowest),
                "{field} {found:?}"
            );
        }
        for value in highest..=highest + 1 {
            let found = conf(&format!(
                "{{loadBalancer: {{{block}: {{{field}: {value}}}}}}}"
            ));
            assert_eq!(
                found.len(),
                usize::from(value > highest),
                "{field} {found:?}"
            );
            let named = found
                .iter()
                .all(|fault| fault.ends_with(&format!("expected {range}")));
            assert!(named, "{found:?}");
        }
    }
    // Each expected name is accepted in its place.
    for (place, wrong) in [
        ("{loadBalancer: {type: TYPE}}", "unknown-type"),
        (
            "{loadBalancer: {type: RingHash, ringHash: {hashFunction: TYPE}}}",
            "unknown-type",
        ),
        (
            "{localityAwareness: {crossZone: {failover: [{to: {type: TYPE}}]}}}",
            "unknown-type",
        ),
        ("{hashPolicies: [{type: TYPE}]}", "unknown-type"),
    ] {
        let found = conf(&place.replace("TYPE", "Xyz"));
        assert!(found[0].contains(wrong), "{found:?}");
        let (_, names) = found[0].split_once("one of ").unwrap();
        for name in names.split(", ") {
            let found = conf(&place.replace("TYPE", name));
            assert!(
                !found.iter().any(|fault| fault.contains(wrong)),
                "{name} {found:?}"
            );
        }
    }
}

#[test]
fn kinds_in_messages_are_those_of_the_rules() {
    let policy = |top: &str, to: &str| {
        findings(&format!(
            "{{type: MeshLoadBalancingStrategy, spec: {{targetRef: {{kind: {top}}}, to: [{{targetRef: {{kind: {to}}}, default: {{}}}}]}}}}"
        ))
    };
    let found = policy("Xyz", "Xyz");
    assert_eq!(found.len(), 2);
    let names = |fault: &str| -> Vec<String> {
        let (_, names) = fault.split_once("one of ").unwrap();
        names.split(", ").map(str::to_owned).collect()
    };
    for top in names(&found[0]) {
        for to in names(&found[1]) {
            assert_eq!(policy(&top, &to), [""; 0], "{top} {to}");
        }
    }
}

#[test]
fn faults_of_other_documents() {
    for (text, expected) in [
        (
            "{type: Dataplane, networking: {inbound: [{tags: {}}]}}",
            [
                "p:1:31: config/missing: networking.address: required field is missing",
                "p:1:42: config/missing: networking.inbound[0].port: required field is missing",
            ]
            .as_slice(),
        ),
        (
            "{type: Dataplane, networking: {address: a, inbound: [{port: 70000, tags: {a: 1}}]}}",
            &[
                "p:1:61: config/value: networking.inbound[0].port: out of range; found 70000, expected an integer from 1 to 65535",
                "p:1:78: config/type: networking.inbound[0].tags.a: wrong type (put it in quotes); found 1, expected a string",
            ],
        ),
        (
            "{host: a, trafficPolicy: {loadBalancer: {simple: ROUND_ROBIM, consistentHash: {}}}}",
            &[
                "p:1:50: config/unknown-value: trafficPolicy.loadBalancer.simple: unknown value; found \"ROUND_ROBIM\", expected one of UNSPECIFIED, LEAST_CONN, RANDOM, PASSTHROUGH, ROUND_ROBIN, LEAST_REQUEST (did you mean ROUND_ROBIN?)",
                "p:1:79: config/one-of: trafficPolicy.loadBalancer.consistentHash: simple and consistentHash are mutually exclusive",
            ],
        ),
        (
            "{host: a, trafficPolicy: {loadBalancer: {zoneAwareLbSetting: {enabled: 5}}}, exportTo: ['*']}",
            &[
                "p:1:72: config/type: trafficPolicy.loadBalancer.zoneAwareLbSetting.enabled: wrong type; found 5, expected true or false",
            ],
        ),
        (
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: istio}, data: {mesh: 'localityLbSetting: {distribute: 5}'}}",
            &[
                "p:1:73: config/type: data.mesh.localityLbSetting.distribute: wrong type; found 5, expected a list",
            ],
        ),
        (
            "5",
            &[
                "p:1:1: config/type: not a mesh document; found 5, expected an object, such as a policy or a Dataplane",
            ],
        ),
    ] {
        assert_eq!(findings(text), expected, "{text}");
    }
}

#[test]
fn an_unsupported_field_gets_one_warning() {
    let config = "{rootNamespace: a, serviceEntryVisibility: {a: b}}";
    let found = findings(&format!("[{config}, {config}, {config}]"));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].ends_with("can be hidden (and in 2 more places)"),
        "{}",
        found[0]
    );
}
