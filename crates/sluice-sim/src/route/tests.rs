use proptest::prelude::*;

use super::*;

fn link((from, to, delay): (usize, usize, u64)) -> LinkConfig {
    let delay = Span::from_nanos(delay);
    LinkConfig { delay, ..LinkConfig::new(from, to, Rate::from_bps(1_000_000)) }
}

/// Every path without a cycle between two nodes, with its cost.
fn all_paths(links: &[LinkConfig], from: usize, to: usize) -> Vec<(Span, Vec<LinkId>)> {
    let mut found = Vec::new();
    let mut waiting = vec![(from, vec![from], Span::ZERO, Vec::new())];
    while let Some((at, visited, delay, path)) = waiting.pop() {
        if at == to {
            found.push((delay, path));
            continue;
        }
        for (id, link) in links.iter().enumerate().filter(|(_, link)| link.from == at) {
            if !visited.contains(&link.to) {
                let visited = [&visited[..], &[link.to]].concat();
                waiting.push((link.to, visited, delay + link.delay, [&path[..], &[id]].concat()));
            }
        }
    }
    found
}

/// The paths of least delay, and of these with the fewest links.
fn least(links: &[LinkConfig], from: usize, to: usize) -> Vec<Vec<LinkId>> {
    let all = all_paths(links, from, to);
    let cost = |(delay, path): &(Span, Vec<LinkId>)| (*delay, path.len());
    let Some(best) = all.iter().map(cost).min() else { return Vec::new() };
    let mut least: Vec<_> = all.into_iter().filter(|path| cost(path) == best).collect();
    least.sort_unstable();
    least.into_iter().map(|(_, path)| path).collect()
}

fn group(from: usize, to: usize, routing: Routing) -> GroupConfig {
    let traffic = crate::traffic::Traffic::List(Vec::new());
    GroupConfig { routing, ..GroupConfig::new("group", from, to, traffic) }
}

/// Leaves 0 and 1, spines 2, 3, 4 and 5, host 6 on leaf 0, host 7 on leaf 1.
fn leaf_spine() -> Vec<LinkConfig> {
    let up_and_down = (2..6).flat_map(|spine| [(0, spine, 1), (1, spine, 1)]);
    let both_ways = up_and_down.chain([(6, 0, 1), (7, 1, 1)]);
    both_ways.flat_map(|(a, b, delay)| [(a, b, delay), (b, a, delay)]).map(link).collect()
}

proptest! {
    /// Against a list of all paths.
    #[test]
    fn flows_take_all_paths_of_least_cost_and_no_others(
        ends in prop::collection::vec((0_usize..7, 0_usize..7, 1_u64..4), 0..14),
        both_ways: bool,
    ) {
        let ends = ends.into_iter().filter(|(from, to, _)| from != to);
        let links: Vec<LinkConfig> = ends
            .flat_map(|(from, to, delay)| {
                [(from, to, delay), (to, from, delay)].into_iter().take(1 + usize::from(both_ways))
            })
            .map(link)
            .collect();
        let mut routes = Routes::new(7, &links);
        for (from, to) in (0..7).flat_map(|from| (0..7).map(move |to| (from, to))) {
            let wanted = least(&links, from, to);
            if from == to {
                continue;
            }
            let Some(found) = routes.least(from, to) else {
                prop_assert!(wanted.is_empty());
                continue;
            };
            let streams = Streams::new(1, "group");
            let ways = Ways::hashed(found.clone(), FlowHash::new(&streams, "path"), LinkWeights::Equal);
            let mut taken: Vec<_> = (0..400).map(|index| ways.of_flow(index).into_owned()).collect();
            taken.sort_unstable();
            taken.dedup();
            prop_assert_eq!(&taken, &wanted, "{} to {}", from, to);
            prop_assert_eq!(ways.only().is_some(), wanted.len() == 1);
            prop_assert!(wanted.contains(&found.lowest()));
            let mut union: Vec<_> = wanted.concat();
            union.sort_unstable();
            union.dedup();
            prop_assert_eq!(routes.least_links(from, to), union);
            pairs_are_those_of(&ways, &wanted)?;
        }
    }
}

/// The pairs of links that follow each other are those of the paths.
fn pairs_are_those_of(ways: &Ways, paths: &[Vec<LinkId>]) -> Result<(), TestCaseError> {
    let mut found = BTreeSet::new();
    ways.visit(&mut |before, next| {
        found.insert((before, next));
    });
    let mut wanted = BTreeSet::new();
    for path in paths {
        let links: Vec<_> =
            [None].into_iter().chain(path.iter().copied().map(Some)).chain([None]).collect();
        wanted.extend(links.windows(2).map(|pair| (pair[0], pair[1])));
    }
    prop_assert_eq!(found, wanted);
    Ok(())
}

/// Each of four spines gets a quarter of the flows, within five standard deviations, and data and
/// acknowledgements of a flow choose independently.
#[test]
fn hashes_spread_flows_evenly() {
    let links = leaf_spine();
    let paths = Routes::new(8, &links).paths(&group(6, 7, Routing::Ecmp), 1).unwrap();
    let mut counts = [[0_u32; 4]; 4];
    for index in 0..16_000 {
        let spine = |path: &[LinkId]| links[path[1]].to - 2;
        let (out, back) = (paths.out.of_flow(index), paths.back.of_flow(index));
        counts[spine(&out)][spine(&back)] += 1;
    }
    for count in counts.as_flattened() {
        assert!(count.abs_diff(1_000) < 150, "{counts:?}");
    }
}

/// Groups and seeds differ; a flow's path does not depend on anything else.
#[test]
fn paths_depend_on_group_and_seed() {
    let links = leaf_spine();
    let mut routes = Routes::new(8, &links);
    let mut taken = |name: &str, seed| {
        let group = GroupConfig { name: name.into(), ..group(6, 7, Routing::Ecmp) };
        let out = routes.paths(&group, seed).unwrap().out;
        (0..64).map(|index| out.of_flow(index)[1]).collect::<Vec<_>>()
    };
    let first = taken("a", 1);
    assert_eq!(first, taken("a", 1));
    assert_ne!(first, taken("b", 1));
    assert_ne!(first, taken("a", 2));
}

#[test]
fn a_single_path_has_the_lowest_links() {
    let links = leaf_spine();
    let mut routes = Routes::new(8, &links);
    let paths = routes.paths(&group(6, 7, Routing::Single), 1).unwrap();
    let nodes = |path: &[LinkId]| path.iter().map(|&id| links[id].to).collect::<Vec<_>>();
    assert_eq!(nodes(paths.out.only().unwrap()), [0, 2, 1, 7]);
    assert_eq!(nodes(paths.back.only().unwrap()), [1, 2, 0, 6]);
}

/// What flows send together passes hosts' links whole and each spine in part.
#[test]
fn capacity_is_that_of_all_paths_together() {
    let mut links = leaf_spine();
    let capacity = |links: &[LinkConfig], routing| {
        let paths = Routes::new(8, links).paths(&group(6, 7, routing), 1).unwrap();
        paths.out.capacity(links).as_bps()
    };
    assert_eq!(capacity(&links, Routing::Ecmp), 1_000_000);
    for link in links.iter_mut().filter(|link| link.from >= 6 || link.to >= 6) {
        link.capacity = Rate::from_bps(10_000_000);
    }
    assert_eq!(capacity(&links, Routing::Ecmp), 4_000_000);
    assert_eq!(capacity(&links, Routing::Single), 1_000_000);
}

/// A link that a path crosses twice has room for half of what enters, whichever way the path is given.
#[test]
fn a_link_crossed_twice_counts_twice() {
    let link = |from, to, bps| LinkConfig::new(from, to, Rate::from_bps(bps));
    let links = [link(0, 1, 3_000_000), link(1, 0, 9_000_000)];
    let capacity = |path, paths| {
        let group = GroupConfig { path, paths, ..group(0, 1, Routing::Ecmp) };
        let paths = Routes::new(2, &links).paths(&group, 1).unwrap();
        paths.out.capacity(&links).as_bps()
    };
    let turns = vec![0, 1, 0];
    assert_eq!(capacity(Some(turns.clone()), vec![]), 1_500_000);
    let once = WeightedPath { path: vec![0], weight: 1 };
    let turns = WeightedPath { path: turns, weight: 1 };
    assert_eq!(capacity(None, vec![turns, once]), 2_000_000);
}

/// Next links get flows in proportion to their capacities, so all of them are full at the same rate.
#[test]
fn wcmp_weighs_links_by_capacity() {
    let mut links = leaf_spine();
    for link in &mut links {
        let is_fast = link.from == 2 || link.to == 2;
        link.capacity = Rate::from_bps(if is_fast { 3_000_000 } else { 1_000_000 });
        if link.from >= 6 || link.to >= 6 {
            link.capacity = Rate::from_bps(10_000_000);
        }
    }
    let mut routes = Routes::new(8, &links);
    let mut paths = |routing| routes.paths(&group(6, 7, routing), 1).unwrap().out;
    assert_eq!(paths(Routing::Wcmp).capacity(&links).as_bps(), 6_000_000);
    assert_eq!(paths(Routing::Ecmp).capacity(&links).as_bps(), 4_000_000);
    let wcmp = paths(Routing::Wcmp);
    let fast = (0..6_000).filter(|&index| links[wcmp.of_flow(index)[1]].to == 2).count();
    assert!(fast.abs_diff(3_000) < 200, "{fast}");
}

/// A million paths are counted, not listed.
#[test]
fn too_many_paths_for_spraying_are_refused() {
    let chain = |stages: usize| {
        let stage = |i: usize| {
            let (a, b) = (3 * i, 3 * i + 3);
            [(a, a + 1, 1), (a, a + 2, 1), (a + 1, b, 1), (a + 2, b, 1)]
        };
        let links: Vec<LinkConfig> = (0..stages)
            .flat_map(stage)
            .flat_map(|(a, b, delay)| [(a, b, delay), (b, a, delay)])
            .map(link)
            .collect();
        Routes::new(3 * stages + 1, &links).paths(&group(0, 3 * stages, Routing::Spray), 1)
    };
    assert_eq!(chain(12).unwrap().out.spray(), 4096);
    let Fault { field, what } = chain(20).unwrap_err();
    assert_eq!(field, "routing");
    assert_eq!(what, "1048576 paths are too many for spraying: at most 4096 are allowed");
}
