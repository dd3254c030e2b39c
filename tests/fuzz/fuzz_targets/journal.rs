#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| tests::fuzz::devices::journal(input));
