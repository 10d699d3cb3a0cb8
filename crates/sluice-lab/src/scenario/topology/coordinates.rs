//! Places on Earth, and the delay of a fibre between them.

use sluice_units::Span;

/// A place on Earth, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Coordinates {
    pub latitude: f64,
    pub longitude: f64,
}

/// Mean radius of Earth in metres (IUGG).
const RADIUS: f64 = 6_371_008.8;

/// Speed of light in fibre in metres a second: two thirds of that in vacuum.
const SPEED: f64 = 299_792_458.0 * 2.0 / 3.0;

impl Coordinates {
    /// The propagation delay of a fibre along the great circle, by the haversine formula.
    pub fn delay(self, to: Self) -> Span {
        let half_sine = |a: f64, b: f64| libm::sin((b - a).to_radians() / 2.0);
        let north = half_sine(self.latitude, to.latitude);
        let east = half_sine(self.longitude, to.longitude);
        let shrink = libm::cos(self.latitude.to_radians()) * libm::cos(to.latitude.to_radians());
        let haversine = (north * north + shrink * east * east).min(1.0);
        let distance = 2.0 * RADIUS * libm::asin(haversine.sqrt());
        Span::from_secs_f64(distance / SPEED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn great_circles_have_their_known_lengths() {
        let at = |latitude, longitude| Coordinates { latitude, longitude };
        let kilometres = |span: Span| span.as_secs_f64() * SPEED / 1000.0;
        let quarter = std::f64::consts::FRAC_PI_2 * RADIUS / 1000.0;
        assert!((kilometres(at(0.0, 0.0).delay(at(90.0, 0.0))) - quarter).abs() < 0.01);
        assert!((kilometres(at(0.0, -170.0).delay(at(0.0, 100.0))) - quarter).abs() < 0.01);
        // New York to London.
        let new_york = at(40.7128, -74.0060);
        assert!((kilometres(new_york.delay(at(51.5074, -0.1278))) - 5570.0).abs() < 5.0);
        assert_eq!(new_york.delay(new_york), Span::ZERO);
    }
}
