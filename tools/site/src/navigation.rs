//! The list of all pages, for every page. The part with the present page is open.

use mdbook_driver::book::{Book, BookItem, Chapter};

/// The parts of the summary with their pages.
pub(crate) struct Navigation {
    parts: Vec<NavigationPart>,
}

struct NavigationPart {
    /// Empty for the pages before the first part.
    title: String,
    pages: Vec<NavigationPage>,
}

struct NavigationPage {
    name: String,
    /// Its address from the site's root.
    address: String,
    /// Whether the summary has it below another page.
    is_nested: bool,
}

impl Navigation {
    /// Of the chapters of the summary.
    pub(crate) fn of(book: &Book) -> Self {
        let mut parts = vec![NavigationPart::new(String::new())];
        for item in &book.items {
            match item {
                BookItem::PartTitle(title) => parts.push(NavigationPart::new(title.clone())),
                BookItem::Chapter(chapter) => {
                    if let Some(part) = parts.last_mut() {
                        part.add(chapter, false);
                    }
                }
                BookItem::Separator => {}
            }
        }
        Self { parts }
    }

    /// As HTML for the page at `address`; `root` is the way to the site's root.
    pub(crate) fn html(&self, address: &str, root: &str) -> String {
        let mut html = String::new();
        for part in &self.parts {
            let mut list = String::from("<ul>");
            for page in &part.pages {
                let class = if page.is_nested {
                    " class=\"nested\""
                } else {
                    ""
                };
                let current = if page.address == address {
                    " aria-current=\"page\""
                } else {
                    ""
                };
                let (name, to) = (escaped(&page.name), &page.address);
                list.push_str(&format!(
                    "<li{class}><a href=\"{root}{to}\"{current}>{name}</a></li>"
                ));
            }
            list.push_str("</ul>");
            let has_page = part.pages.iter().any(|page| page.address == address);
            html.push_str(&match (part.title.as_str(), has_page) {
                ("", _) => list,
                (title, true) => part_html(title, " open", &list),
                (title, false) => part_html(title, "", &list),
            });
        }
        html
    }
}

fn part_html(title: &str, open: &str, list: &str) -> String {
    let title = escaped(title);
    format!("<details{open}><summary>{title}</summary>{list}</details>")
}

impl NavigationPart {
    fn new(title: String) -> Self {
        Self {
            title,
            pages: Vec::new(),
        }
    }

    fn add(&mut self, chapter: &Chapter, is_nested: bool) {
        if let Some(path) = &chapter.path {
            self.pages.push(NavigationPage {
                name: chapter.name.clone(),
                address: path.with_extension("html").display().to_string(),
                is_nested,
            });
        }
        for item in &chapter.sub_items {
            if let BookItem::Chapter(chapter) = item {
                self.add(chapter, true);
            }
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_with_the_page_is_open() {
        let page = |name: &str| NavigationPage {
            name: name.to_owned(),
            address: format!("{name}.html"),
            is_nested: false,
        };
        let part = |title: &str, name: &str| NavigationPart {
            title: title.to_owned(),
            pages: vec![page(name)],
        };
        let navigation = Navigation {
            parts: vec![part("", "home"), part("A & B", "a"), part("C", "c")],
        };
        assert_eq!(
            navigation.html("a.html", "../"),
            "<ul><li><a href=\"../home.html\">home</a></li></ul>\
             <details open><summary>A &amp; B</summary><ul>\
             <li><a href=\"../a.html\" aria-current=\"page\">a</a></li></ul></details>\
             <details><summary>C</summary><ul><li><a href=\"../c.html\">c</a></li></ul></details>"
        );
    }
}
