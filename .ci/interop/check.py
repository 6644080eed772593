"""Runs `cardscope inspect` and `cardscope send` against agents on the official Python SDK and checks what they print.

Arguments: the cardscope binary, then the origins of agent_1_0.py, of agent_1_0.py with 0.3 only, and of agent_0_3.py.
"""

import json
import subprocess
import sys

TEXT = "one two three"
ANSWER = "three two one"


def run(binary: str, *arguments: str) -> subprocess.CompletedProcess:
    """Runs a command that has to end within a minute."""
    print("+ cardscope", " ".join(arguments), flush=True)
    return subprocess.run([binary, *arguments, "--no-history"], capture_output=True, text=True, timeout=60, check=False)


def expect(condition: bool, what: str, result: subprocess.CompletedProcess) -> None:
    """Fails with everything the command printed."""
    if not condition:
        sys.exit(f"{what}\nexit status {result.returncode}\n--- stdout\n{result.stdout}--- stderr\n{result.stderr}")


def check_inspect(binary: str, origin: str, shape: str, versions: list[str]) -> None:
    """The card is found, judged and explained, and the first interface chosen."""
    result = run(binary, "inspect", origin, "--json")
    expect(result.returncode == 0, f"{origin}: inspect found an error in a card of the official SDK", result)
    report = json.loads(result.stdout)
    expect(report["shape"] == shape, f"{origin}: shape {report['shape']} instead of {shape}", result)
    declared = [entry["protocolVersion"] for entry in report["interfaces"]]
    expect(declared[: len(versions)] == versions, f"{origin}: interfaces {declared} instead of {versions}", result)
    selected = [index for index, entry in enumerate(report["interfaces"]) if entry["selected"]]
    expect(selected == [0], f"{origin}: selected {selected}", result)


def check_send(binary: str, origin: str, *options: str) -> None:
    """The message becomes a task, which is followed to its completion and brings its artifact."""
    result = run(binary, "send", origin, TEXT, "--json", *options)
    expect(result.returncode == 0, f"{origin}: send did not complete", result)
    events = [json.loads(line) for line in result.stdout.splitlines() if line.strip()]
    kinds = [event["event"] for event in events]
    expect(kinds[0] == "selected" and kinds[-1] == "end", f"{origin}: events {kinds}", result)
    expect(events[-1]["outcome"] == "completed", f"{origin}: outcome {events[-1]['outcome']}", result)
    states = [event["state"] for event in events if event["event"] == "state"]
    expect("working" in " ".join(states).lower(), f"{origin}: the task was not seen working: {states}", result)
    artifacts = [json.dumps(event) for event in events if event["event"] == "artifact"]
    expect(len(artifacts) == 1 and ANSWER in artifacts[0], f"{origin}: artifacts {artifacts}", result)


def main() -> None:
    """Every agent, over every interface that it declares."""
    binary, both, compatible, old = sys.argv[1:]
    check_inspect(binary, both, "hybrid", ["1.0", "0.3", "1.0", "0.3"])
    check_send(binary, both)
    for interface in ["1", "2", "3"]:
        check_send(binary, both, "--interface", interface)
    check_inspect(binary, compatible, "hybrid", ["0.3", "0.3"])
    check_send(binary, compatible)
    check_inspect(binary, old, "0.3", ["0.3.0"])
    check_send(binary, old)
    print("The commands understand the official SDK in all of its dialects.")


if __name__ == "__main__":
    main()
