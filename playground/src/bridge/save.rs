//! Files that the playground makes. The browser stores them; they are not sent.

use std::cell::RefCell;

use js_sys::{Array, encode_uri_component};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement,
    HtmlImageElement, Url, window,
};

/// Pixels of an image for each unit of its drawing.
const SCALE: u32 = 2;

thread_local! {
    /// The address of the last saved text. Browsers may read it after the click returns, so it is
    /// released when the next text is saved.
    static SAVED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Saves a text as a file; `None` if the browser refuses.
#[must_use]
pub fn save_text(name: &str, media_type: &str, text: &str) -> Option<()> {
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = Array::of1(&JsValue::from_str(text));
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options).ok()?;
    let address = Url::create_object_url_with_blob(&blob).ok()?;
    if let Some(previous) = SAVED.replace(Some(address.clone())) {
        // An address that is not released costs memory until the playground is closed, nothing else.
        let _ = Url::revoke_object_url(&previous);
    }
    save(name, &address)
}

/// Saves a drawing as a PNG image with two pixels for each unit, and reports whether the browser did.
pub fn save_png(name: &'static str, svg: &str, done: impl FnOnce(bool) + 'static) {
    // Images from data are permitted by the playground's security policy, blobs are not.
    let source = format!(
        "data:image/svg+xml,{}",
        String::from(encode_uri_component(svg))
    );
    yew::platform::spawn_local(async move {
        done(
            png(&source)
                .await
                .and_then(|png| save(name, &png))
                .is_some(),
        );
    });
}

/// The image of a drawing as an address with its data.
async fn png(source: &str) -> Option<String> {
    let image = HtmlImageElement::new().ok()?;
    image.set_src(source);
    JsFuture::from(image.decode()).await.ok()?;
    let (width, height) = (
        image.natural_width() * SCALE,
        image.natural_height() * SCALE,
    );
    let canvas = window()?.document()?.create_element("canvas").ok()?;
    let canvas: HtmlCanvasElement = canvas.dyn_into().ok()?;
    canvas.set_width(width);
    canvas.set_height(height);
    let context = canvas.get_context("2d").ok()??;
    let context: CanvasRenderingContext2d = context.dyn_into().ok()?;
    let drawn = context.draw_image_with_html_image_element_and_dw_and_dh(
        &image,
        0.0,
        0.0,
        f64::from(width),
        f64::from(height),
    );
    drawn.ok()?;
    canvas.to_data_url().ok()
}

/// Saves the content of an address.
fn save(name: &str, address: &str) -> Option<()> {
    let link = window()?.document()?.create_element("a").ok()?;
    link.set_attribute("href", address).ok()?;
    link.set_attribute("download", name).ok()?;
    link.dyn_into::<HtmlElement>().ok()?.click();
    Some(())
}
