import { describe, expect, it } from 'vitest';
import { commands } from './commands/index.ts';
import { writeHelp } from './help.ts';
import { readCommandLine } from './readCommandLine.ts';

const read = (...argv: string[]) => readCommandLine(argv, commands);

describe('readCommandLine', () => {
  it.each([[[]], [['server']], [['server', 'local']], [['--port', '9']], [['server', 'standalone']]])(
    '%j starts the server',
    (argv) => {
      expect(read(...argv)).toMatchObject({ kind: 'run', command: { name: 'server' } });
    },
  );

  it('hands options and arguments to the command', () => {
    expect(
      read('server', 'local', '--port', '9', '--management-port=10', '--insecure', '-c', 'f'),
    ).toMatchObject({
      values: { port: '9', 'management-port': '10', insecure: true, config: 'f' },
      positionals: ['local'],
    });
  });

  it.each([
    [['serve'], /"serve" is not a command; expected one of server/],
    [['--prot', '1'], /--prot/],
    [['server', 'api', 'executor', 'worker', 'scheduler', 'x'], /"x" is one argument too many/],
  ])('%j is explained', (argv, message) => {
    expect(() => read(...argv)).toThrow(message);
  });

  it('answers help and version', () => {
    expect(read('--help')).toEqual({ kind: 'help', about: '' });
    expect(read('help', 'server')).toEqual({ kind: 'help', about: 'server' });
    expect(read('server', '-h')).toEqual({ kind: 'help', about: 'server' });
    expect(read('-v')).toEqual({ kind: 'version' });
  });
});

describe('writeHelp', () => {
  it('lists every command and explains every option', () => {
    const everything = writeHelp('', commands);
    for (const { name, options } of commands) {
      expect(everything).toContain(`  ${name}`);
      for (const option of Object.keys(options)) expect(writeHelp(name, commands)).toContain(`--${option}`);
    }
  });

  it('says what it does not know', () => {
    expect(() => writeHelp('moon', commands)).toThrow('There is no help about "moon".');
  });
});
