import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, parseFlow } from '@millrace/engine';
import { describe, expect, test } from 'vitest';
import { coreFlows } from './testing/coreFlows.ts';
import { otherFlows } from './testing/otherFlows.ts';
import { createFullCatalogue } from './testing.ts';

const catalogue = createFullCatalogue();
const content = join(import.meta.dirname, '../../../content');
const read = (folder: string) =>
  readdirSync(join(content, folder)).map((name) => ({
    name,
    text: readFileSync(join(content, folder, name), 'utf8'),
  }));

const tutorial = read('tutorial').map(({ name, text }) => ({ name, source: text }));
const blueprints = read('blueprints/flow').map(({ name, text }) => ({
  name,
  source: /```yaml\n([\s\S]*?)```/.exec(text)?.[1] ?? '',
}));

const issuesOf = (source: string): readonly Finding[] =>
  parseFlow(source, catalogue, { expressions: (type) => catalogue.find(type)?.shape }).issues;
const warningsOf = (source: string) =>
  issuesOf(source)
    .filter(({ severity }) => severity === 'warning')
    .map(({ path, message }) => `${path}: ${message}`);

describe('[E168] flows that are right', () => {
  test.each([...tutorial, ...blueprints])('$name has no warning', ({ source }) => {
    expect(source).not.toBe('');
    expect(warningsOf(source)).toEqual([]);
  });

  test('flows of Kestra have no wrong expression', () => {
    const wrong = [...coreFlows, ...otherFlows].flatMap(([name, body]) => {
      const source = `id: a_flow\nnamespace: company.team\n${body}\n`;
      const before = parseFlow(source, catalogue).issues.length;
      return issuesOf(source)
        .slice(before)
        .map(({ message }) => `${name}: ${message}`);
    });
    expect(wrong).toEqual([]);
  });
});

interface Seed {
  readonly name: string;
  readonly source: string;
  /** The wrong text and where it begins. */
  readonly wrong: string;
  readonly offset: number;
}

/** Parts of expressions that name something which must exist. */
const named = [
  /\|\s*([a-zA-Z]{2,})/g,
  /(?<![.\w])([a-zA-Z]{2,})\(/g,
  /(?<![.\w])inputs\.([a-zA-Z]\w*)/g,
  /(?<![.\w])vars\.([a-zA-Z]\w*)/g,
  /(?<![.\w])outputs\.([a-zA-Z]\w*)/g,
];
const hasFallback = /\?\?|default\(|is (not )?(defined|null|empty)/;

/** Misspells one name at a time, in every expression of a flow that has no fallback. */
function seedsOf({ name, source }: { name: string; source: string }): Seed[] {
  return [...source.matchAll(/\{\{.*?\}\}/g)]
    .filter(([expression]) => !hasFallback.test(expression))
    .flatMap(({ 0: expression, index }) =>
      named.flatMap((pattern) =>
        [...expression.matchAll(pattern)].map((match) => {
          const word = match[1] ?? '';
          const offset = index + match.index + match[0].indexOf(word);
          const wrong = `${word.slice(0, -1)}q${word.slice(-1)}`;
          return {
            name,
            wrong,
            offset,
            source: source.slice(0, offset) + wrong + source.slice(offset + word.length),
          };
        }),
      ),
    );
}

const offsetOf = (source: string, { line, column }: { line: number; column: number }): number =>
  source
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, text) => sum + text.length + 1, 0) +
  column -
  1;

describe('[E168] mistakes seeded into the blueprints', () => {
  test('A-2.9 each misspelled name is found where it is', () => {
    const seeds = blueprints.flatMap(seedsOf).filter(({ source, offset }) => {
      const line = source.slice(source.lastIndexOf('\n', offset) + 1, offset);
      return !/^\s*#|^\s*description:/.test(line);
    });
    expect(seeds.length).toBeGreaterThan(150);
    const missed = seeds.filter(
      ({ source, offset }) =>
        !issuesOf(source).some(({ range }) => range && offsetOf(source, range.start) === offset),
    );
    expect(missed.map(({ name, wrong }) => `${name}: ${wrong}`)).toEqual([]);
  });

  const source = (name: string) => blueprints.find((blueprint) => blueprint.name === name)?.source ?? '';

  test.each<[string, string, string, string]>([
    [
      'api-to-csv.md',
      'outputs.download.uri',
      'outputs.download.url',
      'Task "download" has no output "url"; did you mean "uri"?',
    ],
    ['api-to-csv.md', 'outputs.rows.uri', 'outputs.reshape.uri', 'reads its own outputs'],
    ['api-to-csv.md', '{{ inputs.url }}', '{{ url }}', 'did you mean "inputs.url"?'],
    ['athena-report.md', 'outputs.query.uri', 'outputs.sheet.uri', 'Task "sheet" '],
    [
      'backup-folder.md',
      'execution.startDate',
      'execution.started',
      '"execution" has no attribute "started"',
    ],
    ['backup-folder.md', '{{ vars.source }}', '{{ var.source }}', 'Variable "var" does not exist'],
    [
      'backup-to-minio.md',
      'outputs.pack.outputFiles',
      'outputs.pack.outputFile',
      'did you mean "outputFiles"?',
    ],
    ['backup-to-minio.md', "dateAdd(-6, 'MONTHS')", 'dateAdd(-6)', 'Filter "dateAdd" takes 2 to 6 arguments'],
    ['batch-a-file.md', 'outputs.cut.uris', 'outputs.cut.files', 'Task "cut" has no output "files"'],
    ['batch-a-file.md', '| length }}', '| length(1) }}', 'Filter "length" takes no arguments, got 1'],
    [
      'blob-file-arrival.md',
      'trigger.blobs',
      'trigger.files',
      'No trigger of the flow has an output "files"',
    ],
    [
      'blob-file-arrival.md',
      'outputs.rows[taskrun.value].uri',
      'outputs.rows.uri',
      'write outputs.rows[taskrun.value].uri',
    ],
    ['blob-file-arrival.md', "jq('.[].uri')", 'jq()', 'Filter "jq" takes 1 argument (expression), got 0'],
    ['call-an-api.md', 'outputs.ask.code ==', 'outputs.ask.status ==', 'Task "ask" has no output "status"'],
    ['check-bigquery-data-and-alert.md', 'outputs.count.row', 'outputs.count.rwo', 'did you mean "row"?'],
    [
      'check-disk-space.md',
      'outputs.look.vars.used > inputs.limit',
      'outputs.look.used > inputs.limit',
      'Task "look" has no output "used"',
    ],
    ['clean-csv.md', 'outputs.raw.uri', 'outputs.clean.uri', 'Task "clean"'],
    ['clean-csv.md', "split('\\n')", 'split', 'Filter "split" takes 1 to 2 arguments'],
    [
      'copy-rows-between-databases.md',
      "now() | dateAdd(-1, 'DAYS')",
      "dateAdd(now(), -1, 'DAYS')",
      'Function "dateAdd" does not exist',
    ],
    [
      'csv-to-parquet.md',
      'outputs.parquet.size',
      'outputs.parquet.rows',
      'Task "parquet" has no output "rows"',
    ],
    [
      'daily-report-in-notion.md',
      'outputs.orders.size',
      'outputs.orders.count',
      'Task "orders" has no output "count"',
    ],
    [
      'daily-report.md',
      'outputs.report.uri',
      'outputs.report.content',
      'Task "report" has no output "content"',
    ],
    ['daily-report.md', 'read(outputs.report.uri)', 'read()', 'Function "read" takes 1 to 3 arguments'],
    [
      'dependencies-with-dag.md',
      'outputs.orders.value',
      'outputs.customers.value',
      'does not depend on task "customers"',
    ],
    [
      'deploy-to-kubernetes.md',
      'render(vars.manifest)',
      'render()',
      'Function "render" takes 1 to 2 arguments',
    ],
    [
      'deploy-with-argo-cd.md',
      'outputs.sync.healthStatus',
      'outputs.sync.health',
      'Task "sync" has no output "health"',
    ],
    ['dynamodb-export.md', 'outputs.scan.uri', 'outputs.csv.uri', 'Task "csv" reads its own outputs'],
    ['excel-report.md', 'outputs.totals.uri', 'outputs.totals.file', 'Task "totals" has no output "file"'],
    [
      'explain-failures-with-ai.md',
      'trigger.flowId',
      'trigger.flow',
      'No trigger of the flow has an output "flow"',
    ],
    ['explain-failures-with-ai.md', 'outputs.logs.uri', 'outputs.explain.uri', 'Task "explain"'],
    [
      'fan-out-and-join.md',
      'taskrun.value | upper',
      'taskrun.item | upper',
      '"taskrun" has no attribute "item"',
    ],
    [
      'fan-out-and-join.md',
      "loopOutputs(outputs.shout, 'value')",
      'outputs.shout.value',
      "write loopOutputs(outputs.shout, 'value')",
    ],
    [
      'fan-out-and-join.md',
      "loopOutputs(outputs.shout, 'value')",
      'loopOutputs(outputs.shout)',
      'Function "loopOutputs" takes 2 arguments',
    ],
    [
      'fan-out-and-join.md',
      '{{ inputs.words }}',
      '{{ taskrun.value }}',
      '"taskrun.value" exists only in a loop',
    ],
    [
      'fan-out-and-join.md',
      '{{ inputs.words }}',
      '{{ outputs.shout.value }}',
      'Task "shout" runs inside this task',
    ],
    [
      'handle-failures.md',
      'taskrun.attemptsCount',
      'taskrun.attempts',
      '"taskrun" has no attribute "attempts"',
    ],
    ['handle-failures.md', 'flow.namespace', 'flow.name', '"flow" has no attribute "name"'],
    [
      'handle-failures.md',
      "tasksWithState('FAILED')",
      'tasksWithState()',
      'Function "tasksWithState" takes 1 argument (state), got 0',
    ],
    ['kafka-to-parquet.md', 'trigger.uri', 'trigger.file', 'No trigger of the flow has an output "file"'],
    ['new-lead-from-a-form.md', 'trigger.body.email', 'trigger.boddy.email', 'did you mean "body"?'],
    [
      'purge-old-executions.md',
      'outputs.purge.executionsCount',
      'outputs.purge.executions',
      'Task "purge" has no output "executions"',
    ],
    ['query-to-s3.md', 'outputs.query.uri', 'outputs.csv.uri', 'Task "csv" reads its own outputs'],
    ['queue-in-redis.md', 'outputs.work.value', 'outputs.work.result', 'Task "work" has no output "result"'],
    ['queue-in-redis.md', '{{ execution.id }}', '{{ executionId }}', 'Variable "executionId" does not exist'],
    [
      'report-as-sqlite-file.md',
      'outputs.build.databaseUri',
      'outputs.build.database',
      'Task "build" has no output "database"',
    ],
  ])('%s: %s written as %s', (name, right, wrong, message) => {
    const text = source(name);
    expect(text).toContain(right);
    expect(warningsOf(text.replace(right, wrong)).join('\n')).toContain(message);
  });
});
