import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.ts';

describe('readArguments', () => {
  it.each([[[]], [['server']], [['server', 'local']], [['server', 'standalone']]])(
    '%j starts the server',
    (argv) => {
      expect(readArguments(argv)).toMatchObject({ command: 'server' });
    },
  );

  it('turns flags into settings', () => {
    expect(
      readArguments([
        'server',
        'local',
        '--port',
        '9',
        '--management-port=10',
        '--data',
        'x',
        '--insecure',
        '-c',
        'f',
      ]),
    ).toEqual({
      command: 'server',
      file: 'f',
      settings: {
        data: 'x',
        server: { port: '9', managementPort: '10', insecure: true },
        database: {},
        worker: {},
      },
    });
  });

  it.each([
    [['serve'], /"serve" is not a command/],
    [['server', 'moon'], /"server moon" does not exist/],
    [['--prot', '1'], /--prot/],
    [['server', 'local', 'x'], /one argument too many/],
  ])('%j is explained', (argv, message) => {
    expect(() => readArguments(argv)).toThrow(message);
  });

  it('answers help and version', () => {
    expect(readArguments(['--help'])).toEqual({ command: 'help' });
    expect(readArguments(['-v'])).toEqual({ command: 'version' });
  });
});
