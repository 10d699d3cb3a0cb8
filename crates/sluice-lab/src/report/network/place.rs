//! Places in the plane.

/// A place: from the left and from the top.
pub type Place = [f64; 2];

/// Moves and scales places to a width of 1 from (0, 0) on; also the height.
pub fn framed(places: &[Place]) -> (Vec<Place>, f64) {
    let end = |axis: usize, choose: fn(f64, f64) -> f64| {
        places.iter().map(|place| place[axis]).reduce(choose).unwrap_or(0.0)
    };
    let [left, top] = [0, 1].map(|axis| end(axis, f64::min));
    let width = end(0, f64::max) - left;
    // Nodes above each other have no width.
    let scale = if width > 1e-9 { 1.0 / width } else { 1.0 };
    let framed = |place: &Place| [(place[0] - left) * scale, (place[1] - top) * scale];
    (places.iter().map(framed).collect(), (end(1, f64::max) - top) * scale)
}
