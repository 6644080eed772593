"""An agent on the official Python SDK 0.3.x, whose only interface is JSON-RPC in the dialect of A2A 0.3."""

import asyncio
import sys

import uvicorn
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.apps import A2AStarletteApplication
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentProvider, AgentSkill, Part, TaskState, TextPart

STEPS = ["Counting the words.", "Turning them around.", "Writing the answer."]
SECONDS_PER_STEP = 0.4


def text(words: str) -> list[Part]:
    """A single text part."""
    return [Part(root=TextPart(text=words))]


class Reverser(AgentExecutor):
    """Turns the words of a message around, in several steps."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        await updater.submit()
        for step in STEPS:
            await updater.update_status(TaskState.working, updater.new_agent_message(text(step)))
            await asyncio.sleep(SECONDS_PER_STEP)
        words = context.get_user_input().split()
        await updater.add_artifact(text(" ".join(reversed(words))), name="reversed")
        await updater.complete(updater.new_agent_message(text(f"{len(words)} words were turned around.")))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def card(origin: str) -> AgentCard:
    """A card in the shape of 0.3."""
    return AgentCard(
        name="Old Word Reverser",
        description="Turns the words of a message around.",
        version="0.9.2",
        url=f"{origin}/",
        preferred_transport="JSONRPC",
        protocol_version="0.3.0",
        provider=AgentProvider(organization="Interop", url=origin),
        capabilities=AgentCapabilities(streaming=True, push_notifications=False),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[
            AgentSkill(
                id="reverse",
                name="Reverse words",
                description="Turns the words of a message around.",
                tags=["text"],
                examples=["one two three"],
            )
        ],
    )


def main() -> None:
    """Serves on the port given."""
    port = int(sys.argv[1])
    handler = DefaultRequestHandler(agent_executor=Reverser(), task_store=InMemoryTaskStore())
    app = A2AStarletteApplication(agent_card=card(f"http://127.0.0.1:{port}"), http_handler=handler)
    uvicorn.run(app.build(), host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main()
