/**
 * Flows of all kinds. Every script writes its task run and attempt into a ledger, so that duplicate runs are
 * found.
 */

export const namespace = 'chaos';
export const limit = 2;
export const webhookKey = 'chaos-key';

/** Flows that the drive starts directly; the others are started by these, by a schedule or by a webhook. */
export const startedFlows = ['steps', 'loop', 'parent', 'paused', 'retrying', 'limited', 'shared'] as const;

const script = (id: string, ledger: string, more = '') => `
  - id: ${id}
    type: scripts.shell.Commands
    taskRunner: { type: core.runner.Process }
    commands:
      - echo "{{ taskrun.id }} {{ taskrun.attemptsCount }}" >> ${ledger}
      - printf 'one\\ntwo\\nthree\\n'
      - ${more === '' ? 'true' : more}
      - echo '::{"outputs":{"attempt":"{{ taskrun.attemptsCount }}"}}::'`;

const nested = (text: string, spaces: number) => text.replace(/\n/g, `\n${' '.repeat(spaces)}`);
const flow = (id: string, text: string) => `id: ${id}\nnamespace: ${namespace}\n${text}\n`;

export function chaosFlows(ledger: string): string[] {
  return [
    flow(
      'steps',
      `tasks:
  - id: first
    type: core.log.Log
    message: ["one", "two", "three"]
  - id: together
    type: core.flow.Parallel
    tasks:${nested(script('left', ledger) + script('right', ledger, 'sleep 0.2'), 4)}
  - id: decide
    type: core.flow.If
    condition: "{{ outputs.left.vars.attempt is defined }}"
    then:
      - id: after
        type: core.output.OutputValues
        values: { left: "{{ outputs.left.vars.attempt }}" }`,
    ),
    flow(
      'loop',
      `tasks:
  - id: each
    type: core.flow.ForEach
    values: [1, 2, 3, 4, 5, 6]
    concurrencyLimit: 3
    tasks:${nested(script('item', ledger), 4)}
      - id: note
        type: core.log.Log
        message: "{{ taskrun.value }}"`,
    ),
    flow('child', `tasks:${script('work', ledger, 'sleep 0.1')}`),
    flow(
      'parent',
      `tasks:
  - id: call
    type: core.flow.Subflow
    namespace: ${namespace}
    flowId: child
    wait: true
    transmitFailed: true`,
    ),
    flow(
      'listener',
      `triggers:
  - id: heard
    type: core.trigger.Flow
    states: [SUCCESS]
    preconditions:
      id: child
      flows: [{ namespace: ${namespace}, flowId: child, states: [SUCCESS] }]
tasks:
  - id: note
    type: core.log.Log
    message: heard`,
    ),
    flow(
      'paused',
      `tasks:
  - id: wait
    type: core.flow.Pause
    delay: PT1S
  - id: after
    type: core.log.Log
    message: after`,
    ),
    flow(
      'retrying',
      `tasks:${script('unsure', ledger, 'test {{ taskrun.attemptsCount }} -gt 0')}
    retry: { type: constant, interval: PT0.5S, maxAttempts: 20 }`,
    ),
    flow(
      'limited',
      `concurrency: { limit: ${limit}, behavior: QUEUE }\ntasks:${script('work', ledger, 'sleep 0.2')}`,
    ),
    flow(
      'shared',
      `tasks:
  - id: folder
    type: core.flow.WorkingDirectory
    tasks:${nested(script('write', ledger, 'echo content > file.txt'), 4)}${nested(script('read', ledger, 'cat file.txt'), 4)}`,
    ),
    flow(
      'scheduled',
      `triggers:
  - id: often
    type: core.trigger.Schedule
    withSeconds: true
    cron: "* * * * * *"
    allowConcurrent: true
tasks:
  - id: note
    type: core.log.Log
    message: "{{ trigger.date }}"`,
    ),
    flow(
      'hooked',
      `triggers:
  - id: hook
    type: core.trigger.Webhook
    key: ${webhookKey}
tasks:${script('work', ledger)}`,
    ),
  ];
}
