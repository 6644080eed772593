//! What SQLite's errors mean for the user.

use rusqlite::{ErrorCode, ffi};

use super::HistoryError;

impl From<rusqlite::Error> for HistoryError {
    fn from(error: rusqlite::Error) -> Self {
        let cause = error.to_string();
        match error {
            rusqlite::Error::SqliteFailure(failure, _) => of_failure(failure, cause),
            // Columns are typed (STRICT): another type in one, or text that is no text, is damage.
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..) => Self::Damaged { cause },
            rusqlite::Error::QueryReturnedNoRows => Self::Gone,
            _ => Self::Other(cause),
        }
    }
}

fn of_failure(failure: ffi::Error, cause: String) -> HistoryError {
    match (failure.code, failure.extended_code) {
        (ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase, _) => HistoryError::Damaged { cause },
        // Where a quota or a limit stops a write, systems report an I/O error instead of a full disk.
        (ErrorCode::DiskFull, _)
        | (
            _,
            ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_SHMSIZE | ffi::SQLITE_IOERR_TRUNCATE,
        ) => HistoryError::DiskFull { cause },
        (ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed, _) => {
            HistoryError::Busy
        }
        (ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied, _) => {
            HistoryError::Unwritable { cause }
        }
        _ => HistoryError::Other(cause),
    }
}
