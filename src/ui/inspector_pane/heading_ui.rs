//! The heading of a group, which closes and opens it.

use egui::accesskit::Role;
use egui::{Align2, CursorIcon, FontId, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::group::Group;
use super::scene::Scene;
use crate::card::lint::Severity;
use crate::ui::theme::{self, GRID, palette};

const HEIGHT: f32 = 24.0;
/// Room between a group and what precedes it.
const ABOVE: f32 = 14.0;

/// Draws the heading of `group`.
pub fn heading_ui(ui: &mut Ui, scene: &mut Scene<'_>, group: Group) {
    ui.add_space(ABOVE);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click());
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, group.title()));
    let is_closed = scene.view.closed.contains(&group);
    if response.clicked() {
        if is_closed {
            scene.view.closed.remove(&group);
        } else {
            scene.view.closed.insert(group);
        }
    }
    let palette = palette(ui);
    let painter = ui.painter_at(rect.expand2(vec2(5.0 * GRID, 0.0)));
    if is_closed || response.hovered() || response.has_focus() {
        let center = pos2(rect.left() - 9.0, rect.center().y);
        painter.add(marker(center, is_closed, palette.muted));
    }
    let strong = FontId::new(14.0, theme::strong_family());
    let title = painter.text(rect.left_center(), Align2::LEFT_CENTER, group.title(), strong, palette.text);
    let count = count_words(scene, group, is_closed);
    let count = painter.text(rect.right_center(), Align2::RIGHT_CENTER, count, theme::small(), palette.muted);
    let question_at = pos2(title.right() + 10.0, rect.center().y + 0.5);
    let room = Rect::from_min_max(pos2(question_at.x, rect.top()), pos2(count.left() - 8.0, rect.bottom()));
    painter.with_clip_rect(room.intersect(painter.clip_rect())).text(
        question_at,
        Align2::LEFT_CENTER,
        group.question(),
        theme::small(),
        palette.faint,
    );
}

fn count_words(scene: &Scene<'_>, group: Group, is_closed: bool) -> String {
    let count = group.count(scene.inspection);
    if group != Group::Findings || !is_closed {
        return count;
    }
    match scene.inspection.count(Severity::Error) {
        0 => count,
        errors => crate::ui::quantities::count(errors, "error"),
    }
}

fn marker(center: egui::Pos2, is_closed: bool, color: egui::Color32) -> Shape {
    let points = if is_closed {
        vec![center + vec2(-2.0, -4.0), center + vec2(3.0, 0.0), center + vec2(-2.0, 4.0)]
    } else {
        vec![center + vec2(-4.0, -2.0), center + vec2(4.0, -2.0), center + vec2(0.0, 3.0)]
    };
    Shape::convex_polygon(points, color, Stroke::NONE)
}
