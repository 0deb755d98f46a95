import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, type TestServer, taskRunsOf } from '../testing/aServer.ts';
import { databases, sqlite } from '../testing/databases.ts';

const notes = mkdtempSync(join(tmpdir(), 'hostile-'));
afterAll(() => rmSync(notes, { recursive: true, force: true }));

const secret = 'Correct/horse&"battery';
const script = (code: string, more = '') =>
  `tasks:\n  - id: s\n    type: scripts.shell.Script\n${more}    script: |\n${code
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n')}\n`;

async function linesOf(server: TestServer, executionId: string): Promise<string[]> {
  await server.product.logs.flush();
  const { status, body } = await server.call('GET', `/logs/${executionId}?minLevel=INFO`);
  expect(status).toBe(200);
  return (body as unknown as { message: string }[]).map(({ message }) => message);
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe.each(databases)(
  '[A40] unexpected output, on $name',
  (database) => {
    const server = sharedServer(database, {
      env: { SECRET_TOKEN: Buffer.from(secret).toString('base64'), PATH: process.env.PATH ?? '' },
    });
    const runScript = async (code: string, more = '') => {
      const id = anId();
      await server().saveFlow(aFlow(id, script(code, more)));
      const execution = await server().run(id);
      return { execution, lines: await linesOf(server(), String(execution.id)) };
    };

    test('[A18] one line of 10 MB is kept whole, in pieces', async () => {
      const { execution, lines } = await runScript(
        `head -c 10485760 /dev/zero | tr '\\0' x; echo; echo after`,
      );
      expect(stateOf(execution)).toBe('SUCCESS');
      expect(lines.join('').replace('after', '')).toHaveLength(10_485_760);
      expect(lines.at(-1)).toBe('after');
    });

    test('[A18] binary and broken UTF-8 become text that can be stored and read', async () => {
      const { execution, lines } = await runScript(
        "head -c 300000 /dev/urandom; printf '\\377\\376\\303(\\000\\355\\240\\200end\\n'; echo after",
      );
      expect(stateOf(execution)).toBe('SUCCESS');
      expect(lines.at(-1)).toBe('after');
      expect(lines.at(-2)).toContain('end');
      expect(lines.join('')).not.toMatch(/\p{Surrogate}/u);
    });

    test('a process that closes its output or prints nothing ends like any other', async () => {
      const { execution } = await runScript('exec 1>&- 2>&-\nsleep 0.1\nexit 0');
      expect(stateOf(execution)).toBe('SUCCESS');
    });

    test('[A32] a secret that one task hands on is covered for all tasks, in logs, labels, metrics and errors', async () => {
      const id = anId();
      const read = `{{ secret('TOKEN') }}`;
      const handed = '{{ outputs.give.value }}';
      const tasks = [
        `{id: give, type: core.debug.Return, format: "${read}"}`,
        `{id: say, type: core.log.Log, message: "said ${handed} {{ outputs.give.value | upper }}"}`,
        `{id: label, type: core.execution.Labels, labels: {token: "${handed}", direct: "x ${read}"}}`,
        `{id: measure, type: core.metric.Publish, metrics: [{type: counter, name: "m ${handed}", value: 1, tags: {t: "${handed}"}}]}`,
        `{id: ask, type: core.http.Request, uri: "http://127.0.0.1:1/${handed}", allowFailure: true}`,
        `{id: fail, type: core.execution.Fail, errorMessage: "thrown ${handed} {{ outputs.give.value | urlencode }}"}`,
      ];
      await server().saveFlow(aFlow(id, `tasks:\n${tasks.map((task) => `  - ${task}\n`).join('')}`));
      const execution = await server().run(id);
      expect(stateOf(execution)).toBe('FAILED');
      const lines = await linesOf(server(), String(execution.id));
      expect(lines.filter((line) => /^(said|thrown) \*\*masked/.test(line))).toHaveLength(2);
      expect(lines).toContainEqual(expect.stringContaining('outputs of this task hold a secret'));
      const { body: metrics } = await server().call('GET', `/metrics/${String(execution.id)}`);
      expect(metrics.results).toContainEqual(
        expect.objectContaining({ name: expect.stringMatching(/^m \*\*masked/) }),
      );
      const shown = JSON.stringify([lines, execution.labels, metrics]);
      for (const form of ['horse', 'HORSE', encodeURIComponent(secret)]) expect(shown).not.toContain(form);
      expect(execution.labels).toContainEqual({
        key: 'direct',
        value: expect.stringMatching(/^x \*\*masked/),
      });
    });

    test('[A32] a secret is covered in the names of files, which stay apart', async () => {
      const { execution } = await runScript(
        'mkdir Correct; echo a > "$T.txt"; echo b > "$OUTPUT_DIR/x-$(printf %s "$T" | od -An -tx1 | tr -d " \\n").txt"',
        `    env:\n      T: "{{ secret('TOKEN') }}"\n    outputFiles: ["**"]\n`,
      );
      expect(stateOf(execution)).toBe('SUCCESS');
      const outputs = taskRunsOf(execution)[0]?.outputs as
        | { outputFiles?: Record<string, string> }
        | undefined;
      const outputFiles = outputs?.outputFiles ?? {};
      expect(Object.keys(outputFiles).sort()).toEqual([
        expect.stringMatching(/^\*\*masked\*+\.txt$/),
        expect.stringMatching(/^x-\*\*masked\*+\.txt$/),
      ]);
      expect(JSON.stringify(outputFiles)).not.toMatch(/horse|battery|686f727365/);
    });

    test('[A32] a secret is covered in every form it is printed in', async () => {
      const lines = [
        'echo "raw $T"',
        'echo "base64 $(printf %s "$T" | base64)"',
        'echo "inside $(printf "user:%s" "$T" | base64)"',
        'echo "upper $(printf %s "$T" | tr a-z A-Z)"',
        'echo "error $T" >&2',
        `node -e 'console.log("url", encodeURIComponent(process.env.T)); console.log("json", JSON.stringify({t: process.env.T})); console.log("hex", Buffer.from(process.env.T).toString("hex"))'`,
        'printf "cut %s" "$(printf %s "$T" | cut -c1-12)"; sleep 0.05; printf "%s\\n" "$(printf %s "$T" | cut -c13-)"',
        `node -e 'throw new Error("thrown " + process.env.T)'`,
      ];
      const { execution, lines: said } = await runScript(
        lines.join('\n'),
        `    env:\n      T: "{{ secret('TOKEN') }}"\n`,
      );
      expect(stateOf(execution)).toBe('FAILED');
      const all = said.join('\n');
      for (const word of [
        'raw',
        'base64',
        'inside',
        'upper',
        'error',
        'url',
        'json',
        'hex',
        'cut',
        'thrown',
      ]) {
        expect(all).toContain(`${word} `);
      }
      const text = secret;
      const forms = [text, text.toUpperCase(), encodeURIComponent(text), JSON.stringify(text).slice(1, -1)];
      const encoded = [Buffer.from(text).toString('base64'), Buffer.from(text).toString('hex')];
      for (const form of [...forms, ...encoded, 'horse', 'HORSE']) expect(all).not.toContain(form);
    });
  },
  180_000,
);

describe('[A40] processes that do not want to end', () => {
  const server = sharedServer(sqlite, { settings: { server: { graceMs: 500 } } });
  const pidIn = (file: string) => Number(readFileSync(join(notes, file), 'utf8'));

  /** Starts the script, waits for its pids, and kills the execution. */
  async function killed(code: string, files: readonly string[]) {
    const id = anId();
    await server().saveFlow(aFlow(id, script(code)));
    const { id: executionId } = await server().start(id);
    await vi.waitFor(() => {
      for (const file of files) expect(pidIn(file)).toBeGreaterThan(0);
    }, 60_000);
    const at = performance.now();
    await server().call('DELETE', `/executions/${executionId}/kill`);
    const execution = await server().waitForState(executionId, 'KILLED');
    return { execution, tookMs: performance.now() - at, pids: files.map(pidIn) };
  }

  test('a whole tree ends with its execution, also what ignores SIGTERM and what left its group', async () => {
    const code = [
      `trap '' TERM`,
      `echo $$ > ${notes}/parent`,
      `(trap '' TERM; echo $(exec sh -c 'echo $PPID') > ${notes}/child; while :; do sleep 0.1; done) &`,
      `setsid sh -c 'trap "" TERM; echo $$ > ${notes}/daemon; while :; do sleep 0.1; done' >/dev/null 2>&1 &`,
      'while :; do sleep 0.1; done',
    ].join('\n');
    const { tookMs, pids } = await killed(code, ['parent', 'child', 'daemon']);
    expect(tookMs).toBeLessThan(9_000);
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 60_000);
  }, 180_000);

  test('a daemon does not outlive the task that started it', async () => {
    const id = anId();
    const code = `setsid sh -c 'echo $$ > ${notes}/left; exec sleep 600' >/dev/null 2>&1 &\nwhile [ ! -s ${notes}/left ]; do sleep 0.05; done`;
    await server().saveFlow(aFlow(id, script(code)));
    expect(stateOf(await server().run(id))).toBe('SUCCESS');
    await vi.waitFor(() => expect(isAlive(pidIn('left'))).toBe(false), 60_000);
  }, 180_000);

  test('[A24] what a task has filled its folder with is gone with it', async () => {
    const id = anId();
    await server().saveFlow(
      aFlow(id, script('dd if=/dev/zero of=big bs=1M count=64 2>/dev/null; mkdir -p a/b; touch a/b/c')),
    );
    expect(stateOf(await server().run(id))).toBe('SUCCESS');
    const work = join(server().product.config.data, 'work');
    await vi.waitFor(() => expect(existsSync(work) ? readdirSync(work) : []).toEqual([]), 60_000);
  });

  test('and the server is healthy afterwards', async () => {
    const id = anId();
    await server().saveFlow(aFlow(id));
    expect(stateOf(await server().run(id))).toBe('SUCCESS');
  });
});
