//! Maps whose values are words of 64 bits.

use libbpf_rs::{MapCore, MapFlags, MapMut};

use crate::Error;

/// The value of each possible CPU at `index` of a per-CPU map.
pub fn read(map: &MapMut<'_>, index: u32) -> Result<Vec<Vec<u64>>, Error> {
    let found = map.lookup_percpu(&index.to_ne_bytes(), MapFlags::ANY);
    let found = found.map_err(|cause| failed(map, cause))?.unwrap_or_default();
    Ok(found.iter().map(|bytes| words(bytes)).collect())
}

/// The value at `index` of a map for all CPUs, copied while no packet holds its lock.
pub fn read_locked(map: &MapMut<'_>, index: u32) -> Result<Vec<u64>, Error> {
    let found = map.lookup(&index.to_ne_bytes(), MapFlags::LOCK);
    Ok(words(&found.map_err(|cause| failed(map, cause))?.unwrap_or_default()))
}

/// Sets the value of each possible CPU at `index` of a per-CPU map.
pub fn write(map: &MapMut<'_>, index: u32, values: &[Vec<u64>]) -> Result<(), Error> {
    let values: Vec<Vec<u8>> = values.iter().map(|words| bytes(words)).collect();
    map.update_percpu(&index.to_ne_bytes(), &values, MapFlags::ANY)
        .map_err(|cause| failed(map, cause))
}

fn words(bytes: &[u8]) -> Vec<u64> {
    let (words, _) = bytes.as_chunks();
    words.iter().map(|&word| u64::from_ne_bytes(word)).collect()
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

fn failed(map: &MapMut<'_>, cause: libbpf_rs::Error) -> Error {
    Error::Map(map.name().to_string_lossy().into_owned(), cause)
}
