import { flows } from '@millrace/contract';
import { parseFlow } from '@millrace/engine';
import { type Client, Refusal } from '../client/client.ts';
import { clientOptions, connect, isJson } from '../client/options.ts';
import { printable, printJson } from '../client/print.ts';
import { startProgress } from '../client/progress.ts';
import { type FlowSource, readFlowSources } from '../client/sourceFiles.ts';
import { CommandFailure, defineCommand, exitCodes, type Surroundings, type Values } from '../command.ts';

interface Saved {
  readonly file: string;
  readonly namespace?: string;
  readonly id?: string;
  readonly revision?: number;
  readonly problem?: string;
}

type Save = (client: Client, source: FlowSource) => Promise<Saved>;

export const flowCreate = defineCommand({
  name: 'flow create',
  summary: 'Save flows that do not exist yet',
  usage: 'PATH…',
  positionals: { min: 1, max: 10_000 },
  options: clientOptions,
  run: ({ values, positionals }, surroundings) => saveAll(positionals, values, surroundings, create),
});

export const flowUpdate = defineCommand({
  name: 'flow update',
  summary: 'Save a new revision of flows; an unchanged flow keeps its revision',
  usage: 'PATH…',
  positionals: { min: 1, max: 10_000 },
  options: {
    create: { type: 'boolean', help: 'create the flows that do not exist yet' },
    ...clientOptions,
  },
  run: ({ values, positionals }, surroundings) =>
    saveAll(positionals, values, surroundings, async (client, source) => {
      try {
        return await update(client, source);
      } catch (error) {
        if (values.create && error instanceof Refusal && error.status === 404) return create(client, source);
        throw error;
      }
    }),
});

/** Goes on after a flow that is refused, so that one run names all of them. */
async function saveAll(
  paths: readonly string[],
  values: Values<typeof clientOptions>,
  surroundings: Surroundings,
  save: Save,
) {
  const client = connect(values, surroundings);
  const sources = await readFlowSources(paths);
  const progress = startProgress(surroundings, sources.length);
  const saved: Saved[] = [];
  for (const source of sources) {
    saved.push(
      await save(client, source).catch((error: unknown): Saved => {
        const isOfThisFlow = error instanceof Refusal && error.status !== 401;
        if (!isOfThisFlow && !(error instanceof NotAFlow)) throw error;
        return { file: source.origin, problem: error.message };
      }),
    );
    progress.step(source.origin);
  }
  progress.end();
  if (isJson(values, surroundings)) printJson(surroundings.out, saved);
  else for (const one of saved) surroundings.out.write(lineOf(one));
  return saved.some(({ problem }) => problem !== undefined) ? exitCodes.failed : exitCodes.done;
}

const lineOf = ({ file, namespace, id, revision, problem }: Saved): string =>
  problem === undefined
    ? `saved    ${namespace}.${id} revision ${revision}\n`
    : `refused  ${file}: ${printable(problem)}\n`;

const create: Save = async (client, { text, origin }) => {
  const flow = await client.call(flows.createFlow, { body: text });
  return { file: origin, namespace: flow.namespace, id: flow.id, revision: flow.revision };
};

const update: Save = async (client, { text, origin }) => {
  const { flow, issues } = parseFlow(text, undefined);
  if (!flow) throw new NotAFlow(issues[0]?.message ?? 'the text is not a flow');
  const { namespace, id } = flow;
  const saved = await client.call(flows.updateFlow, { params: { namespace, id }, body: text });
  return { file: origin, namespace, id, revision: saved.revision };
};

class NotAFlow extends CommandFailure {}
