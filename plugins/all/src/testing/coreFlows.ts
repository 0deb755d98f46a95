/** Flows as users of Kestra write them, for core tasks: a title, and the text after `id` and `namespace`. */
export const coreFlows: readonly (readonly [string, string])[] = [
  [
    'a full class name and quoted keys',
    'tasks:\n  - "id": "hello"\n    "type": "io.kestra.plugin.core.log.Log"\n    "message": "hi"',
  ],
  ['the oldest name of Log', 'tasks:\n  - id: a\n    type: io.kestra.core.tasks.log.Log\n    message: hi'],
  [
    'the oldest name of Return',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.debugs.Return\n    format: "{{ taskrun.startDate }}"',
  ],
  ['Echo', 'tasks:\n  - id: a\n    type: io.kestra.core.tasks.debugs.Echo\n    format: hi\n    level: DEBUG'],
  [
    'messages as a list',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message:\n      - one\n      - "{{ flow.id }}"',
  ],
  ['a number as a message', 'tasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: 42'],
  [
    'a level by expression',
    'inputs:\n  - id: level\n    type: STRING\ntasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi\n    level: "{{ inputs.level }}"',
  ],
  [
    'a level that does not exist',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi\n    level: LOUD',
  ],
  [
    'labels as a map',
    'labels:\n  env: prod\n  version: 1.10\n  on: true\ntasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi',
  ],
  [
    'labels as a list',
    'labels:\n  - key: env\n    value: prod\ntasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi',
  ],
  [
    'inputs by their old name',
    'inputs:\n  - name: who\n    type: STRING\n    required: false\ntasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: "{{ inputs.who }}"',
  ],
  [
    'a validator with look-ahead',
    'inputs:\n  - id: password\n    type: STRING\n    validator: ^(?=.*[A-Z])(?=.*\\d).{8,}$\ntasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi',
  ],
  [
    'a validator with look-behind',
    'inputs:\n  - id: name\n    type: STRING\n    validator: "\\\\w+(?<!_old)"\ntasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi',
  ],
  [
    'task defaults by their old name',
    'taskDefaults:\n  - type: io.kestra.plugin.core.log.Log\n    values:\n      level: ERROR\ntasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi',
  ],
  [
    'plugin defaults with an expression',
    'pluginDefaults:\n  - type: io.kestra.plugin.core.log.Log\n    forced: "true"\n    values:\n      level: "{{ vars.level }}"\nvariables:\n  level: INFO\ntasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi',
  ],
  [
    'booleans as texts',
    'disabled: "false"\ntasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi\n    disabled: "true"\n    allowFailure: "yes"',
  ],
  [
    'numbers as texts',
    'concurrency:\n  limit: "2"\n  behavior: QUEUE\ntasks:\n  - id: a\n    type: io.kestra.plugin.core.flow.Parallel\n    concurrent: "2"\n    tasks:\n      - id: b\n        type: io.kestra.plugin.core.log.Log\n        message: hi',
  ],
  [
    'a retry with numbers as texts',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi\n    retry:\n      type: exponential\n      interval: PT1S\n      maxInterval: PT10S\n      delayFactor: "1.5"\n      maxAttempt: "3"\n      warningOnRetry: "true"',
  ],
  [
    'durations in lower case and as seconds',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.flow.Sleep\n    duration: pt1s\n  - id: b\n    type: io.kestra.plugin.core.flow.Sleep\n    duration: 1\n    timeout: 30\n    retry: { type: constant, interval: 5, maxAttempts: 2 }',
  ],
  [
    'a timeout by expression',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi\n    timeout: "{{ vars.limit }}"\nvariables:\n  limit: PT1M',
  ],
  [
    'a timeout that is no duration',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi\n    timeout: 30s',
  ],
  [
    'runIf as a boolean',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi\n    runIf: true',
  ],
  [
    'If with a boolean',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.flows.If\n    condition: true\n    then:\n      - id: b\n        type: io.kestra.plugin.core.log.Log\n        message: hi',
  ],
  [
    'Switch with numbers as cases',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.flows.Switch\n    value: "{{ inputs.n }}"\n    cases:\n      1:\n        - id: one\n          type: io.kestra.plugin.core.log.Log\n          message: one\n      true:\n        - id: two\n          type: io.kestra.plugin.core.log.Log\n          message: two\n    defaults:\n      - id: other\n        type: io.kestra.plugin.core.log.Log\n        message: other\ninputs:\n  - id: n\n    type: INT',
  ],
  [
    'ForEach over JSON text',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.flow.ForEach\n    values: \'["a", "b"]\'\n    concurrencyLimit: "0"\n    tasks:\n      - id: b\n        type: io.kestra.plugin.core.log.Log\n        message: "{{ taskrun.value }}"',
  ],
  [
    'ForEach over maps, limit by expression',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.flow.ForEach\n    values:\n      - { k: 1 }\n      - { k: 2 }\n    concurrencyLimit: "{{ vars.n }}"\n    tasks:\n      - id: b\n        type: io.kestra.plugin.core.log.Log\n        message: "{{ fromJson(taskrun.value).k }}"\nvariables:\n  n: 2',
  ],
  [
    'EachSequential and EachParallel',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.flows.EachSequential\n    value: ["a", "b"]\n    tasks:\n      - id: b\n        type: io.kestra.core.tasks.flows.EachParallel\n        value: "{{ [1, 2] }}"\n        concurrent: 2\n        tasks:\n          - id: c\n            type: io.kestra.plugin.core.log.Log\n            message: "{{ taskrun.value }}"',
  ],
  [
    'Dag',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.flow.Dag\n    concurrent: "{{ 2 }}"\n    tasks:\n      - task:\n          id: b\n          type: io.kestra.plugin.core.log.Log\n          message: hi\n      - task:\n          id: c\n          type: io.kestra.plugin.core.log.Log\n          message: hi\n        dependsOn:\n          - b',
  ],
  [
    'Pause with its old property',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.flows.Pause\n    delay: PT1S',
  ],
  [
    'Pause by expression',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.flow.Pause\n    pauseDuration: "{{ vars.wait }}"\n    behavior: "{{ vars.then }}"\n    onResume:\n      - id: ok\n        type: BOOLEAN\n        defaults: true\nvariables: { wait: PT1S, then: WARN }',
  ],
  [
    'WaitFor',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.flow.WaitFor\n    condition: "{{ outputs.b.value == \'x\' }}"\n    failOnMaxReached: "true"\n    checkFrequency:\n      interval: PT1S\n      maxIterations: "5"\n      maxDuration: PT1M\n    tasks:\n      - id: b\n        type: io.kestra.plugin.core.debug.Return\n        format: x',
  ],
  [
    'the oldest name of Subflow',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.flows.Flow\n    namespace: company.team\n    flowId: other\n    wait: "true"\n    transmitFailed: "{{ true }}"\n    inputs:\n      n: 1\n    outputs:\n      x: "{{ outputs.t.value }}"',
  ],
  [
    'Subflow with expressions and labels',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.flow.Subflow\n    namespace: "{{ flow.namespace }}"\n    flowId: "{{ vars.f }}"\n    revision: "{{ vars.r }}"\n    restartBehavior: "{{ vars.b }}"\n    inputs: "{{ vars.map }}"\n    labels:\n      - key: a\n        value: "{{ flow.id }}"\nvariables: { f: other, r: 1, b: NEW_EXECUTION, map: {} }',
  ],
  [
    'ForEachItem',
    'inputs:\n  - id: file\n    type: FILE\ntasks:\n  - id: a\n    type: io.kestra.plugin.core.flow.ForEachItem\n    items: "{{ inputs.file }}"\n    batch:\n      rows: "10"\n      bytes: 1MB\n    namespace: company.team\n    flowId: other\n    inputs:\n      part: "{{ taskrun.items }}"\n    labels:\n      a: 1',
  ],
  [
    'WorkingDirectory by its old name',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.flows.Worker\n    inputFiles:\n      a.txt: hi\n      empty.txt:\n    outputFiles: ["*.txt"]\n    cache:\n      patterns: ["x/**"]\n      ttl: PT1H\n    tasks:\n      - id: b\n        type: io.kestra.plugin.core.log.Log\n        message: hi',
  ],
  [
    'input files as an expression',
    'tasks:\n  - id: get\n    type: io.kestra.plugin.core.namespace.DownloadFiles\n    namespace: company.team\n    files: "**.csv"\n  - id: a\n    type: io.kestra.plugin.core.flow.WorkingDirectory\n    inputFiles: "{{ outputs.get.files }}"\n    namespaceFiles: "{{ {\'enabled\': true} }}"\n    tasks:\n      - id: b\n        type: io.kestra.plugin.core.log.Log\n        message: "{{ outputs.get.files[\'/a.csv\'] }}"',
  ],
  [
    'errors, finally and afterExecution',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.execution.Fail\n    condition: "{{ true }}"\n    errorMessage: 7\nerrors:\n  - id: e\n    type: io.kestra.plugin.core.log.Log\n    message: e\nfinally:\n  - id: f\n    type: io.kestra.plugin.core.log.Log\n    message: f\nafterExecution:\n  - id: g\n    type: io.kestra.plugin.core.log.Log\n    message: g\n    runIf: "{{ execution.state == \'FAILED\' }}"',
  ],
  [
    'listeners',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi\nlisteners:\n  - conditions:\n      - type: io.kestra.core.models.conditions.types.ExecutionStatusCondition\n        in: [FAILED]\n    tasks:\n      - id: b\n        type: io.kestra.plugin.core.log.Log\n        message: b',
  ],
  [
    'Labels as a map, a list and JSON',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.execution.Labels\n    labels: { a: 1, b: "{{ flow.id }}" }\n  - id: b\n    type: io.kestra.core.tasks.executions.Labels\n    labels:\n      - { key: a, value: true }\n  - id: c\n    type: io.kestra.plugin.core.execution.Labels\n    labels: "{{ vars.labels }}"\nvariables: { labels: { x: y } }',
  ],
  [
    'Exit by expression',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.execution.Exit\n    state: "{{ inputs.state }}"\ninputs:\n  - id: state\n    type: SELECT\n    values: [SUCCESS, FAILED]',
  ],
  [
    'Counts by its old name',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.executions.Counts\n    startDate: "{{ now() | dateAdd(-1, \'DAYS\') }}"\n    states: "{{ vars.states }}"\n    expression: "{{ count >= 1 }}"\n    flows:\n      - namespace: company.team\n        flowId: f\nvariables: { states: [FAILED] }',
  ],
  [
    'log.Fetch of another execution',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Fetch\n    executionId: "{{ trigger.executionId }}"\n    level: "{{ vars.level }}"\n    tasksId: ["a"]\nvariables: { level: WARN }',
  ],
  [
    'an HTTP request with a map as body',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.http.Request\n    uri: https://example.com\n    method: POST\n    body:\n      name: "{{ flow.id }}"\n      list: [1, 2]\n    headers:\n      X-Count: 1\n      X-On: true',
  ],
  [
    'an HTTP request by its old name and options',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.fs.http.Request\n    uri: https://example.com\n    options:\n      connectTimeout: PT5S\n      readTimeout: PT30S\n      basicAuthUser: u\n      basicAuthPassword: "{{ secret(\'P\') }}"\n    formData:\n      file: "{{ vars.uri }}"\n      n: 1\nvariables: { uri: x }',
  ],
  [
    'HTTP options by expression',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.http.Download\n    uri: "{{ vars.uri }}"\n    method: "{{ vars.method }}"\n    options:\n      auth:\n        type: "{{ vars.auth }}"\n        token: x\n      allowFailed: "{{ true }}"\n      logs: "{{ vars.logs }}"\nvariables: { uri: "https://example.com", method: GET, auth: BEARER, logs: [] }',
  ],
  [
    'KV tasks',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.kv.Set\n    key: n\n    value: 3\n    kvType: "{{ vars.type }}"\n    ttl: P1D\n    overwrite: "false"\n  - id: b\n    type: io.kestra.plugin.core.kv.Get\n    key: "{{ vars.key }}"\n    errorOnMissing: "{{ false }}"\nvariables: { type: NUMBER, key: n }',
  ],
  [
    'storage tasks by their old names',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.storages.Concat\n    files: "{{ vars.files }}"\n    separator: "\\n"\n  - id: b\n    type: io.kestra.core.tasks.storages.Split\n    from: "{{ outputs.a.uri }}"\n    rows: "10"\n  - id: c\n    type: io.kestra.core.tasks.storages.Purge\n    endDate: "{{ now() }}"\n    states: [KILLED]\nvariables: { files: [] }',
  ],
  [
    'FilterItems by expression',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.storage.FilterItems\n    from: "{{ vars.uri }}"\n    filterCondition: "{{ value == null }}"\n    filterType: "{{ vars.how }}"\n    errorOrNullBehavior: EXCLUDE\nvariables: { uri: x, how: EXCLUDE }',
  ],
  [
    'state tasks',
    'tasks:\n  - id: a\n    type: io.kestra.core.tasks.states.Set\n    name: x\n    namespace: "true"\n    data: { n: 1, "{{ flow.id }}": 2 }\n  - id: b\n    type: io.kestra.core.tasks.states.Get\n    errorOnMissing: true',
  ],
  [
    'variables, outputs and assertions',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.execution.SetVariables\n    variables: "{{ vars.more }}"\n    overwrite: "{{ true }}"\n  - id: b\n    type: io.kestra.plugin.core.output.OutputValues\n    values: { n: 1, deep: { list: [1, "{{ flow.id }}"] } }\n  - id: c\n    type: io.kestra.plugin.core.execution.Assert\n    conditions:\n      - "{{ outputs.b.values.n == 1 }}"\nvariables: { more: { x: 1 } }\noutputs:\n  - id: n\n    type: INT\n    value: "{{ outputs.b.values.n }}"',
  ],
  [
    'metrics',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.metric.Publish\n    metrics:\n      - type: counter\n        name: n\n        value: "{{ 1 }}"\n        tags: { a: 1 }',
  ],
  [
    'purge tasks',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.execution.PurgeExecutions\n    endDate: "{{ now() | dateAdd(-1, \'MONTHS\') }}"\n    purgeLog: "{{ vars.log }}"\n    states: ["{{ vars.state }}", SUCCESS]\n  - id: b\n    type: io.kestra.plugin.core.log.PurgeLogs\n    endDate: "{{ now() }}"\n    logLevels: ["{{ vars.level }}"]\nvariables: { log: false, state: FAILED, level: DEBUG }',
  ],
  [
    'Toggle and Resume',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.trigger.Toggle\n    trigger: t\n    enabled: "{{ vars.on }}"\n  - id: b\n    type: io.kestra.plugin.core.execution.Resume\n    executionId: "{{ vars.e }}"\n    inputs: "{{ vars.i }}"\nvariables: { on: true, e: x, i: {} }',
  ],
  [
    'a list where a map belongs',
    'tasks:\n  - id: a\n    type: io.kestra.plugin.core.http.Request\n    uri: https://example.com\n    headers:\n      - X-A: 1',
  ],
  [
    'an agreement and outputs',
    'sla:\n  - id: max\n    type: MAX_DURATION\n    duration: PT1H\n    behavior: FAIL\n    labels: { sla: missed }\noutputs:\n  - { id: o, type: STRING, value: "{{ flow.id }}", required: false }\ntasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n    message: hi',
  ],
];
