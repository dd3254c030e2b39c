#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| tests::fuzz::devices::lines(input));
