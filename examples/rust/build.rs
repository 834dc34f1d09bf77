//! Generates the messages from proto/. Maps keep their keys in order, so that a message gives the
//! same bytes each time.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../proto");
    prost_build::Config::new()
        .btree_map(["."])
        .compile_protos(&[root.join("flowbridge/v1/frame.proto")], &[root])
}
