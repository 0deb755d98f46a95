const log = 'tasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi\n';

/** Flows as users of Kestra write them, for triggers, conditions and scripts. */
export const otherFlows: readonly (readonly [string, string])[] = [
  [
    'a schedule by its old name',
    `${log}triggers:\n  - id: s\n    type: io.kestra.core.models.triggers.types.Schedule\n    cron: "*/5 * * * *"\n    backfill:\n      start: 2023-01-01T00:00:00Z`,
  ],
  [
    'a schedule with everything',
    `${log}triggers:\n  - id: s\n    type: io.kestra.plugin.core.trigger.Schedule\n    cron: "@daily"\n    timezone: "{{ 'Europe/Paris' }}"\n    withSeconds: "false"\n    recoverMissedSchedules: NONE\n    lateMaximumDelay: PT1H\n    stopAfter: [FAILED]\n    labels: { a: b }\n    inputs: { n: 1 }\n    conditions:\n      - type: io.kestra.plugin.core.condition.DayWeekInMonth\n        date: "{{ trigger.date }}"\n        dayOfWeek: MONDAY\n        dayInMonth: FIRST`,
  ],
  [
    'old schedule conditions',
    `${log}triggers:\n  - id: s\n    type: io.kestra.plugin.core.trigger.Schedule\n    cron: "0 1 * * *"\n    scheduleConditions:\n      - type: io.kestra.core.models.conditions.types.DayWeekCondition\n        dayOfWeek: "{{ vars.day }}"\nvariables: { day: MONDAY }`,
  ],
  [
    'dates by expression',
    `${log}triggers:\n  - id: s\n    type: io.kestra.plugin.core.trigger.ScheduleOnDates\n    dates:\n      - "{{ vars.first }}"\n      - 2030-01-01T00:00:00Z\nvariables: { first: 2029-01-01T00:00:00Z }`,
  ],
  [
    'all dates by expression',
    `${log}triggers:\n  - id: s\n    type: io.kestra.plugin.core.trigger.ScheduleOnDates\n    dates: "{{ vars.dates }}"\nvariables: { dates: [2029-01-01T00:00:00Z] }`,
  ],
  [
    'a webhook with a secret key',
    `${log}triggers:\n  - id: w\n    type: io.kestra.plugin.core.trigger.Webhook\n    key: "{{ secret('KEY') }}"\n    wait: "true"\n    conditions:\n      - type: io.kestra.plugin.core.condition.Expression\n        expression: "{{ trigger.body.a == 1 }}"`,
  ],
  [
    'a webhook by its old name',
    `${log}triggers:\n  - id: w\n    type: io.kestra.core.models.triggers.types.Webhook\n    key: 4wjtkzwVGBM9yKnjm3yv8r`,
  ],
  [
    'a flow trigger with conditions',
    `${log}triggers:\n  - id: f\n    type: io.kestra.core.models.triggers.types.Flow\n    inputs:\n      id: "{{ trigger.executionId }}"\n    conditions:\n      - type: io.kestra.plugin.core.condition.ExecutionFlowCondition\n        namespace: company.team\n        flowId: other\n      - type: io.kestra.plugin.core.condition.ExecutionStatusCondition\n        in: [SUCCESS, WARNING]\n      - type: io.kestra.plugin.core.condition.ExecutionLabels\n        labels: { a: b }`,
  ],
  [
    'a flow trigger with preconditions',
    `${log}triggers:\n  - id: f\n    type: io.kestra.plugin.core.trigger.Flow\n    states: [SUCCESS]\n    preconditions:\n      id: p\n      timeWindow: { type: DURATION_WINDOW, window: P1D }\n      flows:\n        - namespace: company.team\n          flowId: other\n          states: [SUCCESS]\n      where:\n        - id: w\n          filters:\n            - { field: EXPRESSION, type: IS_TRUE, value: "{{ labels.a == 'b' }}" }`,
  ],
  [
    'MultipleCondition',
    `${log}triggers:\n  - id: f\n    type: io.kestra.plugin.core.trigger.Flow\n    conditions:\n      - id: m\n        type: io.kestra.plugin.core.condition.MultipleCondition\n        window: P1D\n        windowAdvance: P0D\n        conditions:\n          a:\n            type: io.kestra.plugin.core.condition.ExecutionFlowCondition\n            namespace: n\n            flowId: a\n          b:\n            type: io.kestra.plugin.core.condition.ExecutionFlowCondition\n            namespace: n\n            flowId: b`,
  ],
  [
    'Not and Or',
    `${log}triggers:\n  - id: f\n    type: io.kestra.plugin.core.trigger.Flow\n    conditions:\n      - type: io.kestra.plugin.core.condition.NotCondition\n        conditions:\n          - type: io.kestra.plugin.core.condition.OrCondition\n            conditions:\n              - type: io.kestra.plugin.core.condition.ExecutionNamespaceCondition\n                namespace: company\n                comparison: "{{ vars.how }}"\n              - type: io.kestra.plugin.core.condition.ExecutionNamespace\n                namespace: company\n                prefix: "true"\nvariables: { how: PREFIX }`,
  ],
  [
    'an HTTP trigger',
    `${log}triggers:\n  - id: h\n    type: io.kestra.plugin.core.http.Trigger\n    uri: https://example.com\n    interval: PT30S\n    responseCondition: "{{ response.statusCode == 200 }}"\n    method: "{{ vars.method }}"\nvariables: { method: GET }`,
  ],
  [
    'a script in Docker with an image of the runner',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.scripts.python.Script\n    taskRunner:\n      type: io.kestra.plugin.scripts.runner.docker.Docker\n      image: python:3.12-slim\n      pullPolicy: "{{ vars.policy }}"\n      cpu: { cpus: "1.5" }\n    script: print(1)\nvariables: { policy: IF_NOT_PRESENT }',
  ],
  [
    'the older way to ask for Docker',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.scripts.python.Script\n    runner: DOCKER\n    docker:\n      image: "{{ vars.image }}"\n    warningOnStdErr: "false"\n    beforeCommands:\n      - pip install requests > /dev/null\n    script: print(1)\nvariables: { image: python }',
  ],
  [
    'the Process runner',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.scripts.shell.Commands\n    taskRunner:\n      type: io.kestra.plugin.core.runner.Process\n    env:\n      N: 1\n      V: 3.10\n      ON: true\n    commands:\n      - echo $N',
  ],
  [
    'the Process runner by its old name',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.scripts.shell.Script\n    taskRunner:\n      type: io.kestra.plugin.scripts.runner.Process\n    runner: PROCESS\n    script: |\n      echo hi',
  ],
  [
    'script properties by expression',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.scripts.python.Commands\n    commands: "{{ vars.commands }}"\n    env: "{{ vars.env }}"\n    outputFiles: "{{ vars.files }}"\n    targetOS: "{{ vars.os }}"\n    failFast: "{{ vars.fast }}"\n    packageManager: "{{ vars.manager }}"\n    namespaceFiles:\n      enabled: "{{ true }}"\n      include: "{{ vars.files }}"\nvariables: { commands: [], env: {}, files: [], os: LINUX, fast: true, manager: PIP }',
  ],
  [
    'commands as one text',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.scripts.shell.Commands\n    commands: echo hi',
  ],
  [
    'input files as JSON',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.scripts.node.Script\n    inputFiles: "{{ vars.files }}"\n    interpreter: ["/bin/bash", "-c"]\n    script: console.log(1)\nvariables: { files: { a.txt: hi } }',
  ],
  [
    'a script trigger',
    `${log}triggers:\n  - id: s\n    type: io.kestra.plugin.scripts.shell.ScriptTrigger\n    script: exit 1\n    exitCondition: exit 1\n    edge: "{{ true }}"\n    interval: PT30S`,
  ],
  [
    'Bash of old',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.scripts.Bash\n    exitOnFailed: false\n    interpreter: /bin/bash\n    interpreterArgs: ["-c"]\n    outputFiles: [first]\n    commands:\n      - echo 1 >> {{ outputFiles.first }}',
  ],
  [
    'Bash of old in Docker',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.scripts.Bash\n    runner: DOCKER\n    dockerOptions:\n      image: php\n      pullImage: true\n    commands:\n      - php -v',
  ],
  [
    'Python of old',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.scripts.Python\n    requirements:\n      - requests==2.31\n    args: ["{{ flow.id }}"]\n    virtualEnv: "true"\n    inputFiles:\n      main.py: |\n        print(1)',
  ],
  [
    'Node of old',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.scripts.Node\n    args: [1]\n    inputFiles:\n      main.js: console.log(1)\n      package.json: "{}"',
  ],
];
