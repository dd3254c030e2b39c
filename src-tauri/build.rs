//! Checks the configuration and the capabilities, and has the page embedded anew when it was built anew.

fn main() {
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    println!("cargo:rerun-if-changed=ui/dist");
    tauri_build::try_build(
        tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/**/*.json"),
    )
    .expect("tauri.conf.json, the capabilities and the icons are in order");
}
