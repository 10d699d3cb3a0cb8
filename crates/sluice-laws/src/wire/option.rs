//! The TCP option that carries a header (`docs/wire.md`, "The option").

use super::form::{ECHO, Form};
use crate::WireHeader;

/// TCP option kind: the first experimental one (RFC 6994).
pub const KIND: u8 = 253;
/// Which experiment (RFC 6994).
pub const EXID: u16 = 0x51CE;
/// Version of the format.
pub const VERSION: u8 = 1;
/// Length of the option that carries the echo alone.
pub const SHORT: usize = 8;
/// Length of the longest option.
pub const LONGEST: usize = SHORT + 4 * ECHO;

impl Form {
    /// Length of the option with the forward words.
    pub const fn full(&self) -> usize {
        SHORT + 4 * self.forward
    }

    /// Writes the option for a header into `out`, where `room` bytes are left, and returns its length:
    /// full; short where that does not fit or all forward words are zero; 0 where not even that fits.
    pub fn write(&self, header: WireHeader, room: usize, out: &mut [u8; LONGEST]) -> usize {
        let words = header.get();
        let (forward, echo) = (&words[..self.forward], words[ECHO]);
        let says = forward.iter().any(|&word| word != 0);
        let length = if says && room >= self.full() { self.full() } else { SHORT };
        if length > room {
            return 0;
        }
        out[..2].copy_from_slice(&[KIND, length as u8]);
        out[2..4].copy_from_slice(&EXID.to_be_bytes());
        let names = u32::from(VERSION << 4 | self.law) << 24;
        out[4..8].copy_from_slice(&(names | self.echo.code(echo)).to_be_bytes());
        for (bytes, word) in out[SHORT..length].chunks_exact_mut(4).zip(forward) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        length
    }

    /// The header in the option at the start of `bytes`, or `None` if it is not one of this form.
    pub fn read(&self, bytes: &[u8]) -> Option<WireHeader> {
        let length = usize::from(*bytes.get(1)?);
        let bytes = bytes.get(..length)?;
        let known = length == SHORT || length == self.full();
        let [experiment, names] = [be32(bytes, 0)? & 0xFF00_FFFF, be32(bytes, 4)?];
        let ours = experiment == u32::from(KIND) << 24 | u32::from(EXID)
            && names >> 24 == u32::from(VERSION << 4 | self.law);
        if !(known && ours) {
            return None;
        }
        let mut words = [0; 4];
        for (i, word) in words.iter_mut().enumerate().take(self.forward) {
            *word = be32(bytes, SHORT + 4 * i).unwrap_or(0);
        }
        words[ECHO] = self.echo.word(names & 0xFF_FFFF);
        Some(WireHeader::new(words))
    }
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at + 4)?;
    Some(u32::from_be_bytes(word.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Parameters, ProtocolName};
    use proptest::prelude::*;

    fn forms() -> Vec<Form> {
        let parameters = Parameters::default();
        ProtocolName::ALL.iter().filter_map(|&name| parameters.protocol(name).wire()).collect()
    }

    fn written(form: &Form, header: WireHeader, room: usize) -> Vec<u8> {
        let mut out = [0; LONGEST];
        let length = form.write(header, room, &mut out);
        out[..length].to_vec()
    }

    #[test]
    fn an_rcp_option_by_hand() {
        let form = forms()[0];
        let option = written(&form, WireHeader::new([u32::MAX, 1 << 28, 0, 5]), 40);
        let by_hand = [253, 16, 0x51, 0xCE, 0x11, 0, 0, 5, 0xFF, 0xFF, 0xFF, 0xFF, 0x10, 0, 0, 0];
        assert_eq!(option, by_hand);
    }

    #[test]
    fn every_law_has_its_own_number() {
        let laws: Vec<u8> = forms().iter().map(|form| form.law).collect();
        assert!((1..=laws.len() as u8).eq(laws.iter().copied()), "{laws:?}");
    }

    #[test]
    fn the_table_of_rooms_holds() {
        for form in forms() {
            let length = |room| written(&form, WireHeader::new([1, 2, 3, 4]), room).len();
            let full = if form.forward == 2 { 16 } else { 20 };
            assert_eq!([40, 28, 20].map(length), [full; 3]);
            assert_eq!(length(16), if form.forward == 2 { 16 } else { SHORT });
            assert_eq!([12, 8].map(length), [SHORT; 2]);
            assert_eq!([4, 0].map(length), [0; 2]);
            assert_eq!(written(&form, WireHeader::new([0, 0, 0, 4]), 40).len(), SHORT);
        }
    }

    proptest! {
        #[test]
        fn options_read_back_as_written(words: [u32; 4], room in 0_usize..=40) {
            for form in forms() {
                let option = written(&form, WireHeader::new(words), room);
                let mut heard = [0; 4];
                if option.len() > SHORT {
                    heard[..form.forward].copy_from_slice(&words[..form.forward]);
                }
                heard[ECHO] = form.echo.rounded(words[ECHO]);
                let read = form.read(&option).map(WireHeader::get);
                prop_assert_eq!(read, (!option.is_empty()).then_some(heard));
            }
        }

        #[test]
        fn no_bytes_are_misread(bytes in prop::collection::vec(any::<u8>(), 0..44), cut in 0_usize..20) {
            for form in forms() {
                form.read(&bytes);
                let good = written(&form, WireHeader::new([1, 2, 3, 4]), 40);
                prop_assert_eq!(form.read(&good[..cut.min(good.len() - 1)]), None);
            }
        }
    }
}
