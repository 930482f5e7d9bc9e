//! The matcher that chooses the cluster of a request (`MatcherClusterSpecifier`).

use crate::proto::Schema;

/// `envoy.extensions.router.cluster_specifiers.matcher.v3.MatcherClusterSpecifier`: a matcher whose
/// actions name clusters.
pub(in crate::envoy) static MATCHER_SPECIFIER: Schema =
    Schema::new("MatcherClusterSpecifier", "@type cluster_matcher")
        .of("envoy.extensions.router.cluster_specifiers.matcher.v3.MatcherClusterSpecifier");

/// `envoy.extensions.router.cluster_specifiers.matcher.v3.ClusterAction`: a cluster.
pub(in crate::envoy) static CLUSTER_ACTION: Schema = Schema::new("ClusterAction", "@type cluster")
    .of("envoy.extensions.router.cluster_specifiers.matcher.v3.ClusterAction");

/// `xds.type.matcher.v3.Matcher`: a list or a tree of conditions.
pub(in crate::envoy) static MATCHER: Schema =
    Schema::new("Matcher", "matcher_list matcher_tree on_no_match")
        .of("xds.type.matcher.v3.Matcher");

/// `xds.type.matcher.v3.Matcher.OnMatch`: an action, or another matcher.
pub(in crate::envoy) static ON_MATCH: Schema =
    Schema::new("Matcher.OnMatch", "matcher action keep_matching")
        .of("xds.type.matcher.v3.Matcher.OnMatch");

/// `xds.type.matcher.v3.Matcher.MatcherList`: conditions in order.
pub(in crate::envoy) static MATCHER_LIST: Schema =
    Schema::new("Matcher.MatcherList", "matchers").of("xds.type.matcher.v3.Matcher.MatcherList");

/// `xds.type.matcher.v3.Matcher.MatcherList.FieldMatcher`: a condition and its result.
pub(in crate::envoy) static FIELD_MATCHER: Schema =
    Schema::new("Matcher.MatcherList.FieldMatcher", "predicate on_match")
        .of("xds.type.matcher.v3.Matcher.MatcherList.FieldMatcher");

/// `xds.type.matcher.v3.Matcher.MatcherList.Predicate`: a condition, or several.
pub(in crate::envoy) static PREDICATE: Schema = Schema::new(
    "Matcher.MatcherList.Predicate",
    "single_predicate or_matcher and_matcher not_matcher",
)
.of("xds.type.matcher.v3.Matcher.MatcherList.Predicate");

/// `xds.type.matcher.v3.Matcher.MatcherList.Predicate.PredicateList`: at least two conditions.
pub(in crate::envoy) static PREDICATE_LIST: Schema =
    Schema::new("Matcher.MatcherList.Predicate.PredicateList", "predicate")
        .of("xds.type.matcher.v3.Matcher.MatcherList.Predicate.PredicateList");

/// `xds.type.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate`: a condition on one input.
pub(in crate::envoy) static SINGLE_PREDICATE: Schema = Schema::new(
    "Matcher.MatcherList.Predicate.SinglePredicate",
    "input value_match custom_match",
)
.of("xds.type.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate");

/// `xds.type.matcher.v3.Matcher.MatcherTree`: results by the value or the start of one input.
pub(in crate::envoy) static MATCHER_TREE: Schema = Schema::new(
    "Matcher.MatcherTree",
    "input exact_match_map prefix_match_map custom_match",
)
.of("xds.type.matcher.v3.Matcher.MatcherTree");

/// `xds.type.matcher.v3.Matcher.MatcherTree.MatchMap`: results by text.
pub(in crate::envoy) static MATCH_MAP: Schema = Schema::new("Matcher.MatcherTree.MatchMap", "map")
    .of("xds.type.matcher.v3.Matcher.MatcherTree.MatchMap");

/// `envoy.type.matcher.v3.HttpRequestHeaderMatchInput`: the values of a header.
pub(in crate::envoy) static HEADER_INPUT: Schema =
    Schema::new("HttpRequestHeaderMatchInput", "@type header_name")
        .of("envoy.type.matcher.v3.HttpRequestHeaderMatchInput");
