//! Points in the unit square: the nearest ones, and the shortest tree.

use rand::Rng;

/// Points in the unit square.
pub(super) struct Plane {
    points: Vec<(f64, f64)>,
}

impl Plane {
    /// So many points, drawn independently.
    pub fn random(count: usize, rng: &mut impl Rng) -> Self {
        Self { points: (0..count).map(|_| (rng.random(), rng.random())).collect() }
    }

    /// The distance between two points, over the diagonal of the square.
    pub fn distance(&self, a: usize, b: usize) -> f64 {
        (squared(self.points[a], self.points[b]) / 2.0).sqrt()
    }

    /// All points, the nearest to `from` first.
    pub fn nearest(&self, from: (f64, f64)) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        let to = |&point: &usize| squared(self.points[point], from);
        order.sort_by(|a, b| to(a).total_cmp(&to(b)));
        order
    }

    /// All other points, the nearest to point `from` first.
    pub fn others(&self, from: usize) -> Vec<usize> {
        let mut order = self.nearest(self.points[from]);
        order.retain(|&point| point != from);
        order
    }

    /// The edges of a minimum spanning tree, by Prim's algorithm.
    pub fn tree(&self) -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        // Points outside the tree, each with the nearest one inside.
        let mut outside: Vec<(usize, usize)> = (1..self.points.len()).map(|i| (i, 0)).collect();
        let length = |&(a, b): &(usize, usize)| squared(self.points[a], self.points[b]);
        while let Some(next) =
            (0..outside.len()).min_by(|&a, &b| length(&outside[a]).total_cmp(&length(&outside[b])))
        {
            let edge @ (new, _) = outside.swap_remove(next);
            edges.push(edge);
            for (point, inside) in &mut outside {
                if length(&(*point, new)) < length(&(*point, *inside)) {
                    *inside = new;
                }
            }
        }
        edges
    }
}

fn squared(a: (f64, f64), b: (f64, f64)) -> f64 {
    let (x, y) = (a.0 - b.0, a.1 - b.1);
    x * x + y * y
}
