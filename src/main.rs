//! Arguments, logging, window or command; the only user of `anyhow`.

fn main() -> anyhow::Result<()> {
    Ok(())
}
