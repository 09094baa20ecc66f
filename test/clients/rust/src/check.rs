//! What a step compares. A difference is an error that says both sides.

use std::fmt::Debug;

use anyhow::{Result, bail, ensure};
use kube::core::Status;

pub fn equal<T: PartialEq + Debug>(what: &str, actual: T, expected: T) -> Result<()> {
    ensure!(
        actual == expected,
        "{what}: expected {expected:?}, got {actual:?}"
    );
    Ok(())
}

/// The server refuses it with this code and this reason; the refusal is handed back.
pub fn refused<T>(answer: kube::Result<T>, code: u16, reason: &str) -> Result<Box<Status>> {
    match answer {
        Err(kube::Error::Api(status)) => {
            equal("code of the refusal", status.code, code)?;
            equal("reason of the refusal", status.reason.as_str(), reason)?;
            Ok(status)
        }
        Err(other) => bail!("{other}, where {reason} was expected"),
        Ok(_) => bail!("not refused with {reason}"),
    }
}
