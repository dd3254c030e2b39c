//! The parts of the command line that tests and benchmarks use as a library: the referee and its JSON shapes.

pub mod referee;
