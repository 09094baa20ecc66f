"""What a program does with the kubernetes package, step by step; `ok <step>` is printed when a step was done and checked."""

import sys
import traceback

from discovery import discover
from deletion import delete_collection, finalizer
from events import events
from pages import pages
from patches import apply, merge_patch, status, strategic_patch
from shared import open_story
from watches import informer, watch_resume
from writes import create, get, update_conflict

STEPS = {
    "discover": discover,
    "create": create,
    "get": get,
    "update-conflict": update_conflict,
    "merge-patch": merge_patch,
    "strategic-patch": strategic_patch,
    "apply": apply,
    "status": status,
    "pages": pages,
    "watch-resume": watch_resume,
    "informer": informer,
    "finalizer": finalizer,
    "delete-collection": delete_collection,
    "events": events,
}


def main() -> int:
    story = open_story()
    for name, step in STEPS.items():
        try:
            step(story)
        except Exception:
            print(f"failed {name}: {traceback.format_exc()}", file=sys.stderr)
            return 1
        print(f"ok {name}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
