//! Places whose distances are near those along links: stress majorization (Gansner, Koren and North,
//! "Graph drawing by stress majorization", 2004), begun with classical scaling (Torgerson, 1952).

use super::place::Place;

/// Rounds of the power iteration for each axis.
const POWERS: usize = 60;
/// The maximum number of rounds of majorization.
const ROUNDS: usize = 300;
/// The movement that ends it, as a part of the unit of lengths.
const STILL: f64 = 1e-4;
/// Turns by this angle never repeat: the golden one, in radians.
const GOLDEN: f64 = 2.399_963_229_728_653;

/// Where nodes are, given the length of the shortest way between any two, which is above 0. The
/// longest extent is horizontal, with the first node on the left.
pub fn places(distances: &[Vec<f64>]) -> Vec<Place> {
    let mut places = scaled(distances);
    for _ in 0..ROUNDS {
        if majorize(&mut places, distances) < STILL {
            break;
        }
    }
    turned(&places)
}

/// One round: each node moves to the weighted mean of where the others want it. The largest
/// movement.
fn majorize(places: &mut [Place], distances: &[Vec<f64>]) -> f64 {
    let mut largest = 0.0_f64;
    for node in 0..places.len() {
        let (mut sum, mut weights, here) = ([0.0; 2], 0.0, places[node]);
        for (other, there) in places.iter().enumerate().filter(|(other, _)| *other != node) {
            let wanted = distances[node][other];
            let weight = 1.0 / (wanted * wanted);
            let away = direction(*there, here, node);
            for axis in 0..2 {
                sum[axis] += weight * (there[axis] + wanted * away[axis]);
            }
            weights += weight;
        }
        if weights > 0.0 {
            places[node] = sum.map(|sum| sum / weights);
            largest =
                largest.max(libm::hypot(places[node][0] - here[0], places[node][1] - here[1]));
        }
    }
    largest
}

/// The unit vector from one place to another; of its own for each node where they coincide.
fn direction(from: Place, to: Place, node: usize) -> Place {
    let (x, y) = (to[0] - from[0], to[1] - from[1]);
    let length = libm::hypot(x, y);
    if length > 1e-6 { [x / length, y / length] } else { unit(node as f64 * GOLDEN) }
}

/// The unit vector of an angle.
pub fn unit(angle: f64) -> Place {
    [libm::cos(angle), libm::sin(angle)]
}

/// Classical scaling: the two principal axes of the centred squared distances.
fn scaled(distances: &[Vec<f64>]) -> Vec<Place> {
    let count = distances.len();
    let square = |a: usize, b: usize| distances[a][b] * distances[a][b];
    let means: Vec<f64> =
        (0..count).map(|a| (0..count).map(|b| square(a, b)).sum::<f64>() / count as f64).collect();
    let mean = means.iter().sum::<f64>() / count as f64;
    let centred = |a: usize, b: usize| (means[a] + means[b] - square(a, b) - mean) / 2.0;
    let matrix: Vec<Vec<f64>> =
        (0..count).map(|a| (0..count).map(|b| centred(a, b)).collect()).collect();
    // Begun at vectors that are not alike, since an axis may be any of a plane.
    let begin = |turn: fn(f64) -> f64| (1..=count).map(|node| turn(node as f64 * GOLDEN)).collect();
    let (first, extent) = principal(&matrix, begin(libm::cos), &[]);
    let (second, other) = principal(&matrix, begin(libm::sin), &first);
    let [extent, other] = [extent, other].map(|value| value.max(0.0).sqrt());
    first.iter().zip(&second).map(|(x, y)| [x * extent, y * other]).collect()
}

/// The principal axis of a matrix among those normal to `other`, and its eigenvalue.
fn principal(matrix: &[Vec<f64>], begin: Vec<f64>, other: &[f64]) -> (Vec<f64>, f64) {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (mut axis, mut value) = (begin, 0.0);
    for _ in 0..POWERS {
        let along = dot(&axis, other);
        axis.iter_mut().zip(other).for_each(|(part, other)| *part -= along * other);
        let length = dot(&axis, &axis).sqrt().max(f64::MIN_POSITIVE);
        axis.iter_mut().for_each(|part| *part /= length);
        let next: Vec<f64> = matrix.iter().map(|row| dot(row, &axis)).collect();
        value = dot(&axis, &next);
        // What rounding leaves of an axis without extent would grow.
        if value < 1e-9 {
            return (axis, 0.0);
        }
        axis = next;
    }
    let length = dot(&axis, &axis).sqrt();
    (axis.iter().map(|part| part / length).collect(), value)
}

/// Places turned to their principal axis.
fn turned(places: &[Place]) -> Vec<Place> {
    let count = places.len() as f64;
    let mean = [0, 1].map(|axis| places.iter().map(|place| place[axis]).sum::<f64>() / count);
    let centred: Vec<Place> =
        places.iter().map(|place| [place[0] - mean[0], place[1] - mean[1]]).collect();
    let moment = |a: usize, b: usize| centred.iter().map(|place| place[a] * place[b]).sum::<f64>();
    let angle = libm::atan2(2.0 * moment(0, 1), moment(0, 0) - moment(1, 1)) / 2.0;
    let [cos, sin] = unit(angle);
    let turn = |[x, y]: Place| [x * cos + y * sin, y * cos - x * sin];
    let side = if centred.first().is_some_and(|&first| turn(first)[0] > 0.0) { -1.0 } else { 1.0 };
    centred.iter().map(|&place| turn(place).map(|part| part * side)).collect()
}
