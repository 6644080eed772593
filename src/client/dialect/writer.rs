//! Writing JSON whose raw pieces stay exactly as they are.

/// An object under construction: members in the order they are added.
pub(super) struct ObjectWriter {
    text: String,
}

impl ObjectWriter {
    pub fn new() -> Self {
        Self { text: "{".to_owned() }
    }

    /// A member whose value is JSON already.
    pub fn raw(mut self, name: &str, json: &str) -> Self {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        self.text.push_str(&quoted(name));
        self.text.push(':');
        self.text.push_str(json);
        self
    }

    pub fn raw_if_set(self, name: &str, json: Option<&str>) -> Self {
        match json {
            Some(json) => self.raw(name, json),
            None => self,
        }
    }

    pub fn text(self, name: &str, value: &str) -> Self {
        self.raw(name, &quoted(value))
    }

    pub fn text_if_set(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(name, value),
            None => self,
        }
    }

    /// A list of strings; nothing if it is empty.
    pub fn texts_if_any(self, name: &str, values: &[String]) -> Self {
        if values.is_empty() {
            return self;
        }
        self.list(name, values.iter().map(|value| quoted(value)))
    }

    /// A list of values that are JSON already.
    pub fn list(self, name: &str, items: impl Iterator<Item = String>) -> Self {
        let items: Vec<String> = items.collect();
        self.raw(name, &format!("[{}]", items.join(",")))
    }

    pub fn finish(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

/// A string as JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
