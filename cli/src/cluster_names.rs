//! Clusters that options name, also by patterns.

use glob::Pattern;
use spillgate_answers::names::unknown_among;
use spillgate_config::Diagnostic;
use spillgate_core::model::Model;

/// The clusters of a model with one of these names, or that one of these patterns matches (`*`, `?`, `[ab]`),
/// in configuration order.
///
/// # Errors
/// With this code, all texts that match no cluster.
pub(crate) fn matching_clusters(
    code: &'static str,
    texts: &[String],
    model: &Model,
) -> Result<Vec<String>, Vec<Diagnostic>> {
    let names = model.clusters().iter().map(|cluster| cluster.name.clone());
    matching_names(code, texts, &names.collect::<Vec<_>>())
}

/// As [`matching_clusters`], among these names, in their order.
///
/// # Errors
/// With this code, all texts that match no name.
pub(crate) fn matching_names(
    code: &'static str,
    texts: &[String],
    names: &[String],
) -> Result<Vec<String>, Vec<Diagnostic>> {
    let mut chosen = vec![false; names.len()];
    let mut faults = Vec::new();
    for text in texts {
        // A name can look like a pattern.
        let is_name = names.contains(text);
        let pattern = Pattern::new(text).ok().filter(|_| !is_name);
        let mut found = false;
        for (name, chosen) in names.iter().zip(&mut chosen) {
            let matches = match &pattern {
                Some(pattern) => pattern.matches(name),
                None => name == text,
            };
            found |= matches;
            *chosen |= matches;
        }
        if !found {
            let names = names.iter().map(String::as_str);
            faults.push(unknown_among(code, text, names));
        }
    }
    if faults.is_empty() {
        let chosen = names.iter().zip(chosen).filter(|(_, chosen)| *chosen);
        Ok(chosen.map(|(name, _)| name.clone()).collect())
    } else {
        Err(faults)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matching(texts: &[&str]) -> Result<Vec<String>, usize> {
        let owned = |texts: &[&str]| {
            texts
                .iter()
                .map(|&text| text.into())
                .collect::<Vec<String>>()
        };
        let names = owned(&["shop-a", "cart", "shop-b", "outbound|80||a.b/c", "x[1]"]);
        matching_names("x", &owned(texts), &names).map_err(|faults| faults.len())
    }

    #[test]
    fn names_and_patterns_give_configuration_order() {
        let found = |texts: &[&str]| matching(texts).unwrap();
        assert_eq!(found(&["shop-*"]), ["shop-a", "shop-b"]);
        assert_eq!(
            found(&["shop-b", "cart", "shop-?"]),
            ["shop-a", "cart", "shop-b"]
        );
        assert_eq!(found(&["outbound*"]), ["outbound|80||a.b/c"]);
        assert_eq!(found(&["x[1]"]), ["x[1]"], "a name");
        assert_eq!(found(&["shop-[b-z]"]), ["shop-b"]);
    }

    #[test]
    fn texts_without_a_cluster_are_faults() {
        assert_eq!(matching(&["Shop-*", "cart", "[", ""]), Err(3));
    }
}
