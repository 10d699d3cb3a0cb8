//! What the manual says about a model of traffic, sizes or queues.

/// A model that scenarios may name.
#[derive(Clone, Copy, Debug)]
pub struct ModelInfo {
    /// Its name in scenarios.
    pub name: &'static str,
    /// One line of help.
    pub title: &'static str,
    /// Where it is from: a paper, a standard or a tool.
    pub source: &'static str,
}
