"""An agent on the official Python SDK 1.x: JSON-RPC and HTTP+JSON, each in the dialects of A2A 1.0 and 0.3."""

import asyncio
import sys

import uvicorn
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentProvider,
    AgentSkill,
    Part,
    Task,
    TaskState,
    TaskStatus,
)
from starlette.applications import Starlette

STEPS = ["Counting the words.", "Turning them around.", "Writing the answer."]
SECONDS_PER_STEP = 0.4


class Reverser(AgentExecutor):
    """Turns the words of a message around, in several steps."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        await event_queue.enqueue_event(
            Task(
                id=context.task_id,
                context_id=context.context_id,
                status=TaskStatus(state=TaskState.TASK_STATE_SUBMITTED),
                history=[context.message],
            )
        )
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        for step in STEPS:
            await updater.start_work(updater.new_agent_message([Part(text=step)]))
            await asyncio.sleep(SECONDS_PER_STEP)
        words = context.get_user_input().split()
        await updater.add_artifact([Part(text=" ".join(reversed(words)))], name="reversed")
        await updater.complete(updater.new_agent_message([Part(text=f"{len(words)} words were turned around.")]))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def card(origin: str, versions: list[str]) -> AgentCard:
    """The card: JSON-RPC for each of `versions` in this order, then HTTP+JSON for each."""
    interfaces = [
        AgentInterface(url=f"{origin}/{path}", protocol_binding=binding, protocol_version=version)
        for path, binding in [("rpc", "JSONRPC"), ("rest", "HTTP+JSON")]
        for version in versions
    ]
    return AgentCard(
        name="Word Reverser",
        description="Turns the words of a message around.",
        version="1.4.0",
        provider=AgentProvider(organization="Interop", url=origin),
        capabilities=AgentCapabilities(streaming=True, push_notifications=False),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        supported_interfaces=interfaces,
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
    """Serves on the port given first; the arguments after it are the protocol versions to declare."""
    port = int(sys.argv[1])
    versions = sys.argv[2:] or ["1.0", "0.3"]
    agent_card = card(f"http://127.0.0.1:{port}", versions)
    handler = DefaultRequestHandler(agent_executor=Reverser(), task_store=InMemoryTaskStore(), agent_card=agent_card)
    routes = [
        *create_agent_card_routes(agent_card),
        *create_jsonrpc_routes(handler, "/rpc", enable_v0_3_compat=True),
        *create_rest_routes(handler, path_prefix="/rest", enable_v0_3_compat=True),
    ]
    uvicorn.run(Starlette(routes=routes), host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main()
