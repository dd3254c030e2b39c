//! `c5 brain`: the CPU as a Gomocup engine (INTERFACES.md). What is said and done is decided in [`talk`], without
//! input, output or clock; [`shell`] reads, writes and thinks.

mod limits;
mod position;
mod shell;
mod swap;
mod talk;
#[cfg(test)]
mod tests;

pub(crate) use shell::run;
