//! Max-min fair rates.

use sluice_units::Rate;

/// The max-min fair rates of flows over links of these capacities; `flows` has the links of each, of which
/// there is at least one. By progressive filling (Bertsekas and Gallager, Data Networks, section 6.5.2): the
/// link whose flows get least fixes their rates, then the next among those that are left.
pub fn max_min(capacities: &[Rate], flows: &[Vec<usize>]) -> Vec<Rate> {
    let mut left: Vec<f64> = capacities.iter().map(|capacity| capacity.as_bps_f64()).collect();
    let mut rates: Vec<Option<f64>> = vec![None; flows.len()];
    loop {
        let free = |link: usize| {
            let crosses = |flow: &usize| rates[*flow].is_none() && flows[*flow].contains(&link);
            (0..flows.len()).filter(crosses).collect::<Vec<usize>>()
        };
        let shares = (0..left.len()).map(|link| (left[link], free(link)));
        let narrowest = shares
            .filter(|(_, flows)| !flows.is_empty())
            .map(|(left, flows)| (left / flows.len() as f64, flows))
            .min_by(|(a, _), (b, _)| a.total_cmp(b));
        let Some((share, fixed)) = narrowest else { break };
        for flow in fixed {
            rates[flow] = Some(share);
            flows[flow].iter().for_each(|&link| left[link] = (left[link] - share).max(0.0));
        }
    }
    rates.into_iter().map(|rate| Rate::from_bps_f64(rate.unwrap_or(0.0))).collect()
}

/// The rates of flows under equation (8), which counts each flow as one wherever it is bottlenecked: the least of
/// the equal shares of its links.
pub fn equal_shares(capacities: &[Rate], flows: &[Vec<usize>]) -> Vec<Rate> {
    let share = |&link: &usize| {
        let crossing = flows.iter().filter(|flow| flow.contains(&link)).count();
        capacities[link].as_bps_f64() / crossing as f64
    };
    let least = |flow: &Vec<usize>| flow.iter().map(share).fold(f64::INFINITY, f64::min);
    flows.iter().map(|flow| Rate::from_bps_f64(least(flow))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(capacities: &[u64], flows: &[&[usize]]) -> Vec<u64> {
        let capacities: Vec<Rate> = capacities.iter().copied().map(Rate::from_bps).collect();
        let flows: Vec<Vec<usize>> = flows.iter().map(|links| links.to_vec()).collect();
        max_min(&capacities, &flows).into_iter().map(Rate::as_bps).collect()
    }

    #[test]
    fn shares_by_hand() {
        assert_eq!(shares(&[4_000, 6_000], &[&[0, 1], &[0], &[1]]), [2_000, 2_000, 4_000]);
        assert_eq!(shares(&[8_000, 6_000], &[&[0, 1], &[0], &[1]]), [3_000, 5_000, 3_000]);
        assert_eq!(shares(&[900], &[&[0], &[0], &[0]]), [300, 300, 300]);
        assert_eq!(shares(&[4_000], &[]), [0; 0]);
    }

    #[test]
    fn equal_shares_leave_what_a_flow_cannot_use() {
        let capacities = [4_000, 6_000].map(Rate::from_bps);
        let rates = equal_shares(&capacities, &[vec![0, 1], vec![0], vec![1]]);
        assert_eq!(rates, [2_000, 2_000, 3_000].map(Rate::from_bps));
    }
}
