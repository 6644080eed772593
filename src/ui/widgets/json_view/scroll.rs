//! Scrolling by whole numbers of rows and pixels within them: exact for millions of rows, where an offset in
//! 32-bit floating point would lose pixels.

use std::ops::Range;

use egui::{Id, Rect, Sense, Ui, pos2, vec2};

use crate::ui::theme::{MONO_ROW, palette};

/// Width of the strip that the bar takes.
pub const BAR_WIDTH: f32 = 10.0;

/// Where the text is scrolled to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scroll {
    /// Pixels above the upper edge.
    offset: f64,
}

impl Scroll {
    /// Keeps the offset within a text of `count` lines seen through `height` pixels.
    pub fn clamp(&mut self, count: usize, height: f32) {
        self.offset = self.offset.clamp(0.0, max_offset(count, height));
    }

    pub fn by(&mut self, pixels: f32) {
        self.offset += f64::from(pixels);
    }

    pub fn go_to_start(&mut self) {
        self.offset = 0.0;
    }

    pub fn go_to_end(&mut self) {
        self.offset = f64::MAX;
    }

    /// Puts `line` at the upper edge.
    pub fn put_first(&mut self, line: usize) {
        self.offset = line as f64 * f64::from(MONO_ROW);
    }

    /// Brings `line` into sight, a third from the top, unless it is there already.
    pub fn reveal(&mut self, line: usize, height: f32) {
        let top = line as f64 * f64::from(MONO_ROW);
        let height = f64::from(height);
        let inside = top >= self.offset && top + f64::from(MONO_ROW) <= self.offset + height;
        if !inside {
            self.offset = (top - height / 3.0).max(0.0);
        }
    }

    /// Moves as little as shows `line`.
    pub fn keep_in_sight(&mut self, line: usize, height: f32) {
        let top = line as f64 * f64::from(MONO_ROW);
        let lowest = top + f64::from(MONO_ROW) - f64::from(height);
        self.offset = self.offset.min(top).max(lowest.max(0.0));
    }

    /// The lines in sight of `count`, and where the first begins relative to the upper edge.
    pub fn visible(self, count: usize, height: f32) -> (Range<usize>, f32) {
        let row = f64::from(MONO_ROW);
        let first = (self.offset / row).floor();
        let y = (first * row - self.offset) as f32;
        let rows = ((height - y) / MONO_ROW).ceil().max(0.0) as usize;
        let first = (first as usize).min(count);
        (first..count.min(first + rows), y)
    }

    /// The bar at the side of `rect`; draggable, and a click in it jumps.
    pub fn bar_ui(&mut self, ui: &Ui, id: Id, rect: Rect, count: usize) {
        let total = count as f64 * f64::from(MONO_ROW);
        let height = rect.height();
        if total <= f64::from(height) {
            return;
        }
        let track = Rect::from_min_max(pos2(rect.right() - BAR_WIDTH, rect.top()), rect.max);
        let length = ((f64::from(height) / total) as f32 * height).max(28.0);
        let free = height - length;
        let response = ui.interact(track, id, Sense::click_and_drag());
        if let Some(pointer) = response.interact_pointer_pos()
            && free > 0.0
        {
            let fraction = ((pointer.y - track.top() - length / 2.0) / free).clamp(0.0, 1.0);
            self.offset = f64::from(fraction) * max_offset(count, height);
        }
        let fraction = (self.offset / max_offset(count, height)) as f32;
        let width = if response.hovered() || response.dragged() { 8.0 } else { 5.0 };
        let handle =
            Rect::from_min_size(pos2(track.right() - width - 1.0, track.top() + fraction * free), vec2(width, length));
        let palette = palette(ui);
        let color = if response.dragged() { palette.faint } else { palette.line };
        ui.painter().rect_filled(handle, 3.0, color);
    }
}

fn max_offset(count: usize, height: f32) -> f64 {
    // A line of room below the last, so that it does not stick to the edge.
    let total = (count + 1) as f64 * f64::from(MONO_ROW);
    (total - f64::from(height)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_exact_far_down() {
        let mut scroll = Scroll::default();
        let count = 20_000_000;
        scroll.reveal(19_999_000, 190.0);
        scroll.clamp(count, 190.0);
        let before = scroll.visible(count, 190.0);
        scroll.by(1.0);
        let after = scroll.visible(count, 190.0);
        assert_eq!(before.0.start, after.0.start);
        assert!((before.1 - 1.0 - after.1).abs() < 0.001);
        scroll.go_to_end();
        scroll.clamp(count, 190.0);
        assert_eq!(scroll.visible(count, 190.0).0.end, count);
    }

    #[test]
    fn revealing_moves_only_when_needed() {
        let mut scroll = Scroll::default();
        scroll.reveal(3, 190.0);
        assert_eq!(scroll.visible(100, 190.0).0.start, 0);
        scroll.reveal(50, 190.0);
        assert!(scroll.visible(100, 190.0).0.contains(&50));
        scroll.keep_in_sight(2, 190.0);
        assert_eq!(scroll.visible(100, 190.0).0.start, 2);
        scroll.keep_in_sight(12, 190.0);
        assert!(scroll.visible(100, 190.0).0.contains(&12));
    }
}
