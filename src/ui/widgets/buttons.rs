//! Buttons by rank: the one main action, the quiet ones beside a text, links that act, and tabs.

use egui::accesskit::Role;
use egui::{Button, CursorIcon, FontId, Key, Response, RichText, Stroke, Ui, WidgetInfo};

use super::foreign_text::shown_in_body;
use crate::ui::theme::{self, palette};

/// The one main action of a pane.
pub fn primary_button(ui: &mut Ui, label: &str, enabled: bool) -> Response {
    primary_button_with(ui, label, "", enabled)
}

/// The same with its keys beside the label; the accessible name is the label alone.
pub fn primary_button_with(ui: &mut Ui, label: &str, keys: &str, enabled: bool) -> Response {
    let palette = palette(ui);
    let text = if keys.is_empty() { label.to_owned() } else { format!("{label}  {keys}") };
    let text = RichText::new(shown_in_body(ui, &text)).font(FontId::new(14.0, theme::strong_family()));
    let button = if enabled {
        Button::new(text.color(palette.on_accent)).fill(palette.accent).stroke(Stroke::NONE)
    } else {
        Button::new(text.color(palette.muted))
    };
    ui.add_enabled(enabled, button).accessible_name(label)
}

/// A small action beside a text.
pub fn quiet_button(ui: &mut Ui, label: &str) -> Response {
    let color = palette(ui).muted;
    let text = RichText::new(shown_in_body(ui, label)).font(theme::small()).color(color);
    let usual = std::mem::replace(&mut ui.spacing_mut().button_padding, egui::vec2(5.0, 1.0));
    let response = ui.add(Button::new(text).frame_when_inactive(false).small().min_size(egui::vec2(0.0, theme::LINE)));
    ui.spacing_mut().button_padding = usual;
    response.on_hover_cursor(CursorIcon::PointingHand)
}

/// The same with nothing beside the text: level with the edge that it stands at.
pub fn flush_button(ui: &mut Ui, label: &str) -> Response {
    let text = RichText::new(shown_in_body(ui, label)).font(theme::small()).color(palette(ui).muted);
    let button = Button::new(text).frame(false).min_size(egui::vec2(0.0, theme::LINE));
    let usual = std::mem::replace(&mut ui.spacing_mut().button_padding, egui::Vec2::ZERO);
    let response = ui.add(button);
    ui.spacing_mut().button_padding = usual;
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    if response.hovered() || response.has_focus() {
        let y = response.rect.bottom() - 1.0;
        ui.painter().hline(response.rect.x_range(), y, Stroke::new(1.0, palette(ui).muted));
    }
    response
}

/// A text in the accent that does something on a click; long ones wrap.
pub fn link_button(ui: &mut Ui, label: &str) -> Response {
    let text = RichText::new(shown_in_body(ui, label)).line_height(Some(theme::LINE)).color(palette(ui).accent);
    ui.add(Button::new(text).frame(false).wrap()).on_hover_cursor(CursorIcon::PointingHand)
}

/// One of several views; the open one is underlined in the accent at the lower edge of `ui`.
pub fn tab_ui(ui: &mut Ui, label: &str, open: bool) -> Response {
    let palette = palette(ui);
    let color = if open { palette.text } else { palette.muted };
    let response = ui.add(Button::new(RichText::new(label).color(color)).frame(false));
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    if open {
        let (left, right) = (response.rect.left(), response.rect.right());
        let y = ui.max_rect().bottom() - 1.0;
        ui.painter().hline(left..=right, y, Stroke::new(2.0, palette.accent));
    }
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, open, label));
    response
}

/// Whether Enter was pressed in `field`, a single-line text field.
pub fn entered(ui: &Ui, field: &Response) -> bool {
    field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
}
