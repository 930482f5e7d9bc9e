//! The answer to an instant query.

use std::collections::BTreeMap;

use serde::Deserialize;
use spillgate_config::{Diagnostic, node::quote};

/// The series of an instant vector.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PrometheusAnswer {
    /// The series, each with its value.
    pub samples: Vec<PrometheusSample>,
    /// Warnings of the server, such as one about missing data.
    pub warnings: Vec<String>,
}

/// A series and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct PrometheusSample {
    /// The labels by name, with the name of the metric as `__name__`.
    pub labels: BTreeMap<String, String>,
    /// The value; can be infinite and not a number.
    pub value: f64,
}

/// The body of a response.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    status: String,
    #[serde(default)]
    data: Option<Data>,
    #[serde(default)]
    error_type: String,
    #[serde(default)]
    error: String,
    #[serde(default)]
    warnings: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    result_type: String,
    result: serde_json::Value,
}

#[derive(Deserialize)]
struct Series {
    metric: BTreeMap<String, String>,
    /// A time, and a number in a string; absent for a histogram.
    value: Option<(f64, String)>,
}

/// Reads a body.
///
/// # Errors
/// An error of the server with its text, another result than an instant vector, and anything else.
pub(super) fn read(status: u16, body: &str) -> Result<PrometheusAnswer, Box<Diagnostic>> {
    let Ok(body) = serde_json::from_str::<Body>(body) else {
        return Err(if status == 200 {
            foreign(body)
        } else {
            refused(status)
        });
    };
    let data = match body.data {
        Some(data) if status == 200 && body.status == "success" => data,
        _ => return Err(failed(status, &body.error_type, &body.error)),
    };
    if data.result_type != "vector" {
        let what = "query gives no instant vector";
        let fault = Diagnostic::error("prometheus/result", what).found(quote(&data.result_type));
        let expected = "a series for each zone, such as `count by (zone) (up)`";
        return Err(Box::new(fault.expected(expected)));
    }
    let series: Vec<Series> =
        serde_json::from_value(data.result).map_err(|error| foreign(&error.to_string()))?;
    let samples = series.into_iter().map(|of| {
        let value = of.value.and_then(|(_, text)| text.parse().ok());
        match value {
            Some(value) => Ok(PrometheusSample {
                labels: of.metric,
                value,
            }),
            None => {
                let what = "value is a histogram or not a number";
                let fault = Diagnostic::error("prometheus/result", what);
                Err(Box::new(fault.expected("a number for each series")))
            }
        }
    });
    Ok(PrometheusAnswer {
        samples: samples.collect::<Result<_, _>>()?,
        warnings: body.warnings,
    })
}

/// The longest part of a text of the server in a message, in characters.
const SHOWN: usize = 300;

/// An error that the server states.
fn failed(status: u16, kind: &str, error: &str) -> Box<Diagnostic> {
    let error: String = error.chars().take(SHOWN).collect();
    let fault = Diagnostic::error("prometheus/query", "Prometheus cannot answer the query");
    Box::new(fault.found(format!(
        "status {status}, {}",
        quote(&format!("{kind}: {error}"))
    )))
}

/// A response of another server, such as a proxy in front of Prometheus.
fn refused(status: u16) -> Box<Diagnostic> {
    let what = match status {
        300..=399 => "redirects are not followed; use the URL behind them",
        401 | 403 => "access denied; use the URL of Prometheus behind the login",
        404 => "unknown path; use the URL of Prometheus, with the path in front of /api/v1",
        _ => "the server refused the request",
    };
    let fault = Diagnostic::error("prometheus/status", what).found(format!("status {status}"));
    Box::new(fault.expected("status 200"))
}

fn foreign(text: &str) -> Box<Diagnostic> {
    const START: usize = 40;
    let start: String = text.trim_start().chars().take(START).collect();
    let fault = Diagnostic::error("prometheus/response", "response is not from Prometheus");
    Box::new(
        fault
            .found(quote(&start))
            .expected("the JSON of /api/v1/query"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(result: &str) -> String {
        format!(r#"{{"status":"success","data":{{"resultType":"vector","result":{result}}}}}"#)
    }

    #[test]
    fn series_have_labels_and_values() {
        let body = vector(
            r#"[{"metric":{"zone":"a"},"value":[1.5,"40"]},{"metric":{},"value":[1,"NaN"]}]"#,
        );
        let answer = read(200, &body).unwrap();
        assert_eq!(answer.samples.len(), 2);
        assert_eq!(answer.samples[0].labels["zone"], "a");
        assert_eq!(answer.samples[0].value, 40.0);
        assert!(answer.samples[1].value.is_nan());
        let body = body.replace("\"data\"", "\"warnings\":[\"partial\"],\"data\"");
        assert_eq!(read(200, &body).unwrap().warnings, ["partial"]);
        assert_eq!(
            read(200, &vector("[]")).unwrap(),
            PrometheusAnswer::default()
        );
    }

    #[test]
    fn other_answers_are_errors() {
        let error = r#"{"status":"error","errorType":"bad_data","error":"1:5: parse error"}"#;
        let scalar = r#"{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}"#;
        let histogram = vector(r#"[{"metric":{},"histogram":[1,{}]}]"#);
        let text = vector(r#"[{"metric":{},"value":[1,"x"]}]"#);
        let number = vector(r#"[{"metric":{},"value":[1,2]}]"#);
        for (status, body, code, has) in [
            (
                400,
                error,
                "prometheus/query",
                "status 400, \"bad_data: 1:5: parse error\"",
            ),
            (200, error, "prometheus/query", "parse error"),
            (502, "<html>", "prometheus/status", "status 502"),
            (302, "", "prometheus/status", "redirects"),
            (200, "<html>", "prometheus/response", "<html>"),
            (200, scalar, "prometheus/result", "scalar"),
            (
                200,
                &scalar.replace("scalar", "matrix"),
                "prometheus/result",
                "matrix",
            ),
            (200, &histogram, "prometheus/result", "histogram"),
            (200, &text, "prometheus/result", "not a number"),
            (200, &number, "prometheus/response", "invalid type"),
        ] {
            let fault = read(status, body).unwrap_err();
            assert_eq!(fault.code, code, "{body}: {fault}");
            assert!(fault.to_string().contains(has), "{body}: {fault}");
        }
    }
}
