//! Slow start computed independently of the engine, packet by packet.

use std::collections::VecDeque;

/// One sender, a FIFO link to the receiver, a FIFO link back; all times in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    /// Time a data packet takes to transmit.
    pub data: f64,
    /// Time a SYN takes to transmit on the way out.
    pub syn: f64,
    /// Time a SYN-ACK or ACK takes to transmit on the way back.
    pub ack: f64,
    /// Propagation delay, each way.
    pub delay: f64,
}

/// Behaviour of sender and receiver.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// Initial window in packets.
    pub window: u64,
    /// Longest delay of an ACK that waits for a second packet; `None` acknowledges each packet.
    pub delayed_ack: Option<f64>,
}

/// Arrival of each of `packets` packets at the receiver, counted from the SYN: in slow start the
/// window grows by one packet per ACK, however much the ACK covers, and packets leave as ACKs
/// arrive.
pub fn arrivals(network: &Network, ends: &Ends, packets: usize) -> Vec<f64> {
    let Network { data, syn, ack, delay } = *network;
    let mut now = syn + delay + ack + delay; // the SYN-ACK arrives
    let (mut window, mut acked) = (ends.window, 0);
    let (mut out_free, mut back_free) = (0.0_f64, syn + delay + ack);
    // ACKs in flight: arrival time, and the packets acknowledged.
    let mut acks = VecDeque::new();
    // Arrival of the packet whose ACK is delayed, if any.
    let mut waiting: Option<f64> = None;
    let mut arrivals: Vec<f64> = Vec::new();
    for packet in 0..packets as u64 {
        while packet >= acked + window {
            if let (true, Some(since), Some(patience)) =
                (acks.is_empty(), waiting, ends.delayed_ack)
            {
                back_free = back_free.max(since + patience) + ack;
                acks.push_back((back_free + delay, packet));
                waiting = None;
            }
            (now, acked) = acks.pop_front().expect("a packet in flight is acknowledged");
            window += 1;
        }
        out_free = out_free.max(now) + data;
        let arrived = out_free + delay;
        arrivals.push(arrived);
        match (ends.delayed_ack, waiting) {
            (Some(patience), Some(since)) if since + patience <= arrived => {
                // The delayed ACK left before this packet arrived.
                back_free = back_free.max(since + patience) + ack;
                acks.push_back((back_free + delay, packet));
                waiting = Some(arrived);
            }
            (Some(_), None) => waiting = Some(arrived),
            _ => {
                back_free = back_free.max(arrived) + ack;
                acks.push_back((back_free + delay, packet + 1));
                waiting = None;
            }
        }
    }
    arrivals
}
