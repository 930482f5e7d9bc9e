//! The two spellings of a field in proto3 JSON.

/// Whether `name` is the field `field`, as in the proto (`lb_policy`) or as in JSON (`lbPolicy`).
pub(crate) fn same_name(name: &str, field: &str) -> bool {
    // The first letter decides most comparisons.
    name.as_bytes().first() == field.as_bytes().first()
        && (name == field || camel_case(field).eq(name.chars()))
}

fn camel_case(field: &str) -> impl Iterator<Item = char> + '_ {
    let mut after_underscore = false;
    field.chars().filter_map(move |c| {
        if c == '_' {
            after_underscore = true;
            return None;
        }
        let upper = core::mem::take(&mut after_underscore);
        Some(if upper { c.to_ascii_uppercase() } else { c })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_are_the_same_name() {
        assert!(same_name("lb_policy", "lb_policy"));
        assert!(same_name("lbPolicy", "lb_policy"));
        assert!(same_name("@type", "@type"));
        assert!(!same_name("lbpolicy", "lb_policy"));
        assert!(!same_name("lbPolic", "lb_policy"));
        assert!(!same_name("lb_Policy", "lb_policy"));
    }
}
