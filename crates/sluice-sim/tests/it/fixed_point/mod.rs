//! The fixed point of sources and links against numbers by hand, and against packets.

mod by_hand;
mod grid;
mod networks;
mod packets;
mod shares;
