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

/// The same as [`day`] in fewer words: `14:02` is today.
#[must_use]
pub fn moment(time: SystemTime) -> String {
    let day = day(time);
    day.strip_prefix("today ").map_or_else(|| day.clone(), str::to_owned)
}

/// The same to the second: `14:02:11`, `yesterday 14:02:11`, `12 Nov 14:02:11`.
#[must_use]
pub fn moment_exact(time: SystemTime) -> String {
    let moment = moment(time);
    let day = if moment.contains(':') { moment.rsplit_once(' ').map_or("", |(day, _)| day) } else { &moment };
    format!("{day} {}", clock(time)).trim_start().to_owned()
}

/// `14:02:11.204`, local.
#[must_use]
pub fn clock_exact(time: SystemTime) -> String {
    local(time).map_or_else(String::new, |time| time.strftime("%H:%M:%S%.3f").to_string())
}

/// `today 14:02`, `yesterday 14:02`, `12 Nov`, `12 Nov 2025`, local.
#[must_use]
pub fn day(time: SystemTime) -> String {
    day_at(time, SystemTime::now())
}

fn day_at(time: SystemTime, now: SystemTime) -> String {
    let (Some(time), Some(now)) = (local(time), local(now)) else { return String::new() };
    let clock = time.strftime("%H:%M");
    if time.date() == now.date() {
        format!("today {clock}")
    } else if Some(time.date()) == now.date().yesterday().ok() {
        format!("yesterday {clock}")
    } else if time.year() == now.year() {
        time.strftime("%-d %b").to_string()
    } else {
        time.strftime("%-d %b %Y").to_string()
    }
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
    fn days_are_said_as_one_says_them() {
        let time = |text: &str| {
            let seconds = text.parse::<Timestamp>().unwrap().as_second();
            SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.unsigned_abs())
        };
        // At noon of UTC every zone but the outermost has the same day.
        let now = time("2026-11-30T12:00:00Z");
        assert!(day_at(now, now).starts_with("today "));
        assert!(day_at(time("2026-11-29T12:00:00Z"), now).starts_with("yesterday "));
        assert_eq!(day_at(time("2026-11-12T12:00:00Z"), now), "12 Nov");
        assert_eq!(day_at(time("2025-10-03T12:00:00Z"), now), "3 Oct 2025");
    }

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
