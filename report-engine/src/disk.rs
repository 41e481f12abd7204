//! A disk that takes no more. The writer of workbooks panics there, which is no defect of ours and is told as any other failure of a disk.
use std::any::Any;
use std::error::Error;
use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Whether the disk, or what this program may have of it, holds no more.
pub fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
}

/// What the disk said, where that is behind an error of a writer.
pub fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a io::Error> {
    error.downcast_ref().or_else(|| error.source().and_then(cause))
}

/// Works with the writer of workbooks. What was half done when it panicked is not used again: a failed file is dropped.
pub fn guarded<T, E: From<io::Error>>(work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| match disk_error(&*panic) {
        Some(error) => Err(error.into()),
        None => resume_unwind(panic),
    })
}

/// The error of the system that a failed `expect` or `unwrap` names: `Couldn't write …: Os { code: 28, … }`.
fn disk_error(panic: &(dyn Any + Send)) -> Option<io::Error> {
    let told = panic.downcast_ref::<String>()?;
    let code = told.split_once("Os { code: ")?.1.split_once(',')?.0;
    code.parse().ok().map(io::Error::from_raw_os_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_SPACE: i32 = 28;

    #[test]
    fn a_panic_over_the_disk_is_its_error_and_every_other_goes_on() {
        let failed: io::Result<()> = guarded(|| panic!("Couldn't write: {:?}", io::Error::from_raw_os_error(NO_SPACE)));
        assert!(is_full(&failed.unwrap_err()));
        let defect = catch_unwind(|| guarded::<(), io::Error>(|| panic!("index {} out of bounds", 7)));
        assert!(defect.is_err());
        assert_eq!(guarded::<_, io::Error>(|| Ok(1)).unwrap(), 1);
    }
}
