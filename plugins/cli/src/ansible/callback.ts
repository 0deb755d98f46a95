/** The name of the callback plugin and the variable with the file that it writes. */
export const callbackName = 'millrace_results';
export const resultsVariable = 'MILLRACE_ANSIBLE_RESULTS';

/** An Ansible callback plugin that writes events as JSON lines; it does not change standard output. */
export const callbackCode = `
import datetime
import json
import os

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: ${callbackName}
type: notification
short_description: Writes results as JSON lines
description: Writes results as JSON lines
"""

LONGEST = 32768


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "${callbackName}"
    CALLBACK_NEEDS_ENABLED = True

    def _write(self, **event):
        event["at"] = datetime.datetime.now(datetime.timezone.utc).isoformat()
        with open(os.environ["${resultsVariable}"], "a", encoding="utf-8") as file:
            file.write(json.dumps(event) + "\\n")

    def v2_playbook_on_start(self, playbook):
        self._write(event="playbook")

    def v2_playbook_on_play_start(self, play):
        self._write(event="play", name=str(play.get_name()))

    def v2_playbook_on_task_start(self, task, is_conditional):
        self._write(event="task", uid=str(task._uuid), name=str(task.get_name()))

    v2_playbook_on_cleanup_task_start = lambda self, task: self.v2_playbook_on_task_start(task, False)
    v2_playbook_on_handler_task_start = lambda self, task: self.v2_playbook_on_task_start(task, False)

    def _host(self, result, status):
        text = self._dump_results(result._result)
        if len(text) > LONGEST:
            kept = {key: result._result[key] for key in ("changed", "failed", "msg", "rc") if key in result._result}
            text = self._dump_results(dict(kept, truncated=True))
        self._write(
            event="host",
            uid=str(result._task._uuid),
            name=str(result._task.get_name()),
            host=str(result._host.get_name()),
            status=status,
            result=json.loads(text),
        )

    def v2_runner_on_ok(self, result):
        self._host(result, "changed" if result._result.get("changed") else "ok")

    def v2_runner_on_failed(self, result, ignore_errors=False):
        self._host(result, "ignored" if ignore_errors else "failed")

    def v2_runner_on_skipped(self, result):
        self._host(result, "skipped")

    def v2_runner_on_unreachable(self, result):
        self._host(result, "unreachable")

    def v2_playbook_on_stats(self, stats):
        self._write(event="stats", custom=json.loads(self._dump_results(dict(stats.custom.get("_run", {})))))
`;
