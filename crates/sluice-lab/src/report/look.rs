//! How systems look in reports and figures: colour, marker and dashes, so that colour is never the
//! only difference.

use serde::Serialize;

/// The kind of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemKind {
    /// A protocol, packet by packet.
    Protocol,
    /// A protocol, measured on a network.
    Measured,
    /// An ideal, as fluid.
    Ideal,
    /// A formula: it has curves by size and nothing else.
    Theory,
}

/// The colours of systems on one background.
pub struct Palette {
    /// Those of protocols.
    pub protocols: [&'static str; 8],
    /// That of ideals and theory.
    pub ideal: &'static str,
}

/// On white.
pub const LIGHT: Palette = Palette {
    protocols: [
        "#0060a8", "#007a5a", "#7a3e9d", "#a34700", "#8a6d00", "#0c7c93", "#a8325e", "#1f2328",
    ],
    ideal: "#6e7781",
};
/// On a dark screen.
pub const DARK: Palette = Palette {
    protocols: [
        "#6cbcf5", "#3dd6a8", "#c79be0", "#f0a070", "#f0e442", "#7fe3f5", "#ff9cbf", "#f0f6fc",
    ],
    ideal: "#9aa5b1",
};

/// Corners of a marker, in units of half its size; a circle has none.
pub type Marker = &'static [[f64; 2]];

const MARKERS: [Marker; 8] = [
    &[],
    &[[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
    &[[0.0, -1.25], [1.25, 0.0], [0.0, 1.25], [-1.25, 0.0]],
    &[[-1.15, 0.95], [0.0, -1.15], [1.15, 0.95]],
    &[[-1.15, -0.95], [0.0, 1.15], [1.15, -0.95]],
    &[
        [-1.2, -0.4],
        [-0.4, -0.4],
        [-0.4, -1.2],
        [0.4, -1.2],
        [0.4, -0.4],
        [1.2, -0.4],
        [1.2, 0.4],
        [0.4, 0.4],
        [0.4, 1.2],
        [-0.4, 1.2],
        [-0.4, 0.4],
        [-1.2, 0.4],
    ],
    &[[-1.2, 0.0], [-0.6, -1.1], [0.6, -1.1], [1.2, 0.0], [0.6, 1.1], [-0.6, 1.1]],
    &[
        [0.0, -1.3],
        [0.4, -0.4],
        [1.3, 0.0],
        [0.4, 0.4],
        [0.0, 1.3],
        [-0.4, 0.4],
        [-1.3, 0.0],
        [-0.4, -0.4],
    ],
];
const IDEAL_DASHES: [&[u32]; 3] = [&[7, 4], &[2, 3], &[10, 3, 2, 3]];
/// Dashes of protocols beyond eight, whose colours repeat: lines that are dense have no markers.
const REPEATED_DASHES: [&[u32]; 2] = [&[9, 2], &[9, 2, 2, 2]];
/// Dashes of what is measured, which has the colour and the marker of its protocol.
const MEASURED_DASHES: &[u32] = &[4, 3];
const THEORY_DASHES: &[u32] = &[1, 4];

/// How a system looks.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Look {
    /// The place of its colour among those of protocols; none for the colour of ideals.
    pub colour: Option<usize>,
    /// Lengths of dashes and gaps in pixels; none for a full line.
    pub dash: Option<&'static [u32]>,
    /// Its marker; ideals and theory have none.
    pub marker: Option<Marker>,
}

impl Look {
    /// That of a system by its kind and its place among those of its kind.
    pub fn of(kind: SystemKind, style: usize) -> Self {
        let grey = |dash| Self { colour: None, dash: Some(dash), marker: None };
        match kind {
            SystemKind::Ideal => grey(IDEAL_DASHES[style % IDEAL_DASHES.len()]),
            SystemKind::Theory => grey(THEORY_DASHES),
            SystemKind::Measured => {
                Self { dash: Some(MEASURED_DASHES), ..Self::of(SystemKind::Protocol, style) }
            }
            SystemKind::Protocol => {
                // Beyond eight, colours repeat with another marker and other dashes.
                let (colours, markers) = (LIGHT.protocols.len(), MARKERS.len());
                let turn = style / colours;
                let marker = MARKERS[(style + turn) % markers];
                let last = REPEATED_DASHES.len() - 1;
                let dash = turn.checked_sub(1).map(|again| REPEATED_DASHES[again.min(last)]);
                Self { colour: Some(style % colours), dash, marker: Some(marker) }
            }
        }
    }
}

impl Palette {
    /// The colour of a look.
    pub fn colour(&self, look: &Look) -> &'static str {
        look.colour.map_or(self.ideal, |place| self.protocols[place])
    }

    /// The palette as variables of CSS: `--c0`, `--c1`, ..., `--ideal`.
    fn css(&self) -> String {
        let colours = self.protocols.iter().enumerate();
        let colours: String = colours.map(|(i, colour)| format!("--c{i}: {colour}; ")).collect();
        format!("{colours}--ideal: {};", self.ideal)
    }
}

/// The palettes as CSS; paper is light.
pub fn css() -> String {
    let (light, dark) = (LIGHT.css(), DARK.css());
    format!(
        ":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ \
         :root:not([data-print]) {{ {dark} }} }}\n"
    )
}

#[cfg(test)]
mod tests {
    use sluice_laws::registry::ProtocolName;

    use super::*;

    #[test]
    fn no_two_of_the_first_sixty_four_protocols_look_alike() {
        let look = |style| {
            let look = Look::of(SystemKind::Protocol, style);
            format!("{:?} {:?}", look.colour, look.marker)
        };
        let mut looks: Vec<String> = (0..64).map(look).collect();
        looks.sort();
        looks.dedup();
        assert_eq!(looks.len(), 64);
    }

    #[test]
    fn no_lines_of_two_registered_protocols_look_alike_without_markers() {
        let all = ProtocolName::ALL.len();
        let line = |style| {
            let look = Look::of(SystemKind::Protocol, style);
            (look.colour, look.dash)
        };
        let mut lines: Vec<_> = (0..all).map(line).collect();
        lines.sort();
        lines.dedup();
        assert_eq!(lines.len(), all);
    }
}
