//! Which interface the message goes to, why that one, and the exact address.

use egui::accesskit::Role;
use egui::{AtomExt as _, Button, Popup, RichText, Ui, WidgetInfo, vec2};

use super::Context;
use crate::card::facts::{Interface, Tone};
use crate::state::{Action, ConversationAction};
use crate::ui::theme::{GRID, palette};
use crate::ui::widgets::foreign_text::shown_in_body;
use crate::ui::widgets::heading::heading_with_ui;
use crate::ui::widgets::text;

/// The row that a message would go to: the user's choice, else the protocol's own rule.
pub(super) fn chosen_row(context: Context<'_>) -> Option<(usize, &Interface)> {
    let table = &context.inspection.interfaces;
    let row = context.entry.conversation.interface.or(table.chosen)?;
    table.rows.get(row).map(|interface| (row, interface))
}

/// The address that a message would be posted to, byte for byte.
pub(super) fn target(context: Context<'_>) -> Option<String> {
    let (row, interface) = chosen_row(context)?;
    Some(context.entry.conversation.url_of(row, interface).to_owned())
}

/// Draws the picker with its reason.
pub(super) fn interface_picker_ui(ui: &mut Ui, context: Context<'_>, actions: &mut Vec<Action>) {
    let conversation = &context.entry.conversation;
    let reason = if conversation.interface.is_some() { "your choice" } else { "by the protocol's rule" };
    heading_with_ui(ui, "Interface", "", |ui| {
        ui.label(text::faint(ui, reason))
            .on_hover_text(shown_in_body(ui, &context.inspection.interfaces.chosen_reason));
    });
    let chosen = chosen_row(context);
    let label = chosen.map_or_else(|| "None can be used".to_owned(), |(_, interface)| binding_words(interface));
    let address = chosen.map(|(_, interface)| interface.url.as_str()).unwrap_or_default();
    let text = (
        format!("{}  ", shown_in_body(ui, &label)),
        text::mono(ui, address).color(palette(ui).muted).atom_shrink(true),
    );
    let button = Button::new(text).right_text("▾").truncate().min_size(vec2(ui.available_width(), 32.0));
    let response = ui.add(button);
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, true, "Interface");
        info.current_text_value = Some(label.clone());
        info
    });
    Popup::menu(&response).width(response.rect.width()).show(|ui| menu_ui(ui, context, actions));
    remarks_ui(ui, context, chosen, actions);
}

fn menu_ui(ui: &mut Ui, context: Context<'_>, actions: &mut Vec<Action>) {
    let choose = |row| Action::Conversation(ConversationAction::ChooseInterface { row });
    let conversation = &context.entry.conversation;
    for (row, interface) in context.inspection.interfaces.rows.iter().enumerate() {
        let selected = chosen_row(context).is_some_and(|(chosen, _)| chosen == row);
        let words = format!("{}  {}", binding_words(interface), interface.url);
        let button = Button::selectable(selected, shown_in_body(ui, &words)).truncate();
        if ui.add_enabled(interface.usable(), button).clicked() {
            actions.push(choose(Some(row)));
        }
        let remark = interface.unusable.as_ref().or(interface.flag.as_ref().map(|flag| &flag.text));
        if let Some(remark) = remark {
            ui.label(text::faint(ui, remark));
        }
    }
    if conversation.interface.is_some() {
        ui.separator();
        if ui.add(Button::new("By the protocol's rule").frame_when_inactive(false)).clicked() {
            actions.push(choose(None));
        }
    }
}

/// What speaks against the chosen one, and the address that may be used instead.
fn remarks_ui(ui: &mut Ui, context: Context<'_>, chosen: Option<(usize, &Interface)>, actions: &mut Vec<Action>) {
    let Some((row, interface)) = chosen else {
        ui.label(text::toned(ui, &context.inspection.interfaces.chosen_reason, Tone::Bad));
        return;
    };
    let conversation = &context.entry.conversation;
    let instead = conversation.addresses.get(&row);
    if let Some(flag) = &interface.flag {
        ui.add_space(GRID / 2.0);
        ui.label(text::toned(ui, &flag.text, Tone::Caution));
        if let Some(suggestion) = flag.suggestion.as_ref().filter(|_| instead.is_none())
            && ui.button(format!("Use {}", shown_in_body(ui, suggestion))).clicked()
        {
            actions.push(Action::Conversation(ConversationAction::UseSuggestedAddress { row }));
        }
    }
    if let Some(instead) = instead {
        let words = format!("In this conversation messages go to {instead} instead.");
        ui.label(text::faint(ui, words));
    }
    if let Some((_, dialect)) = conversation.answered_as.iter().find(|(answered, _)| *answered == row) {
        let words = format!("Answered as {}, whatever the card declares.", dialect.label());
        ui.label(text::toned(ui, words, Tone::Caution));
    }
}

/// `JSONRPC 1.0`, with the version as declared.
fn binding_words(interface: &Interface) -> String {
    let version = interface.version_text.as_deref().or(interface.dialect.map(crate::a2a::Dialect::label));
    format!("{} {}", interface.binding.name(), version.unwrap_or("?"))
}

/// The line above Send: exactly where the message goes.
pub(super) fn target_ui(ui: &mut Ui, context: Context<'_>) {
    let Some(target) = target(context) else { return };
    ui.horizontal_wrapped(|ui| {
        ui.label(text::note(ui, "POST"));
        let url: RichText = text::mono(ui, &target).color(palette(ui).muted);
        ui.label(url);
        if let Some((_, Interface { tenant: Some(tenant), .. })) = chosen_row(context) {
            ui.label(text::note(ui, format!("tenant {tenant}")));
        }
    });
}
