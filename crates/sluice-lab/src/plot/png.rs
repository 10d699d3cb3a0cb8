//! An SVG as pixels.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use super::error::PlotError;

/// Pixels for each unit of the SVG.
const SCALE: f32 = 2.0;

/// Paints an SVG with the fonts of the system.
pub fn png(svg: &str) -> Result<Vec<u8>, PlotError> {
    let mut fonts = fontdb::Database::new();
    fonts.load_system_fonts();
    if fonts.is_empty() {
        return Err(PlotError::NoFont);
    }
    let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
    let tree =
        Tree::from_str(svg, &options).map_err(|error| PlotError::Paint(error.to_string()))?;
    let size = tree.size().to_int_size().scale_by(SCALE);
    let pixels = size.and_then(|size| Pixmap::new(size.width(), size.height()));
    let mut pixels = pixels.ok_or_else(|| PlotError::Paint("it has no size".into()))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PlotError::Paint(error.to_string()))
}
