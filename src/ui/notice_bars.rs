//! What the user has to know, as bars above the view, each with what can be done about it.

use egui::{Align, Align2, Frame, Id, Label, Layout, Margin, Order, Stroke, Ui, vec2};

use super::theme::{self, GRID, MARGIN, palette};
use super::widgets::buttons::quiet_button;
use super::widgets::foreign_text::shown_in_body;
use super::widgets::text;
use crate::card::facts::Tone;
use crate::state::{Action, Notice, State};

/// How long a confirmation stays.
const FLASH_SECONDS: f64 = 3.0;

/// Draws every notice that needs reading, newest last.
pub fn notice_bars_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    for (index, notice) in state.notices.iter().enumerate().filter(|(_, notice)| !is_confirmation(notice)) {
        notice_ui(ui, index, notice, actions);
    }
}

/// Nothing to decide and nothing to do: it may go by itself.
fn is_confirmation(notice: &Notice) -> bool {
    notice.tone == Tone::Plain && notice.hint.is_empty() && notice.choices.is_empty()
}

/// The last confirmation ("Copied"), over the panes for a moment, so that nothing moves for it.
#[derive(Debug, Default)]
pub struct Flash {
    shown: Option<String>,
    until: f64,
}

impl Flash {
    pub fn ui(&mut self, ui: &Ui, state: &State, actions: &mut Vec<Action>) {
        let Some((index, notice)) = state.notices.iter().enumerate().rfind(|(_, notice)| is_confirmation(notice))
        else {
            self.shown = None;
            return;
        };
        let words = if notice.detail.is_empty() {
            notice.title.clone()
        } else {
            format!("{}: {}", notice.title, notice.detail)
        };
        let now = ui.input(|input| input.time);
        if self.shown.as_ref() != Some(&words) {
            self.until = now + FLASH_SECONDS;
        } else if now >= self.until {
            actions.push(Action::DismissNotice { index });
            return;
        }
        let remaining = (self.until - now).max(0.05);
        ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(remaining));
        let place = egui::Area::new(Id::unique("flash")).order(Order::Foreground).interactable(false);
        place.anchor(Align2::CENTER_BOTTOM, vec2(0.0, -48.0)).show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| ui.add(Label::new(shown_in_body(ui, &words).as_ref()).extend()));
        });
        self.shown = Some(words);
    }
}

fn notice_ui(ui: &mut Ui, index: usize, notice: &Notice, actions: &mut Vec<Action>) {
    let palette = palette(ui);
    let frame =
        Frame::new().fill(palette.panel).inner_margin(Margin { left: MARGIN as i8, right: 12, top: 6, bottom: 6 });
    let bar = frame.show(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            // Level with the buttons of the choices and with the first line.
            let size = vec2(0.0, ui.spacing().interact_size.y);
            let dismissed = ui
                .allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
                    ui.set_min_height(size.y);
                    quiet_button(ui, "Dismiss").clicked()
                })
                .inner;
            if dismissed {
                actions.push(Action::DismissNotice { index });
            }
            for choice in notice.choices.iter().rev() {
                if ui.button(shown_in_body(ui, &choice.label)).clicked() {
                    actions.extend(choice.actions.iter().cloned());
                    actions.push(Action::DismissNotice { index });
                }
            }
            ui.with_layout(Layout::top_down(Align::Min), |ui| words_ui(ui, notice));
        });
    });
    let edge = bar.response.rect;
    ui.painter().hline(edge.x_range(), edge.bottom(), Stroke::new(1.0, palette.line));
    let tone = if notice.tone == Tone::Plain { palette.accent } else { theme::tone_color(palette, notice.tone) };
    let mark = edge.with_max_x(edge.left() + 3.0);
    ui.painter().rect_filled(mark, 0.0, tone);
}

fn words_ui(ui: &mut Ui, notice: &Notice) {
    ui.spacing_mut().item_spacing.y = GRID / 2.0;
    ui.horizontal_wrapped(|ui| {
        ui.label(text::toned(ui, &notice.title, notice.tone));
        if !notice.detail.is_empty() && !notice.detail.contains('\n') {
            ui.label(text::muted(ui, &notice.detail));
        }
    });
    // Detail of several lines starts on a line of its own and stays aligned.
    for line in notice.detail.lines().filter(|_| notice.detail.contains('\n')) {
        ui.label(text::muted(ui, line));
    }
    if !notice.hint.is_empty() {
        ui.label(text::faint(ui, &notice.hint));
    }
}
