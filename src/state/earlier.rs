//! Earlier conversations as the window knows them: the list of an agent's, and one that is opened.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::JobId;
use super::conversation::{TimelineEvent, TimelineKind};
use crate::a2a::{Message, Part, Role, TaskState};
use crate::history::transcript::{
    ArtifactRecord, CardUse, ConversationId, ConversationPage, ConversationRecord, EventRecord, InterfaceRecord,
    KeptConversation, NOTE, PartRecord, Transcript, TurnRecord,
};

/// So many conversations are listed at first, and more at a time.
pub const PAGE: u32 = 30;

/// The conversations with one agent, as far as they were listed.
#[derive(Debug)]
pub struct ConversationList {
    pub page: ConversationPage,
    /// How many were asked for.
    pub(super) limit: u32,
}

impl Default for ConversationList {
    fn default() -> Self {
        Self { page: ConversationPage::default(), limit: PAGE }
    }
}

/// What of an agent's conversations is on screen.
#[derive(Debug, Default)]
pub struct EarlierConversations {
    pub shown: ShownConversation,
    /// The one that is being read for opening.
    pub(super) opening: Option<JobId>,
}

#[derive(Debug, Default)]
pub enum ShownConversation {
    /// The one that the next message belongs to.
    #[default]
    Current,
    /// The list of all that are kept.
    List,
    /// An earlier one, to be read.
    Opened(Arc<PastConversation>),
}

/// A conversation as it was kept, ready to be painted.
#[derive(Clone, Debug)]
pub struct PastConversation {
    pub record: ConversationRecord,
    pub context_id: Option<String>,
    /// Oldest first.
    pub turns: Vec<PastTurn>,
    pub cards: Vec<CardUse>,
}

/// A turn as it was kept.
#[derive(Clone, Debug)]
pub struct PastTurn {
    pub record: TurnRecord,
    pub sent_at: SystemTime,
    pub sent: Vec<PastPart>,
    pub timeline: Vec<TimelineEvent>,
    pub artifacts: Vec<PastArtifact>,
    pub reply: Vec<PastPart>,
}

#[derive(Clone, Debug)]
pub struct PastArtifact {
    pub artifact_id: String,
    pub name: Option<String>,
    pub description: Option<String>,
    pub parts: Vec<PastPart>,
}

/// A part as it was kept.
#[derive(Clone, Debug)]
pub enum PastPart {
    Whole(Part),
    /// A file that was too large to be kept.
    LeftOut {
        name: Option<String>,
        media_type: Option<String>,
        bytes_len: u64,
    },
}

impl EarlierConversations {
    /// The conversation that is opened to be read.
    #[must_use]
    pub fn opened(&self) -> Option<&Arc<PastConversation>> {
        match &self.shown {
            ShownConversation::Opened(opened) => Some(opened),
            ShownConversation::Current | ShownConversation::List => None,
        }
    }

    /// Leaves what is deleted.
    pub(super) fn forget(&mut self, conversation: ConversationId) {
        if self.opened().is_some_and(|opened| opened.record.id == conversation) {
            self.shown = ShownConversation::List;
        }
    }
}

impl PastConversation {
    #[must_use]
    pub fn new(kept: KeptConversation) -> Self {
        let KeptConversation { record, transcript: Transcript { context_id, turns }, cards } = kept;
        Self { record, context_id, turns: turns.into_iter().map(PastTurn::new).collect(), cards }
    }

    /// As history keeps it.
    #[must_use]
    pub fn transcript(&self) -> Transcript {
        let turns = self.turns.iter().map(|turn| turn.record.clone()).collect();
        Transcript { context_id: self.context_id.clone(), turns }
    }

    /// Whether the agent gave it a context to be continued by.
    #[must_use]
    pub fn can_be_continued(&self) -> bool {
        self.context_id.as_ref().is_some_and(|id| !id.is_empty())
    }

    /// The card that a turn was sent by.
    #[must_use]
    pub fn card_of(&self, turn: &PastTurn) -> Option<&CardUse> {
        self.cards.iter().find(|card| card.sha256 == turn.record.card_sha256)
    }
}

impl PastTurn {
    fn new(record: TurnRecord) -> Self {
        let parts = |parts: &[PartRecord]| parts.iter().map(PastPart::of).collect::<Vec<_>>();
        let since = Duration::from_millis(record.sent_at_ms.unsigned_abs());
        Self {
            sent_at: UNIX_EPOCH.checked_add(since).filter(|_| record.sent_at_ms >= 0).unwrap_or(UNIX_EPOCH),
            sent: parts(&record.sent),
            timeline: record.timeline.iter().map(event).collect(),
            artifacts: record.artifacts.iter().map(PastArtifact::of).collect(),
            reply: parts(&record.reply),
            record,
        }
    }

    #[must_use]
    pub fn interface(&self) -> &InterfaceRecord {
        &self.record.interface
    }

    #[must_use]
    pub fn ended_after(&self) -> Option<Duration> {
        self.record.ended_after_ms.map(Duration::from_millis)
    }

    /// Whether it was sent by the same card to the same place as `other`.
    #[must_use]
    pub fn goes_like(&self, other: &Self) -> bool {
        let way = |turn: &Self| {
            let InterfaceRecord { url, protocol_binding, protocol_version, tenant, .. } = &turn.record.interface;
            (url.clone(), protocol_binding.clone(), protocol_version.clone(), tenant.clone())
        };
        self.record.card_sha256 == other.record.card_sha256 && way(self) == way(other)
    }
}

impl PastArtifact {
    fn of(record: &ArtifactRecord) -> Self {
        Self {
            artifact_id: record.artifact_id.clone(),
            name: record.name.clone(),
            description: record.description.clone(),
            parts: record.parts.iter().map(PastPart::of).collect(),
        }
    }
}

impl PastPart {
    fn of(record: &PartRecord) -> Self {
        match (record.part(), record) {
            (Some(part), _) => Self::Whole(part),
            (None, PartRecord::File { name, media_type, bytes_len, .. }) => {
                Self::LeftOut { name: name.clone(), media_type: media_type.clone(), bytes_len: *bytes_len }
            }
            (None, _) => Self::LeftOut { name: None, media_type: None, bytes_len: 0 },
        }
    }
}

fn event(record: &EventRecord) -> TimelineEvent {
    let kind = if record.state == NOTE {
        TimelineKind::Note(record.text.clone())
    } else {
        let message = (!record.text.is_empty()).then(|| Message {
            message_id: None,
            context_id: None,
            task_id: None,
            role: Role::Agent,
            parts: vec![Part::text(&record.text)],
            metadata: None,
            extensions: Vec::new(),
            reference_task_ids: Vec::new(),
        });
        TimelineKind::State { state: TaskState::parse(&record.state), message }
    };
    TimelineEvent { after: Duration::from_millis(record.after_ms), kind }
}
