//! `--callers-from FILE`: the running pods in the output of `kubectl get pods,nodes` as JSON or YAML, by zone.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use spillgate_answers::input::{Faults, read_text};
use spillgate_config::{
    Diagnostic,
    envoy::Format,
    node::{Document, Node},
};
use spillgate_core::model::Locality;
use spillgate_explain::format::{plain, plural};
use spillgate_sim::fleet::{CallerCounts, named_locality};

use super::{
    objects::{Objects, Place, ZONE_LABEL, is_running, name},
    stated::unplaced,
};
use crate::command::Done;

/// Counts the running pods of some files in each zone.
///
/// # Errors
/// Files that are no YAML or JSON, or have no running pod with a zone, Nodes of one name in different zones, and zones
/// that name several localities.
pub(super) fn read(
    paths: &[PathBuf],
    known: &[Locality],
    done: &mut Done,
) -> Result<CallerCounts, Faults> {
    let mut texts = Vec::new();
    let mut wrong = Faults::default();
    for path in paths {
        match read_text(path) {
            Ok(text) => texts.push(text),
            Err(faults) => wrong.extend(faults),
        }
    }
    let mut documents = Vec::new();
    for text in &texts {
        let format = Format::guess(&text.name, &text.text);
        match format.parse(&text.text) {
            Ok(document) => documents.push(document),
            Err(fault) => wrong.push(text, &fault),
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let names: Vec<&str> = texts.iter().map(|text| text.name.as_str()).collect();
    let name = names.join(", ");
    match count(&documents, known) {
        Ok((counts, warnings)) => {
            done.warn(&name, &warnings);
            Ok(counts)
        }
        Err(faults) => Err(Faults::all(&name, &faults)),
    }
}

/// The callers, and warnings about pods.
fn count(
    documents: &[Document<'_>],
    known: &[Locality],
) -> Result<(CallerCounts, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut objects = Objects::default();
    for root in documents.iter().flat_map(|of| &of.roots) {
        objects.add(root, "");
    }
    if !objects.faults.is_empty() {
        return Err(objects.faults);
    }
    let pods = objects.pods.iter().copied();
    let running: Vec<&Node<'_>> = pods.filter(|pod| is_running(pod)).collect();
    let mut places: BTreeMap<Place<'_>, u64> = BTreeMap::new();
    let mut without: Vec<&str> = Vec::new();
    for &pod in &running {
        match objects.place(pod) {
            Some(place) => *places.entry(place).or_default() += 1,
            None => without.push(name(pod)),
        }
    }
    if places.is_empty() {
        let fault = Diagnostic::error("fleet/pods", "no running pod with a zone");
        let found = format!(
            "{}, {} of them running, {}",
            plain(&plural(objects.pods.len(), "pod")),
            running.len(),
            objects.counted_nodes(),
        );
        let expected = "the output of `kubectl get pods,nodes -o json`";
        return Err(vec![fault.found(found).expected(expected)]);
    }
    let mut warnings = Vec::new();
    if let Some(first) = without.first() {
        let found = format!("{} such as {first}", without.len());
        let what = "running pods without a zone are not counted";
        let warning = Diagnostic::warning("fleet/pods-without-zone", what).found(found);
        let expected = format!("the label {ZONE_LABEL} of the pod or its Node");
        warnings.push(warning.expected(expected));
    }
    let (counts, unknown) = in_localities(&places, known)?;
    if !unknown.is_empty() {
        let unknown: Vec<String> = unknown.into_iter().collect();
        let what = "the cluster has no host in these zones of pods";
        let warning = Diagnostic::warning("fleet/pods-elsewhere", what).found(unknown.join(", "));
        warnings.push(warning);
    }
    Ok((counts, warnings))
}

/// The callers in each locality, and the places that no known locality has.
fn in_localities(
    places: &BTreeMap<Place<'_>, u64>,
    known: &[Locality],
) -> Result<(CallerCounts, BTreeSet<String>), Vec<Diagnostic>> {
    let mut counts = CallerCounts::default();
    let mut unknown = BTreeSet::new();
    let mut faults = Vec::new();
    for (place, pods) in places {
        let fits = |of: &&Locality| {
            let region = of.region == place.region;
            of.zone == place.zone && (region || of.region.is_empty() || place.region.is_empty())
        };
        let fitting: Vec<Locality> = known.iter().filter(fits).cloned().collect();
        if fitting.is_empty() {
            unknown.insert(place.to_string());
            let locality = Locality {
                region: place.region.into(),
                zone: place.zone.into(),
                sub_zone: String::new(),
            };
            counts.add(&locality, *pods);
            continue;
        }
        match named_locality(place.zone, &fitting) {
            Ok(locality) => counts.add(&locality, *pods),
            Err(fault) => faults.push(unplaced(&fault)),
        }
    }
    if faults.is_empty() {
        Ok((counts, unknown))
    } else {
        Err(faults)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::objects::REGION_LABEL, *};

    fn locality(region: &str, zone: &str, sub_zone: &str) -> Locality {
        Locality {
            region: region.into(),
            zone: zone.into(),
            sub_zone: sub_zone.into(),
        }
    }

    /// The callers by locality, and the number of warnings.
    type Counted = (Vec<(String, u64)>, usize);

    fn counted(text: &str) -> Result<Counted, Vec<Diagnostic>> {
        let known = [
            locality("eu", "a", ""),
            locality("eu", "b", "x"),
            locality("us", "b", ""),
            locality("eu", "d", "x"),
            locality("eu", "d", "y"),
        ];
        let document = Format::guess("pods.yaml", text).parse(text).unwrap();
        let (counts, warnings) = count(&[document], &known)?;
        let counts = counts.all().iter();
        let counts =
            counts.map(|(of, pods)| (format!("{}/{}/{}", of.region, of.zone, of.sub_zone), *pods));
        Ok((counts.collect(), warnings.len()))
    }

    fn pod(name: &str, more: &str) -> String {
        format!("- {{kind: Pod, metadata: {{name: {name}}}, status: {{phase: Running}}, {more}}}\n")
    }

    fn node(name: &str, region: &str, zone: &str) -> String {
        format!(
            "- {{kind: Node, metadata: {{name: {name}, labels: {{{REGION_LABEL}: {region}, {ZONE_LABEL}: {zone}}}}}}}\n"
        )
    }

    #[test]
    fn running_pods_are_counted_by_the_zone_of_their_node() {
        let text = [
            "kind: List\nitems:\n".to_owned(),
            pod("p1", "spec: {nodeName: n1}"),
            pod("p2", "spec: {nodeName: n2}"),
            pod("p3", "spec: {nodeName: n2}"),
            pod("p4", "spec: {nodeName: n3}"),
            pod("p5", "spec: {nodeName: gone}"),
            pod("p6", "spec: {}"),
            pod("p7", "spec: {nodeName: n1}").replace("Running", "Pending"),
            pod("p8", "spec: {nodeName: n1}")
                .replace("name: p8", "name: p8, deletionTimestamp: now"),
            pod("p9", "spec: {nodeName: n1}").replace(
                "name: p9",
                &format!("name: p9, labels: {{{ZONE_LABEL}: c}}"),
            ),
            node("n1", "eu", "a"),
            node("n2", "us", "b"),
            node("n3", "eu", "b"),
            "- {kind: Service, metadata: {name: s}}\n".into(),
        ];
        let (counts, warnings) = counted(&text.concat()).unwrap();
        let expected = [("/c/", 1), ("eu/a/", 1), ("eu/b/x", 1), ("us/b/", 2)];
        assert_eq!(counts, expected.map(|(of, pods)| (of.to_owned(), pods)));
        // Two pods without a zone are one warning, and zone c is the other.
        assert_eq!(warnings, 2);
    }

    #[test]
    fn typed_lists_and_several_documents_are_read() {
        let own = format!("metadata: {{labels: {{{ZONE_LABEL}: a}}}}, status: {{phase: Running}}");
        let text = format!("kind: PodList\nitems:\n- {{{own}}}\n---\n{{kind: Pod, {own}}}\n");
        assert_eq!(counted(&text).unwrap(), (vec![("eu/a/".into(), 2)], 0));
        let text = r#"{"kind": "List", "items": [{"kind": "Pod"}]}"#;
        let fault = &counted(text).unwrap_err()[0];
        assert_eq!(fault.code, "fleet/pods");
        assert!(
            fault
                .to_string()
                .contains("1 pod, 0 of them running, 0 nodes"),
            "{fault}"
        );
    }

    #[test]
    fn a_pod_counts_once() {
        let with_uid = |name: &str, uid: &str| {
            let of = format!("name: {name}, uid: {uid}");
            pod(name, "spec: {nodeName: m}").replace(&format!("name: {name}"), &of)
        };
        let in_namespace = |name: &str, namespace: &str| {
            let of = format!("name: {name}, namespace: {namespace}");
            pod(name, "spec: {nodeName: m}").replace(&format!("name: {name}"), &of)
        };
        let text = [
            "kind: List\nitems:\n".to_owned(),
            node("m", "eu", "a"),
            node("m", "eu", "a"),
            in_namespace("p", "one"),
            in_namespace("p", "one"),
            in_namespace("p", "two"),
            with_uid("q", "u1"),
            with_uid("q", "u1"),
            with_uid("q", "u2"),
        ];
        let (counts, warnings) = counted(&text.concat()).unwrap();
        assert_eq!((counts, warnings), (vec![("eu/a/".into(), 4)], 0));
    }

    #[test]
    fn faults_of_nodes_are_named() {
        let faults = |nodes: &[String]| {
            let list = "kind: List\nitems:\n".to_owned();
            let pod = pod("p", "spec: {nodeName: m}");
            let faults = counted(&(list + &pod + &nodes.concat())).unwrap_err();
            assert_eq!(faults[0].code, "fleet/pods");
            faults[0].to_string()
        };
        let message = faults(&[node("m", "eu", "a"), node("m", "us", "a")]);
        assert!(message.contains("m in eu/a and in us/a"), "{message}");
        let unlabeled = "- {kind: Node, metadata: {name: m}}\n".to_owned();
        let message = faults(&[unlabeled]);
        let has = format!("1 node, none with the label {ZONE_LABEL}");
        assert!(message.contains(&has), "{message}");
    }

    #[test]
    fn places_without_hosts_have_their_region() {
        let place = |region, zone| Place { region, zone };
        let places = BTreeMap::from([(place("us", "a"), 1), (place("", "zz"), 2)]);
        let (_, unknown) = in_localities(&places, &[locality("eu", "a", "")]).unwrap();
        let unknown: Vec<String> = unknown.into_iter().collect();
        assert_eq!(unknown, ["us/a", "zz"]);
    }

    #[test]
    fn several_localities_of_a_zone_are_an_error() {
        let text = [
            "kind: List\nitems:\n".into(),
            pod("p", "spec: {nodeName: m}"),
            node("m", "eu", "d"),
        ];
        let faults = counted(&text.concat()).unwrap_err();
        assert_eq!(faults[0].code, "fleet/unknown-zone");
        assert!(
            faults[0].to_string().contains("eu/d/x, eu/d/y"),
            "{}",
            faults[0]
        );
    }
}
