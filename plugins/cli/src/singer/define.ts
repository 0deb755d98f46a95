import { choice, defineTask, listOf, type TaskDefinition } from '@millrace/plugin-kit';
import { cliTask } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { commonProperties, fromProperty, need, streamsProperty } from './properties.ts';
import { type Feature, type Program, runTap, runTarget } from './run.ts';
import { asDateTime } from './settings.ts';

type Values = Readonly<Record<string, unknown>>;

export interface ProgramWords {
  /** The last part of the type. */
  readonly name: string;
  /** The source or destination, for the title. */
  readonly of: string;
  readonly command: string;
  readonly packages: readonly string[];
  readonly properties: () => z.ZodRawShape;
  /** Settings whose name or form differs from the property in snake case; undefined leaves one out. */
  readonly settings?: (input: Values) => Values;
  /** Files that the settings name. */
  readonly files?: (input: Values) => Readonly<Record<string, string>>;
  readonly example: Values;
}

export interface TapWords extends ProgramWords {
  readonly features?: readonly Feature[];
}

export interface TargetWords extends ProgramWords {
  readonly writesFiles?: boolean;
}

const sideEffects = { sideEffects: cliTask.sideEffects, renderWith: cliTask.renderWith, deprecated: true };
const tapOutput = z.object({
  raw: z.string().describe('The file with the messages of the tap, to pass to a target.'),
  count: z.number().describe('The number of records.'),
});
const measured = [
  { name: 'records', type: 'counter' as const, description: 'The number of records of a stream.' },
  {
    name: 'record_count',
    type: 'counter' as const,
    description: 'The number of records, as the program reports it.',
  },
];
const install = (packages: readonly string[]) =>
  `Installs \`${packages.join('`, `')}\` with pip in a virtual environment`;
const requirement = (packages: readonly string[]) => {
  const programs = packages.some((name) => name.startsWith('git+'))
    ? 'Git and Python with `venv`'
    : 'Python with `venv`';
  return `${programs} must be on the worker or in the container of \`taskRunner\`.`;
};
const usual: readonly Feature[] = ['CATALOG', 'DISCOVER', 'STATE'];

export const defineTap = ({ features = usual, ...words }: TapWords): TaskDefinition =>
  defineTask({
    ...sideEffects,
    type: `singer.taps.${words.name}`,
    title: `Read from ${words.of} with a Singer tap`,
    description: `${install(words.packages)}, reads the selected streams and stores the messages of the tap for a
\`singer.targets\` task. Deprecated: many taps are no longer maintained; use \`dlt.Run\` or \`airbyte.*\` in new flows. ${requirement(words.packages)}`,
    input: () =>
      z.object({
        ...words.properties(),
        streamsConfigurations: streamsProperty(),
        ...commonProperties(),
      }),
    output: tapOutput,
    metrics: measured,
    examples: [
      exampleOf(`singer.taps.${words.name}`, {
        ...words.example,
        streamsConfigurations: [{ selected: true }],
      }),
    ],
    run: (context, input) => {
      const values: Values = input;
      return runTap(context, input, toProgram(words, values), features);
    },
  });

export const defineTarget = ({ writesFiles = false, ...words }: TargetWords): TaskDefinition =>
  defineTask({
    ...sideEffects,
    type: `singer.targets.${words.name}`,
    title: `Write to ${words.of} with a Singer target`,
    description: `${install(words.packages)}, writes the messages of a tap and keeps the state that the target
confirms in the key-value store of the namespace. Deprecated: many targets are no longer maintained; use \`dlt.Run\` or \`airbyte.*\` in new flows. ${requirement(words.packages)}`,
    input: () => z.object({ ...words.properties(), from: fromProperty(), ...commonProperties() }),
    output: z.object({
      stateKey: z.string().describe('The key of the state in the key-value store of the namespace.'),
      ...(writesFiles && {
        uris: z.record(z.string(), z.string()).describe('The written files, by name.'),
      }),
    }),
    metrics: measured.slice(1),
    examples: [
      exampleOf(`singer.targets.${words.name}`, { ...words.example, from: '{{ outputs.read.raw }}' }),
    ],
    run: (context, input) => {
      const values: Values = input;
      return runTarget(context, input, toProgram(words, values), writesFiles);
    },
  });

const featureNames = ['CATALOG', 'PROPERTIES', 'DISCOVER', 'STATE'] as const;

const genericProperties = {
  pipPackages: need.texts(
    'The packages that pip installs, such as `tap-github`. An empty list installs nothing.',
  ),
  command: need.text('The command of the installed program, such as `tap-github`.'),
  configs: need.map('The configuration of the program, as its documentation describes it.'),
};

export const genericTap = defineTask({
  ...sideEffects,
  type: 'singer.taps.GenericTap',
  title: 'Read with any Singer tap',
  description: `Installs packages with pip in a virtual environment, runs a tap and stores its messages for a \`singer.targets\` task. Deprecated: use \`dlt.Run\`
or \`airbyte.*\` in new flows.`,
  input: () =>
    z.object({
      ...commonProperties(),
      ...genericProperties,
      features: listOf(choice(featureNames))
        .default(['PROPERTIES', 'DISCOVER', 'STATE'])
        .describe(
          'The options that the tap supports: `DISCOVER` lists its streams, `CATALOG` or `PROPERTIES` passes the selected streams, `STATE` continues from the last run.',
        ),
      streamsConfigurations: streamsProperty(),
    }),
  output: tapOutput,
  metrics: measured,
  examples: [
    exampleOf('singer.taps.GenericTap', {
      pipPackages: ['tap-exchangeratehost'],
      command: 'tap-exchangeratehost',
      features: ['STATE'],
      configs: { base: 'EUR', start_date: '2026-01-01' },
      streamsConfigurations: [{ selected: true }],
    }),
  ],
  run: (context, input) =>
    runTap(context, input, { ...input, packages: input.pipPackages, config: input.configs }, input.features),
});

export const genericTarget = defineTask({
  ...sideEffects,
  type: 'singer.targets.GenericTarget',
  title: 'Write with any Singer target',
  description: `Installs packages with pip in a virtual environment and runs a target with the messages of a tap. Deprecated: use \`dlt.Run\` or \`airbyte.*\` in new
flows.`,
  input: () => z.object({ ...commonProperties(), ...genericProperties, from: fromProperty() }),
  output: z.object({
    stateKey: z.string().describe('The key of the state in the key-value store of the namespace.'),
  }),
  metrics: measured.slice(1),
  examples: [
    exampleOf('singer.targets.GenericTarget', {
      pipPackages: ['target-jsonl'],
      command: 'target-jsonl',
      configs: { destination_path: '.' },
      from: '{{ outputs.read.raw }}',
    }),
  ],
  run: (context, input) =>
    runTarget(context, input, { ...input, packages: input.pipPackages, config: input.configs }, false),
});

/** The client libraries of Google find the key of the account through an environment variable. */
export const googleFile = 'google-credentials.json';

function toProgram({ properties, settings, files, command, packages }: ProgramWords, input: Values): Program {
  const own = Object.keys(properties()).filter((name) => name !== 'serviceAccount');
  const written = own.map(
    (name) => [toSnake(name), isDate(name) ? asDateTime(input[name]) : input[name]] as const,
  );
  const all = Object.entries({ ...Object.fromEntries(written), ...settings?.(input) });
  const config = Object.fromEntries(all.filter(([, value]) => value !== undefined));
  const { serviceAccount } = input;
  const hasAccount = typeof serviceAccount === 'string';
  return {
    command,
    packages,
    config,
    files: { ...files?.(input), ...(hasAccount && { [googleFile]: serviceAccount }) },
    ...(hasAccount && { env: { GOOGLE_APPLICATION_CREDENTIALS: googleFile } }),
  };
}

const isDate = (name: string): boolean => name === 'startDate' || name === 'endDate';

const toSnake = (name: string): string => name.replace(/([A-Z])/g, (letter) => `_${letter.toLowerCase()}`);

function exampleOf(type: string, properties: Values) {
  const lines = Object.entries(properties).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`);
  const isTarget = type.includes('.targets.');
  const read = `  - id: read
    type: singer.taps.GenericTap
    pipPackages: ["tap-exchangeratehost"]
    command: tap-exchangeratehost
    features: [STATE]
    configs: {"base": "EUR", "start_date": "2026-01-01"}
    streamsConfigurations: [{"selected": true}]
`;
  return {
    title: isTarget ? 'Write the records of a tap.' : 'Read all streams.',
    runs: false,
    code: `id: ${type.split('.').slice(1).join('_').toLowerCase()}
namespace: company.team

tasks:
${isTarget ? read : ''}  - id: ${isTarget ? 'write' : 'read'}
    type: ${type}
${lines.join('\n')}
`,
  };
}
