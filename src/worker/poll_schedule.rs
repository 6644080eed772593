//! When to ask for a task again; pure.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(100);
/// Until then a task is asked for at the first interval.
const QUICK_FOR: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(5);

/// Every 100 ms for the first second, then growing by half up to 5 s, until the budget is spent.
#[derive(Debug)]
pub struct PollSchedule {
    budget: Duration,
    interval: Duration,
}

impl PollSchedule {
    #[must_use]
    pub fn new(budget: Duration) -> Self {
        Self { budget, interval: FIRST }
    }

    /// How long to wait before the next question, `elapsed` after following began; `None` once the budget is
    /// spent. What the server asks for (`Retry-After`) is never undercut.
    pub fn next_wait(&mut self, elapsed: Duration, retry_after: Option<Duration>) -> Option<Duration> {
        let left = self.budget.checked_sub(elapsed).filter(|left| !left.is_zero())?;
        if elapsed >= QUICK_FOR {
            self.interval = (self.interval * 3 / 2).min(LONGEST);
        }
        match retry_after {
            Some(asked) if asked > left => None,
            Some(asked) => Some(asked.max(self.interval).min(left)),
            // The last question falls on the end of the budget.
            None => Some(self.interval.min(left)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_at_first_then_slower_until_the_budget_is_spent() {
        let mut schedule = PollSchedule::new(Duration::from_mins(1));
        let mut elapsed = Duration::ZERO;
        let mut waits = Vec::new();
        while let Some(wait) = schedule.next_wait(elapsed, None) {
            elapsed += wait;
            waits.push(wait.as_millis());
        }
        assert_eq!(waits[..14], [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 150, 225, 337, 506]);
        assert!(waits.windows(2).take(waits.len() - 2).all(|pair| pair[0] <= pair[1]));
        assert_eq!(waits.iter().max(), Some(&5000));
        assert_eq!(elapsed, Duration::from_mins(1));
    }

    #[test]
    fn retry_after_is_not_undercut() {
        let mut schedule = PollSchedule::new(Duration::from_secs(10));
        let seconds = Duration::from_secs;
        assert_eq!(schedule.next_wait(seconds(0), Some(seconds(2))), Some(seconds(2)));
        assert_eq!(schedule.next_wait(seconds(2), Some(Duration::ZERO)), Some(Duration::from_millis(150)));
        assert_eq!(schedule.next_wait(seconds(5), Some(seconds(60))), None, "waiting that long is beyond the budget");
        assert_eq!(schedule.next_wait(seconds(10), None), None);
        assert_eq!(PollSchedule::new(Duration::ZERO).next_wait(seconds(0), None), None);
    }
}
