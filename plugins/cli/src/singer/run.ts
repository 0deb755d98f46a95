import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  collectOutputFiles,
  isMap,
  ownPrefix,
  type TaskContext,
  TaskFailed,
  writeInside,
} from '@millrace/plugin-kit';
import { type ReadLine, runCommands, type ScriptInput, shellQuote } from '@millrace/plugin-scripts';

export type Feature = 'CATALOG' | 'PROPERTIES' | 'DISCOVER' | 'STATE';

/** A program of Singer: a tap prints messages, a target reads them. */
export interface Program {
  readonly command: string;
  readonly packages: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
  /** Files with secrets, beside the configuration. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Input extends ScriptInput {
  readonly stateName: string;
  readonly pipPackages?: readonly string[] | undefined;
  readonly command?: string | undefined;
}

const file = {
  config: `${ownPrefix}config.json`,
  catalog: `${ownPrefix}catalog.json`,
  streams: `${ownPrefix}streams.json`,
  select: `${ownPrefix}select.py`,
  state: `${ownPrefix}state.json`,
  messages: `${ownPrefix}messages.jsonl`,
  venv: `${ownPrefix}venv`,
} as const;

/** Marks the wanted streams in the catalog of a tap, in both notations that taps read. */
const selectStreams = `
import json
import re

with open("${file.catalog}") as source:
    catalog = json.load(source)
with open("${file.streams}") as source:
    wanted = json.load(source)
for stream in catalog.get("streams", []):
    names = (stream.get("stream"), stream.get("tap_stream_id"))
    for choice in wanted:
        if choice.get("stream") is not None and choice["stream"] not in names:
            continue
        entries = stream.setdefault("metadata", [])
        root = next((entry for entry in entries if entry.get("breadcrumb") == []), None)
        if root is None:
            root = {"breadcrumb": [], "metadata": {}}
            entries.append(root)
        root["metadata"]["selected"] = choice["selected"]
        schema = stream.setdefault("schema", {})
        schema["selected"] = choice["selected"]
        if choice.get("replicationMethod"):
            root["metadata"]["replication-method"] = choice["replicationMethod"]
            stream["replication_method"] = choice["replicationMethod"]
        if choice.get("replicationKeys"):
            root["metadata"]["replication-key"] = choice["replicationKeys"]
            stream["replication_key"] = choice["replicationKeys"]
        if choice.get("propertiesPattern"):
            for name in schema.get("properties", {}):
                is_wanted = any(re.fullmatch(pattern, name) for pattern in choice["propertiesPattern"])
                schema["properties"][name]["selected"] = is_wanted
                path = ["properties", name]
                entry = next((each for each in entries if each.get("breadcrumb") == path), None)
                if entry is None:
                    entry = {"breadcrumb": path, "metadata": {}}
                    entries.append(entry)
                entry["metadata"]["selected"] = is_wanted
with open("${file.catalog}", "w") as target:
    json.dump(catalog, target)
`;

/** Runs a tap, stores its messages, and counts the rows of its streams. */
export async function runTap(
  context: TaskContext,
  input: Input & { readonly streamsConfigurations: readonly object[] },
  program: Program,
  features: readonly Feature[],
) {
  const folder = await prepare(context, program);
  await writeInside(folder, file.streams, JSON.stringify(input.streamsConfigurations));
  await writeInside(folder, file.select, selectStreams);
  const state = features.includes('STATE') ? await context.kv.get(stateKey(context, input)) : undefined;
  if (state !== undefined) await writeInside(folder, file.state, JSON.stringify(state));
  const command = `${input.command ?? program.command} --config ${file.config}`;
  const options = [
    ...(features.includes('CATALOG') ? [`--catalog ${file.catalog}`] : []),
    ...(features.includes('PROPERTIES') ? [`--properties ${file.catalog}`] : []),
    ...(state === undefined ? [] : [`--state ${file.state}`]),
  ];
  await run(context, input, program, [
    ...(features.includes('DISCOVER')
      ? [`${command} --discover > ${file.catalog}`, `python3 ${file.select}`]
      : []),
    [command, ...options, `> ${file.messages}`].join(' '),
  ]);
  const counts = await countRecords(join(folder, file.messages));
  for (const [stream, value] of counts)
    context.metric({ name: 'records', type: 'counter', value, tags: { stream } });
  const raw = await context.files.put('raw.jsonl', createReadStream(join(folder, file.messages)));
  return { raw, count: [...counts.values()].reduce((sum, each) => sum + each, 0) };
}

const writtenFolder = 'singer-files';

/** Runs a target with the messages of a tap and keeps the state that it confirms. */
export async function runTarget(
  context: TaskContext,
  input: Input & { readonly from: string },
  program: Program,
  writesFiles: boolean,
) {
  const config = writesFiles ? { ...program.config, destination_path: writtenFolder } : program.config;
  const folder = await prepare(context, { ...program, config });
  await writeInside(folder, file.messages, await context.files.read(input.from));
  const command = `${input.command ?? program.command} --config ${file.config}`;
  await run(context, input, program, [
    ...(writesFiles ? [`mkdir -p ${writtenFolder}`] : []),
    `${command} < ${file.messages} > ${file.state}`,
  ]);
  const key = stateKey(context, input);
  const state = await lastState(join(folder, file.state));
  const { namespace } = context.run;
  if (state !== undefined) await context.kv.set(key, state, { namespace, overwrite: true, type: 'JSON' });
  if (!writesFiles) return { stateKey: key };
  const written = await collectOutputFiles(context, folder, [`${writtenFolder}/**`]);
  const uris = Object.entries(written).map(([path, uri]) => [path.slice(writtenFolder.length + 1), uri]);
  return { stateKey: key, uris: Object.fromEntries(uris) as Record<string, string> };
}

/** A key of the namespace for each flow and name. */
const stateKey = ({ run: { flowId } }: TaskContext, { stateName }: Input): string =>
  `singer_${flowId}_${stateName}`.replace(/[^\w.-]/g, '-');

async function prepare(context: TaskContext, { config, files = {} }: Program): Promise<string> {
  const folder = await context.workingDirectory();
  await writeInside(folder, file.config, JSON.stringify(config));
  for (const [name, content] of Object.entries(files)) await writeInside(folder, name, content);
  return folder;
}

async function run(context: TaskContext, input: Input, program: Program, lines: readonly string[]) {
  const packages = (input.pipPackages ?? program.packages).map(shellQuote).join(' ');
  const install = [
    `python3 -m venv ${file.venv}`,
    `. ${file.venv}/bin/activate`,
    `pip install -q ${packages}`,
  ];
  const end = await runCommands(context, input, {
    lines: [...(packages === '' ? [] : install), ...lines],
    env: { PYTHONUNBUFFERED: 'true', PIP_ROOT_USER_ACTION: 'ignore', ...program.env },
    readLine: readLineOf(context),
  });
  if (end.failure !== undefined) throw new TaskFailed(end.failure);
}

/** Taps and targets log to standard error with their own level, and their measurements as JSON. */
const readLineOf =
  (context: TaskContext): ReadLine =>
  (line) => {
    const [, level, text] = /\b(DEBUG|INFO|WARNING|ERROR|CRITICAL)\b[\s:]+(.*)$/.exec(line) ?? [];
    if (level === undefined || text === undefined) return undefined;
    const measured = /^METRIC: (\{.*\})$/.exec(text)?.[1];
    if (measured !== undefined) report(context, measured);
    if (level === 'DEBUG' || level === 'INFO') return { level, message: text };
    return { level: level === 'WARNING' ? 'WARN' : 'ERROR', message: text };
  };

function report(context: TaskContext, text: string): void {
  const found = toMap(text);
  if (found?.type !== 'counter' || typeof found.metric !== 'string' || typeof found.value !== 'number')
    return;
  const tags = isMap(found.tags) ? Object.entries(found.tags).map(([name, tag]) => [name, String(tag)]) : [];
  context.metric({
    name: found.metric,
    type: 'counter',
    value: found.value,
    tags: Object.fromEntries(tags) as Record<string, string>,
  });
}

function toMap(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function countRecords(path: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (!line.includes('RECORD')) continue;
    const message = toMap(line);
    if (message?.type !== 'RECORD') continue;
    const stream = String(message.stream);
    counts.set(stream, (counts.get(stream) ?? 0) + 1);
  }
  return counts;
}

async function lastState(path: string): Promise<unknown> {
  let last: unknown;
  for await (const line of createInterface({ input: createReadStream(path) })) last = toMap(line) ?? last;
  return last;
}
