//! The SDK's task store in two generations, so that an agent left running does not grow for ever.

use a2a_sdk::{A2AError, ListTasksRequest, ListTasksResponse, Task};
use a2a_server::task_store::TaskVersion;
use a2a_server::{InMemoryTaskStore, TaskStore};
use async_trait::async_trait;
use tokio::sync::RwLock;

/// When the young generation holds this many tasks it becomes the old one, and the old one is forgotten. Together
/// with the limit on a request's size this bounds what the agent keeps.
const TASKS_PER_GENERATION: usize = 64;
/// Page tokens of the old generation carry this in front.
const OLD_PAGE: char = 'o';

/// Keeps the last 64 to 128 tasks; older ones are answered as not found.
#[derive(Default)]
pub(super) struct RecentTasks {
    generations: RwLock<Generations>,
}

#[derive(Default)]
struct Generations {
    young: InMemoryTaskStore,
    old: InMemoryTaskStore,
    young_len: usize,
}

impl Generations {
    /// The generation that has the task; the young one if none has.
    async fn holding(&self, task_id: &str) -> Result<&InMemoryTaskStore, A2AError> {
        Ok(if self.old.get(task_id).await?.is_some() { &self.old } else { &self.young })
    }
}

#[async_trait]
impl TaskStore for RecentTasks {
    async fn create(&self, task: Task) -> Result<TaskVersion, A2AError> {
        let mut generations = self.generations.write().await;
        if generations.young_len >= TASKS_PER_GENERATION {
            generations.old = std::mem::take(&mut generations.young);
            generations.young_len = 0;
        }
        let version = generations.young.create(task).await?;
        generations.young_len += 1;
        Ok(version)
    }

    async fn update(&self, task: Task) -> Result<TaskVersion, A2AError> {
        let generations = self.generations.read().await;
        generations.holding(&task.id).await?.update(task).await
    }

    async fn get(&self, task_id: &str) -> Result<Option<Task>, A2AError> {
        let generations = self.generations.read().await;
        generations.holding(task_id).await?.get(task_id).await
    }

    async fn begin_cancel(&self, task_id: &str) -> Result<Task, A2AError> {
        let generations = self.generations.read().await;
        generations.holding(task_id).await?.begin_cancel(task_id).await
    }

    /// Pages through the young generation first, then through the old one.
    async fn list(&self, request: &ListTasksRequest) -> Result<ListTasksResponse, A2AError> {
        let generations = self.generations.read().await;
        let token = request.page_token.as_deref().filter(|token| !token.is_empty());
        let old_token = token.and_then(|token| token.strip_prefix(OLD_PAGE));
        let (shown, other) = match old_token {
            Some(_) => (&generations.old, &generations.young),
            None => (&generations.young, &generations.old),
        };
        let page_token = old_token.or(token).map(str::to_owned);
        let mut page = shown.list(&ListTasksRequest { page_token, ..request.clone() }).await?;
        let rest = other.list(&ListTasksRequest { page_token: None, ..request.clone() }).await?;
        page.total_size += rest.total_size;
        if old_token.is_some() {
            if !page.next_page_token.is_empty() {
                page.next_page_token.insert(0, OLD_PAGE);
            }
        } else if page.next_page_token.is_empty() && rest.total_size > 0 {
            page.next_page_token = format!("{OLD_PAGE}0");
        }
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    use a2a_sdk::{TaskState, TaskStatus};

    use super::*;

    fn task(number: usize) -> Task {
        Task {
            id: format!("task-{number:04}"),
            context_id: "context".to_owned(),
            status: TaskStatus { state: TaskState::Submitted, message: None, timestamp: None },
            artifacts: None,
            history: None,
            metadata: None,
        }
    }

    #[tokio::test]
    async fn old_tasks_are_forgotten_and_recent_ones_kept() {
        let store = RecentTasks::default();
        let made = TASKS_PER_GENERATION * 3 + 1;
        for number in 0..made {
            store.create(task(number)).await.unwrap();
        }
        assert!(store.get("task-0000").await.unwrap().is_none());
        for number in made - TASKS_PER_GENERATION..made {
            let task = store.get(&format!("task-{number:04}")).await.unwrap();
            assert!(task.is_some(), "task {number} of {made} is gone");
        }
        let canceled = store.begin_cancel(&format!("task-{:04}", made - 2)).await.unwrap();
        assert_eq!(canceled.status.state, TaskState::Canceled);
    }

    #[tokio::test]
    async fn pages_lead_through_both_generations_once() {
        let store = RecentTasks::default();
        let made = TASKS_PER_GENERATION + 10;
        for number in 0..made {
            store.create(task(number)).await.unwrap();
        }
        let mut ids = Vec::new();
        let mut page_token = None;
        loop {
            let request = ListTasksRequest {
                context_id: None,
                status: None,
                page_size: Some(7),
                page_token,
                history_length: None,
                status_timestamp_after: None,
                include_artifacts: None,
                tenant: None,
            };
            let page = store.list(&request).await.unwrap();
            assert_eq!(page.total_size as usize, made);
            ids.extend(page.tasks.into_iter().map(|task| task.id));
            if page.next_page_token.is_empty() {
                break;
            }
            page_token = Some(page.next_page_token);
        }
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), made);
    }
}
