import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@millrace/store/suite';
import { afterAll, describe, expect, it } from 'vitest';
import { aTerminal } from '../../testing/aTerminal.ts';
import { fails, flow, says } from '../../testing/terminalFlows.ts';
import { commands } from './index.ts';

describe('the command line alone', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const file = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  };

  it('runs a flow once in a separate server', async () => {
    const good = await aTerminal()('flow', 'test', file('good.yml', flow('good', says('Hello'))));
    expect(good.code).toBe(0);
    expect(good.out).toMatch(/INFO {2}hello: Hello\n$/);
    const bad = await aTerminal()('flow', 'test', file('bad.yml', flow('bad', fails)));
    expect(bad.code).toBe(1);
    expect(bad.err).toMatch(/ FAILED\n$/);
  });

  it('measures this machine in a separate server', async () => {
    const { code, out } = await aTerminal()('bench', '--seconds', '1', '--concurrency', '2');
    expect(code).toBe(0);
    expect(out).toMatch(/^MEASURE +VALUE\nexecutions +\d+\nfailed +0\n[\s\S]*99 % within +[\d.]+ ms\n$/);
  });

  it('has every verb that is documented, each with help, and table or JSON where it answers with data', async () => {
    const names = commands.map(({ name }) => name);
    const wanted = [
      ...['server', 'backup', 'restore', 'doctor', 'bench', 'completion', 'plugins list', 'plugins doc'],
      ...['validate', 'create', 'update', 'delete', 'export', 'test', 'dot'].map((verb) => `flow ${verb}`),
      ...['run', 'follow', 'logs', 'kill', 'restart', 'replay'].map((verb) => `execution ${verb}`),
      ...['list', 'get', 'update', 'delete'].flatMap((verb) => [
        `namespace files ${verb}`,
        `namespace kv ${verb}`,
      ]),
    ];
    expect(wanted.filter((name) => !names.includes(name))).toEqual([]);
    for (const name of names) {
      const help = await aTerminal()(...name.split(' '), '--help');
      expect([name, help.code, help.out.includes(`millrace ${name}`)]).toEqual([name, 0, true]);
    }
    const server = commands.find(({ name }) => name === 'server');
    expect(Object.keys(server?.options ?? {})).toContain('watch');
  });

  it('draws a flow for Graphviz', async () => {
    const { out, code } = await aTerminal()('flow', 'dot', file('dot.yml', flow('dot', says('x') + fails)));
    expect(code).toBe(0);
    expect(out).toMatch(/^digraph "company\.team\.dot" \{/);
    expect(out).toContain('[shape=box, label="hello"]');
    expect(out).toMatch(/"root\.hello" -> "root\.bad"/);
  });

  it.each(['bash', 'zsh', 'fish'])('completes in %s', async (shell) => {
    const { out, code } = await aTerminal()('completion', shell);
    expect(code).toBe(0);
    expect(out).toContain('validate');
    if (shell !== 'bash') return;
    const script = `${out}\nCOMP_WORDS=(millrace flow va); COMP_CWORD=2; _millrace; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(millrace flow validate --lo); COMP_CWORD=3; _millrace; echo "\${COMPREPLY[@]}"`;
    expect(spawnSync('bash', ['-c', script]).stdout.toString()).toBe('validate\n--local\n');
  });
});
