//! Scenario files -> runs -> results.
