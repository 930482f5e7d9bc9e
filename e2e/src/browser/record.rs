//! What the browser recorded.

use serde_json::Value;

/// `LEVEL: message` of each entry of the console.
pub(super) fn console_lines(log: &Value) -> Vec<String> {
    let entries = log.as_array().into_iter().flatten();
    entries
        .map(|entry| {
            let text = |key| entry.get(key).and_then(Value::as_str).unwrap_or("?");
            format!("{}: {}", text("level"), text("message"))
        })
        .collect()
}

/// The URLs of all requests in a performance log.
pub(super) fn requested_urls(log: &Value) -> Vec<String> {
    let entries = log.as_array().into_iter().flatten();
    entries
        .filter_map(|entry| {
            let message: Value = serde_json::from_str(entry.get("message")?.as_str()?).ok()?;
            if message.pointer("/message/method")? != "Network.requestWillBeSent" {
                return None;
            }
            let url = message.pointer("/message/params/request/url")?;
            url.as_str().map(str::to_owned)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn requests_are_found_among_other_events() {
        let sent = r#"{"message":{"method":"Network.requestWillBeSent","params":{"request":{"url":"http://a/"}}}}"#;
        let other = r#"{"message":{"method":"Page.loadEventFired","params":{}}}"#;
        let log = json!([{"message": other}, {"message": sent}, {"message": "no JSON"}]);
        assert_eq!(requested_urls(&log), ["http://a/"]);
    }
}
