/**
 * Runs in a separate Node.js process, so it is kept as text. It evaluates the script of a job and writes the
 * result: `node driver.mjs job.json`.
 */
export const javascriptDriver = String.raw`import { createReadStream, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createContext, Script } from 'node:vm';

const job = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
const say = (level) => (...words) =>
  console.log('::' + JSON.stringify({ logs: [{ level, message: words.map(text).join(' ') }] }) + '::');
const logger = { trace: say('TRACE'), debug: say('DEBUG'), info: say('INFO'), warn: say('WARN'), error: say('ERROR') };
const unavailable = (name) => () => {
  throw new Error('runContext.' + name + ' is not available here; write an expression into the script instead');
};
const runContext = {
  logger: () => logger,
  getVariables: () => job.variables,
  render: unavailable('render'),
  metric: unavailable('metric'),
  storage: unavailable('storage'),
};
const Java = { type: (name) => { throw new Error('Java classes such as ' + name + ' are not available'); } };
const builtIn = { Buffer, URL, URLSearchParams, TextEncoder, TextDecoder, setTimeout, clearTimeout, structuredClone };
const context = createContext({ ...builtIn, console, Java, print: console.log, ...job.variables, logger, runContext });
const evaluate = (code) => new Script(code, { filename: 'script.js' }).runInContext(context);

async function evaluateOnce() {
  let result = evaluate(job.script);
  if (typeof result === 'function') result = result();
  result = await result;
  const outputs = {};
  for (const name of job.outputs) {
    const isMember = typeof result === 'object' && result !== null && name in result;
    const value = isMember ? result[name] : evaluate('typeof ' + name + " === 'undefined' ? undefined : " + name);
    if (value !== undefined) outputs[name] = value;
  }
  const plain = typeof result === 'function' || typeof result === 'symbol' ? undefined : result;
  writeFileSync(job.target, JSON.stringify({ result: plain, outputs }));
}

/** A block keeps the names of one row from the next one. */
async function transformRows() {
  const read = "__rows(typeof row === 'undefined' ? null : row, typeof rows === 'undefined' ? undefined : rows)";
  let emitted = [];
  context.__rows = (row, rows) => {
    emitted = rows === undefined || rows === null ? [row] : rows;
  };
  const script = new Script('{' + job.script + '\n;' + read + '}', { filename: 'script.js' });
  const target = openSync(job.target, 'w');
  for await (const line of createInterface({ input: createReadStream(job.source) })) {
    if (line === '') continue;
    context.row = JSON.parse(line);
    context.rows = undefined;
    script.runInContext(context);
    for (const row of emitted) if (row !== null && row !== undefined) writeSync(target, JSON.stringify(row) + '\n');
  }
}

await (job.source === undefined ? evaluateOnce() : transformRows());
`;
