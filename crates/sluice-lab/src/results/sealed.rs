//! Digests that show whether a file is as it was written. XXH3 with 128 bits: it finds every
//! accident, at the speed of memory, and no forgery.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use twox_hash::XxHash3_128;

/// Bytes read at a time.
const BLOCK: usize = 1 << 18;

/// XXH3 of 128 bits (`xxh128sum`), in JSON as 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u128);

impl Digest {
    /// The digest of a file's contents.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        let (mut file, mut hash) = (File::open(path)?, XxHash3_128::new());
        let mut block = vec![0; BLOCK];
        loop {
            match file.read(&mut block) {
                Ok(0) => return Ok(Self(hash.finish_128())),
                Ok(read) => hash.write(&block[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        Self(XxHash3_128::oneshot(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:032x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        u128::from_str_radix(&text, 16).map(Self).map_err(D::Error::custom)
    }
}

/// A JSON file with a digest of its own contents.
#[derive(Serialize, Deserialize)]
pub struct Sealed<T> {
    /// Digest of `content` as compact JSON.
    xxh128: Digest,
    content: T,
}

impl<T: Serialize> Sealed<T> {
    /// Writes the contents with their digest.
    pub fn write(content: T, out: &mut impl Write) -> io::Result<()> {
        let xxh128 = Digest::of_bytes(&serde_json::to_vec(&content)?);
        serde_json::to_writer(&mut *out, &Self { xxh128, content })?;
        out.write_all(b"\n")
    }
}

impl<T: Serialize + DeserializeOwned> Sealed<T> {
    /// The contents; `None` unless the file is to the byte as it was written.
    pub fn read(text: &[u8]) -> Option<T> {
        let Self { content, .. } = serde_json::from_slice(text).ok()?;
        let mut written = Vec::with_capacity(text.len());
        Sealed::write(&content, &mut written).ok()?;
        (written == text).then_some(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_xxh128sum() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "sluice").unwrap();
        let digest = Digest::of_file(&file).unwrap();
        assert_eq!(digest, Digest::of_bytes(b"sluice"));
        std::fs::write(&file, "").unwrap();
        // Of no bytes, as xxHash's own tests have it.
        let none = serde_json::to_string(&Digest::of_file(&file).unwrap()).unwrap();
        assert_eq!(none, "\"99aa06d3014798d86001c324468d497f\"");
    }

    #[test]
    fn a_change_of_any_number_is_found() {
        let mut text = Vec::new();
        Sealed::write(vec![1.5, 0.1 + 0.2, 1e300], &mut text).unwrap();
        assert_eq!(Sealed::read(&text), Some(vec![1.5, 0.1 + 0.2, 1e300]));
        let altered = String::from_utf8(text).unwrap().replace("1.5", "1.6");
        assert_eq!(Sealed::<Vec<f64>>::read(altered.as_bytes()), None);
        assert_eq!(Sealed::<Vec<f64>>::read(b"{}"), None);
    }
}
