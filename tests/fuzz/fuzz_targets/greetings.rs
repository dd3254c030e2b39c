#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| net::fuzz::greetings(input));
