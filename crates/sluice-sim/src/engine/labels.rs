//! Labels in flight, stored apart from the packets that carry them, like selective acknowledgements
//! ([`super::sacks`]). A packet has one between the links of its path that label packets, and so none at
//! a host. Whatever else it carries is stored beneath.

use crate::queue::Label;

/// Set in numbers of labels, but not of selective acknowledgements.
const LABELLED: u32 = 1 << 30;
/// From here on, numbers are those of telemetry, or [`crate::packet::DATAGRAM`].
const END: u32 = 1 << 31;

#[derive(Clone, Copy)]
struct Labelled {
    label: Label,
    /// The number that the packet has without it.
    beneath: u32,
}

/// The labels of packets in flight.
#[derive(Default)]
pub(super) struct Labels {
    slots: Vec<Labelled>,
    free: Vec<u32>,
}

impl Labels {
    /// Makes room for a label above what a packet carries. Returns its number.
    pub(super) fn attach(&mut self, beneath: u32) -> u32 {
        let labelled = Labelled { label: Label::default(), beneath };
        if let Some(number) = self.free.pop() {
            *self.slot_mut(number) = labelled;
            return number;
        }
        self.slots.push(labelled);
        LABELLED | (self.slots.len() - 1) as u32
    }

    /// The label of a packet; `None` if it has none.
    pub(super) fn get(&self, number: u32) -> Option<Label> {
        is_label(number).then(|| self.slot(number).label)
    }

    /// Changes the label of a packet, if it has one.
    pub(super) fn set(&mut self, number: u32, label: Label) {
        if is_label(number) {
            self.slot_mut(number).label = label;
        }
    }

    /// What a packet carries but for a label.
    pub(super) fn beneath(&self, number: u32) -> u32 {
        if is_label(number) { self.slot(number).beneath } else { number }
    }

    /// The same, to be changed where the packet has it in `number`.
    pub(super) fn beneath_mut<'a>(&'a mut self, number: &'a mut u32) -> &'a mut u32 {
        if is_label(*number) { &mut self.slot_mut(*number).beneath } else { number }
    }

    /// Frees the label of a packet, if it has one. Returns what it carries without.
    pub(super) fn detach(&mut self, number: u32) -> u32 {
        if is_label(number) {
            self.free.push(number);
        }
        self.beneath(number)
    }

    /// Bytes taken by all labels.
    pub(super) fn memory(&self) -> u64 {
        (self.slots.len() * size_of::<Labelled>()) as u64
    }

    /// Number of packets that have labels.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    fn slot(&self, number: u32) -> &Labelled {
        &self.slots[(number & !LABELLED) as usize]
    }

    fn slot_mut(&mut self, number: u32) -> &mut Labelled {
        &mut self.slots[(number & !LABELLED) as usize]
    }
}

fn is_label(number: u32) -> bool {
    (LABELLED..END).contains(&number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::DATAGRAM;

    #[test]
    fn what_a_packet_carries_remains_beneath_its_label() {
        let mut labels = Labels::default();
        for beneath in [0, 1, 77, END | 5, DATAGRAM] {
            assert_eq!((labels.get(beneath), labels.beneath(beneath)), (None, beneath));
            assert_eq!(labels.detach(beneath), beneath);
            let mut number = labels.attach(beneath);
            assert_eq!((labels.len(), labels.beneath(number)), (1, beneath));
            *labels.beneath_mut(&mut number) = 9;
            assert_eq!((labels.detach(number), labels.len()), (9, 0));
        }
        assert_eq!(labels.slots.len(), 1, "a freed label is used again");
    }
}
