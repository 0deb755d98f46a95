/** The flows of the published comparison: B1 two tasks, B2 five decisions, B3 a hundred iterations. */

const head = (id: string) => `id: ${id}\nnamespace: bench\n`;

const webhook = `triggers:
  - id: webhook
    type: core.trigger.Webhook
    key: benchmark
`;

/**
 * The tasks of both forms of B1; a worker group sends its tasks, including pure ones, to the workers of that
 * group.
 */
const twoTasks = (id: string, where: string) => `${head(id)}
inputs:
  - id: name
    type: STRING
    defaults: World
tasks:
  - id: concatenate
    type: core.output.OutputValues${where}
    values:
      message: Hello {{ inputs.name }}
  - id: log
    type: core.log.Log${where}
    message: "{{ outputs.concatenate.values.message }}"
${webhook}`;

export const simpleFlow = (id: string) => twoTasks(id, '');

export const remoteGroup = 'remote';
export const remoteFlow = (id: string) => twoTasks(id, `\n    workerGroup:\n      key: ${remoteGroup}`);

const decision = (id: string) => `  - id: ${id}
    type: core.flow.If
    condition: "{{ inputs.condition }}"
    then:
      - id: ${id}-then
        type: core.log.Log
        message: then
    else:
      - id: ${id}-else
        type: core.log.Log
        message: else
`;

export const complexFlow = (id: string) => `${head(id)}
inputs:
  - id: condition
    type: BOOL
    defaults: true
tasks:
${['if1', 'if2', 'if1-3', 'if4', 'if5'].map(decision).join('')}${webhook}`;

export const loopFlow = (id: string, iterations: number) => `${head(id)}
tasks:
  - id: each
    type: core.flow.ForEach
    values: "{{ range(1, ${iterations}) }}"
    concurrencyLimit: 0
    tasks:
      - id: value
        type: core.output.OutputValues
        values:
          some: value
`;

/** Many empty shell commands: measures the cost of starting a command. */
export const shellFlow = (id: string, commands: number) => `${head(id)}
tasks:
  - id: each
    type: core.flow.ForEach
    values: "{{ range(1, ${commands}) }}"
    concurrencyLimit: 0
    tasks:
      - id: shell
        type: scripts.shell.Commands
        taskRunner:
          type: core.runner.Process
        commands:
          - "true"
`;
