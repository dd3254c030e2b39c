//! The built UI is part of the binary: when it changes, and when it is built for the first time, so does the binary.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../../ui/dist");
}
