//! Times, durations and sizes in words that line up.

use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;
use jiff::{Timestamp, ZonedDateTime};

fn local(time: SystemTime) -> Option<ZonedDateTime> {
    Timestamp::try_from(time).ok().map(|time| time.to_zoned_datetime(TimeZone::system()))
}

/// `14:02:11`, local.
#[must_use]
pub fn clock(time: SystemTime) -> String {
    local(time).map_or_else(String::new, |time| time.strftime("%H:%M:%S").to_string())
}

/// `14:02:11.204`, local.
#[must_use]
pub fn clock_exact(time: SystemTime) -> String {
    local(time).map_or_else(String::new, |time| time.strftime("%H:%M:%S%.3f").to_string())
}

/// `3 ms`, `2.4 s`, `1 min 5 s`.
#[must_use]
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match duration.as_millis() {
        millis @ 0..1000 => format!("{millis} ms"),
        1000..60_000 => format!("{:.1} s", duration.as_secs_f64()),
        _ => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

/// `+2.41 s`: since something began.
#[must_use]
pub fn since(duration: Duration) -> String {
    format!("+{:.2} s", duration.as_secs_f64())
}

/// Whole seconds from `start` to now, for texts that are painted once a second.
#[must_use]
pub fn elapsed(start: SystemTime) -> String {
    format!("{} s", start.elapsed().unwrap_or_default().as_secs())
}

/// `148 B`, `1.9 KB`, `8.0 MB`.
#[must_use]
pub fn size(bytes: usize) -> String {
    const KILO: f64 = 1024.0;
    let value = bytes as f64;
    if bytes < 1024 {
        format!("{bytes} B")
    } else if value < KILO * KILO {
        format!("{:.1} KB", value / KILO)
    } else {
        format!("{:.1} MB", value / KILO / KILO)
    }
}

/// `1 error`, `2 errors`.
#[must_use]
pub fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_read_well_at_every_magnitude() {
        assert_eq!(duration(Duration::from_micros(400)), "0 ms");
        assert_eq!(duration(Duration::from_millis(34)), "34 ms");
        assert_eq!(duration(Duration::from_millis(2410)), "2.4 s");
        assert_eq!(duration(Duration::from_secs(65)), "1 min 5 s");
        assert_eq!(since(Duration::from_millis(30)), "+0.03 s");
        assert_eq!(size(148), "148 B");
        assert_eq!(size(1946), "1.9 KB");
        assert_eq!(size(8 << 20), "8.0 MB");
        assert_eq!(count(1, "error"), "1 error");
        assert_eq!(count(0, "warning"), "0 warnings");
    }
}
