import {
  type Definition,
  defineTask,
  integer,
  listOf,
  mapOf,
  type TaskDefinition,
  text,
  textOrJson,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { evaluateScript, type Interpreter, readResult, rowLines, storeRows } from './evaluateScript.ts';
import { groovyDriver } from './groovyDriver.ts';
import { javascriptDriver } from './javascriptDriver.ts';
import { pythonDriver } from './pythonDriver.ts';
import { rubyDriver } from './rubyDriver.ts';

/** A group of types that evaluates scripts of one language: `<group>.Eval` and `<group>.FileTransform`. */
interface Evaluation {
  readonly group: string;
  readonly language: string;
  /** Notes about the interpreter for script authors. */
  readonly note: string;
  readonly isDeprecated: boolean;
  readonly interpreter: Interpreter;
  readonly evalScript: string;
  readonly rowScript: string;
  /** Python has modules. */
  readonly hasModules?: boolean;
  readonly runs: boolean;
}

const javascript: Interpreter = {
  program: process.execPath,
  driver: { name: 'driver.mjs', code: javascriptDriver },
};
const python: Interpreter = { program: 'python3', driver: { name: 'driver.py', code: pythonDriver } };
const ruby: Interpreter = { program: 'ruby', driver: { name: 'driver.rb', code: rubyDriver } };
const groovy: Interpreter = { program: 'groovy', driver: { name: 'driver.groovy', code: groovyDriver } };

const javascriptEval = `(function () {
  logger.info('Adding')
  return { sum: 1 + 2 }
})`;
const javascriptRow = `if (row.amount < 0) row = null
else row.total = row.amount * 2`;
const pythonEval = `logger.info('Adding')
sum = 1 + 2`;
const pythonRow = `if row['amount'] < 0:
    row = None
else:
    row['total'] = row['amount'] * 2`;

const evaluations: readonly Evaluation[] = [
  {
    group: 'graalvm.js',
    language: 'JavaScript',
    note: 'The script runs in Node.js in its own process: Java classes are not available.',
    isDeprecated: false,
    interpreter: javascript,
    evalScript: javascriptEval,
    rowScript: javascriptRow,
    runs: true,
  },
  {
    group: 'graalvm.python',
    language: 'Python',
    note: 'The script runs with the `python3` of the worker: Java classes are not available.',
    isDeprecated: false,
    interpreter: python,
    evalScript: pythonEval,
    rowScript: pythonRow,
    hasModules: true,
    runs: true,
  },
  {
    group: 'graalvm.ruby',
    language: 'Ruby',
    note: 'The script runs with the `ruby` of the worker: Java classes are not available.',
    isDeprecated: false,
    interpreter: ruby,
    evalScript: `logger.info('Adding')\nsum = 1 + 2`,
    rowScript: `row['amount'] < 0 ? row = nil : row['total'] = row['amount'] * 2`,
    runs: false,
  },
  {
    group: 'scripts.nashorn',
    language: 'JavaScript',
    note: 'The script runs in Node.js in its own process instead of Nashorn: Java classes are not available. Use `scripts.node.Script` in new flows.',
    isDeprecated: true,
    interpreter: javascript,
    evalScript: javascriptEval,
    rowScript: javascriptRow,
    runs: true,
  },
  {
    group: 'scripts.jython',
    language: 'Python',
    note: 'The script runs with the `python3` of the worker instead of Jython: the syntax is that of Python 3, and Java classes are not available. Use `scripts.python.Script` in new flows.',
    isDeprecated: true,
    interpreter: python,
    evalScript: pythonEval,
    rowScript: pythonRow,
    runs: true,
  },
  {
    group: 'scripts.groovy',
    language: 'Groovy',
    note: 'The script runs with the `groovy` of the worker. Use `scripts.groovy.Script` in new flows.',
    isDeprecated: true,
    interpreter: groovy,
    evalScript: `logger.info('Adding')\nsum = 1 + 2`,
    rowScript: `if (row.amount < 0) row = null else row.total = row.amount * 2`,
    runs: false,
  },
];

const indent = (script: string): string => script.replaceAll('\n', '\n      ');

const modulesProperty = () =>
  mapOf(text())
    .optional()
    .describe(
      'Modules that the script can import: name of the file → its text, or its URI in internal storage.',
    );

function defineEval(evaluation: Evaluation): TaskDefinition {
  const { group, language, note, interpreter } = evaluation;
  const type = `${group}.Eval`;
  return defineTask({
    type,
    title: `Evaluate ${language}`,
    description: `Evaluates a script that sees the variables of the flow (\`inputs\`, \`outputs\`, \`execution\` and so on) and \`logger\`. A function that it returns is called. ${note} The script must not read more from \`runContext\` than \`logger()\` and \`getVariables()\`.`,
    ...(evaluation.isDeprecated && { deprecated: true }),
    input: () =>
      z.object({
        script: text().describe('The script.'),
        outputs: listOf(text())
          .optional()
          .describe('Names whose values become outputs: members of the result, or variables of the script.'),
        ...(evaluation.hasModules && { modules: modulesProperty() }),
      }),
    output: () =>
      z.object({
        result: z.unknown().optional().describe('The value of the script.'),
        outputs: z.record(z.string(), z.unknown()).describe('The values of the names in `outputs`.'),
      }),
    sideEffects: true,
    examples: [
      {
        title: 'Add two numbers.',
        runs: evaluation.runs,
        code: `id: ${group.replace('.', '_')}_eval
namespace: company.team

tasks:
  - id: add
    type: ${type}
    outputs:
      - sum
    script: |
      ${indent(evaluation.evalScript)}

  - id: show
    type: core.log.Log
    message: "{{ outputs.add.outputs.sum }}"
`,
      },
    ],
    run: (context, { script, outputs, ...rest }) =>
      evaluateScript(
        context,
        interpreter,
        { script, ...(outputs && { outputs }), ...modulesOf(rest) },
        readResult,
      ),
  });
}

function modulesOf(input: object): { modules?: Readonly<Record<string, string>> } {
  if (!('modules' in input) || input.modules === undefined) return {};
  // `as`: the schema of Python has this property.
  return { modules: input.modules as Readonly<Record<string, string>> };
}

const defineTransform = (evaluation: Evaluation): TaskDefinition =>
  defineTask({
    type: `${evaluation.group}.FileTransform`,
    title: `Transform rows with ${evaluation.language}`,
    description: `Runs a script for each row of a file. The script changes the variable \`row\`, sets it to null to drop the row, or sets \`rows\` to a list of rows. Dates are ISO texts. ${evaluation.note}`,
    ...(evaluation.isDeprecated && { deprecated: true }),
    input: () =>
      z.object({
        from: textOrJson().describe('The URI of a file in internal storage, or a list of rows.'),
        script: text().describe('The script.'),
        concurrent: integer({ min: 1 })
          .optional()
          .describe('Accepted for compatibility: rows are transformed in their order.'),
      }),
    output: () => z.object({ uri: z.string().describe('The file with the new rows.') }),
    metrics: [{ name: 'records', type: 'counter', description: 'How many rows were written.' }],
    sideEffects: true,
    examples: [
      {
        title: 'Drop rows and add a column.',
        runs: evaluation.runs,
        code: `id: ${evaluation.group.replace('.', '_')}_transform
namespace: company.team

tasks:
  - id: transform
    type: ${evaluation.group}.FileTransform
    from: '[{"amount": 1}, {"amount": -1}]'
    script: |
      ${indent(evaluation.rowScript)}
`,
      },
    ],
    run: (context, { from, script }) =>
      evaluateScript(
        context,
        evaluation.interpreter,
        { script, rows: rowLines(context, from) },
        async (path) => {
          const { uri, count } = await storeRows(context, path);
          context.metric({ name: 'records', type: 'counter', value: count });
          return { uri };
        },
      ),
  });

export const evaluationTypes: readonly Definition[] = evaluations.flatMap((evaluation) => [
  defineEval(evaluation),
  defineTransform(evaluation),
]);
