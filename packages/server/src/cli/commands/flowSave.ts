import { flows, flowTests } from '@millrace/contract';
import { parseFlow } from '@millrace/engine';
import { readTestSuite } from '@millrace/engine/flow-test';
import { type Client, Refusal } from '../client/client.ts';
import { clientOptions, connect, isJson } from '../client/options.ts';
import { printable, printJson } from '../client/print.ts';
import { startProgress } from '../client/progress.ts';
import { type FlowSource, readFlowsAndTests } from '../client/sourceFiles.ts';
import { CommandFailure, defineCommand, exitCodes, type Surroundings, type Values } from '../command.ts';

export interface Saved {
  readonly file: string;
  readonly namespace?: string;
  readonly id?: string;
  readonly revision?: number;
  /** The version of a test suite. */
  readonly version?: number;
  /** Types that no plugin of the server provides; the flow was saved disabled. */
  readonly unknownTypes?: readonly string[];
  /** Mistakes that did not prevent saving. */
  readonly warnings?: readonly string[];
  readonly problem?: string;
}

/** The query of a save. */
type SaveOptions = { readonly keepUnknownTypes: boolean };

type Save = (client: Client, source: FlowSource, options: SaveOptions) => Promise<Saved>;

export const keepUnknownTypesOption = {
  'keep-unknown-types': {
    type: 'boolean',
    help: 'save flows with types that no plugin provides, disabled',
  },
} as const;

const saveOptions = { ...keepUnknownTypesOption, ...clientOptions };

export const flowCreate = defineCommand({
  name: 'flow create',
  summary: 'Save flows that do not exist yet, and their tests (*.test.yaml)',
  usage: 'PATH…',
  positionals: { min: 1, max: 10_000 },
  options: saveOptions,
  run: ({ values, positionals }, surroundings) => saveAll(positionals, values, surroundings, create),
});

export const flowUpdate = defineCommand({
  name: 'flow update',
  summary: 'Save a new revision of flows, and their tests; an unchanged flow keeps its revision',
  usage: 'PATH…',
  positionals: { min: 1, max: 10_000 },
  options: {
    create: { type: 'boolean', help: 'create the flows that do not exist yet' },
    ...saveOptions,
  },
  run: ({ values, positionals }, surroundings) =>
    saveAll(positionals, values, surroundings, async (client, source, options) => {
      try {
        return await update(client, source, options);
      } catch (error) {
        if (values.create && error instanceof Refusal && error.status === 404)
          return create(client, source, options);
        throw error;
      }
    }),
});

/** Continues after a refused flow, so that one run reports all of them. */
async function saveAll(
  paths: readonly string[],
  values: Values<typeof saveOptions>,
  surroundings: Surroundings,
  saveFlow: Save,
) {
  const client = connect(values, surroundings);
  const options = { keepUnknownTypes: values['keep-unknown-types'] === true };
  const { flows: sources, tests } = await readFlowsAndTests(paths);
  const progress = startProgress(surroundings, sources.length + tests.length);
  const saved: Saved[] = [];
  // The suites follow the flows that they test.
  for (const [save, source] of [
    ...sources.map((source) => [saveFlow, source] as const),
    ...tests.map((source) => [saveTestSuite, source] as const),
  ]) {
    saved.push(
      await save(client, source, options).catch((error: unknown): Saved => {
        const isOfThisFlow = error instanceof Refusal && error.status !== 401;
        if (!isOfThisFlow && !(error instanceof NotAFlow)) throw error;
        return { file: source.origin, problem: error.message };
      }),
    );
    progress.step(source.origin);
  }
  progress.end();
  if (isJson(values, surroundings)) printJson(surroundings.out, saved);
  else for (const one of saved) surroundings.out.write(linesOf(one));
  return saved.some(({ problem }) => problem !== undefined) ? exitCodes.failed : exitCodes.done;
}

export function linesOf(saved: Saved): string {
  const { file, namespace, id, revision, version, unknownTypes, warnings = [], problem } = saved;
  if (problem !== undefined) return `refused  ${file}: ${printable(problem)}\n`;
  if (version !== undefined) return `saved    test suite ${namespace}.${id} version ${version}\n`;
  const note = unknownTypes ? `, disabled: no plugin provides ${printable(unknownTypes.join(', '))}` : '';
  const warned = warnings.map((warning) => `warning  ${file}: ${printable(warning)}\n`);
  return `saved    ${namespace}.${id} revision ${revision}${note}\n${warned.join('')}`;
}

const create: Save = async (client, { text, origin }, query) => {
  return savedAs(origin, await client.call(flows.createFlow, { body: text, query }));
};

const update: Save = async (client, { text, origin }, query) => {
  const { flow, issues } = parseFlow(text, undefined);
  if (!flow) throw new NotAFlow(issues[0]?.message ?? 'the text is not a flow');
  const { namespace, id } = flow;
  return savedAs(
    origin,
    await client.call(flows.updateFlow, { params: { namespace, id }, body: text, query }),
  );
};

/** Saves a test suite as it is in its file, whether the server has it or not. */
export const saveTestSuite: Save = async (client, { text, origin }) => {
  const { suite, issues } = readTestSuite(text);
  if (!suite) throw new NotAFlow(issues[0]?.message ?? 'the text is not a test suite');
  const { namespace, id } = suite;
  const update = client.call(flowTests.updateTestSuite, { params: { namespace, id }, body: text });
  const { version } = await update.catch((error: unknown) => {
    if (!(error instanceof Refusal && error.status === 404)) throw error;
    return client.call(flowTests.createTestSuite, { body: text });
  });
  return { file: origin, namespace, id, version };
};

const savedAs = (
  file: string,
  { namespace, id, revision, unknownTypes, warnings }: flows.SavedFlow,
): Saved => ({
  file,
  namespace,
  id,
  revision,
  ...(unknownTypes && { unknownTypes }),
  ...(warnings && { warnings }),
});

class NotAFlow extends CommandFailure {}
