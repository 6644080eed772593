"""An agent card on the official Python SDK 1.x that changes: each POST to /revise makes the next revision of it.

The SDK derives the ETag from the content and answers 304 by it. Revision 2 changes the description and not the version.
"""

import sys

import uvicorn
from a2a.server.routes import create_agent_card_routes
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentProvider, AgentSkill
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route


def card(origin: str) -> AgentCard:
    """Revision 1."""
    return AgentCard(
        name="Changing Reverser",
        description="Turns the words of a message around. Knows 1547 words.",
        version="1.4.0",
        provider=AgentProvider(organization="Interop", url=origin),
        capabilities=AgentCapabilities(streaming=True, push_notifications=False),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        supported_interfaces=[
            AgentInterface(url=f"{origin}/rpc", protocol_binding="JSONRPC", protocol_version="1.0"),
        ],
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
    revision = 1

    async def of_revision(served: AgentCard) -> AgentCard:
        changed = AgentCard()
        changed.CopyFrom(served)
        if revision > 1:
            changed.description = f"Turns the words of a message around. Knows {1547 + revision} words."
        return changed

    async def revise(_request: object) -> PlainTextResponse:
        nonlocal revision
        revision += 1
        return PlainTextResponse(str(revision))

    routes = [
        *create_agent_card_routes(
            card(f"http://127.0.0.1:{port}"), card_modifier=of_revision, cache_control="public, max-age=60"
        ),
        Route("/revise", revise, methods=["POST"]),
    ]
    uvicorn.run(Starlette(routes=routes), host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main()
