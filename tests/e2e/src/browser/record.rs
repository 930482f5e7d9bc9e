//! The recorded console and requests.

use serde_json::Value;

/// `SEVERITY: message` of each entry of the console, except those of the browser's own pages: without a
/// network, its empty tab warns about fonts.
pub(super) fn console_lines(log: &Value) -> Vec<String> {
    let entries = log.as_array().into_iter().flatten();
    let text = |entry: &Value, key| {
        let value = entry.get(key).and_then(Value::as_str);
        value.unwrap_or("?").to_owned()
    };
    entries
        .map(|entry| (text(entry, "level"), text(entry, "message")))
        .filter(|(_, message)| !message.starts_with("chrome://"))
        .map(|(severity, message)| format!("{severity}: {message}"))
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
    fn console_lines_omit_the_pages_of_the_browser() {
        let log = json!([
            {"level": "INFO", "message": "chrome://new-tab-page/ - Slow network is detected."},
            {"level": "SEVERE", "message": "http://127.0.0.1/ 3:7 Uncaught RuntimeError"},
            {},
        ]);
        let lines = [
            "SEVERE: http://127.0.0.1/ 3:7 Uncaught RuntimeError",
            "?: ?",
        ];
        assert_eq!(console_lines(&log), lines);
    }

    #[test]
    fn requests_are_found_among_other_events() {
        let sent = r#"{"message":{"method":"Network.requestWillBeSent","params":{"request":{"url":"http://a/"}}}}"#;
        let other = r#"{"message":{"method":"Page.loadEventFired","params":{}}}"#;
        let log = json!([{"message": other}, {"message": sent}, {"message": "no JSON"}]);
        assert_eq!(requested_urls(&log), ["http://a/"]);
    }
}
