import { defineCommand, exitCodes } from '../command.ts';
import { databaseOption, dataOptions, listenOptions, readDataSettings } from '../dataSettings.ts';

const marks = { ok: '✓', warning: '!', failed: '✗' } as const;

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Look at everything a server needs and say what is wrong',
  options: {
    ...dataOptions,
    ...databaseOption,
    ...listenOptions,
    output: { type: 'string', value: 'FORMAT', choices: ['table', 'json', 'text'], help: 'how to print' },
  },
  details:
    'Changes nothing, and works whether a server is running or not. Ends with 1 when something has failed.\n' +
    'Give it the options of the server (--config, --host, --port …), so that it checks what that server uses.',
  run: async ({ values }, { env, out }) => {
    const { examine } = await import('../../maintenance/doctor.ts');
    const findings = await examine({ config: readDataSettings(values, env), now: Date.now() });
    if (values.output === 'json') out.write(`${JSON.stringify(findings, null, 2)}\n`);
    else
      for (const { check, status, message } of findings) out.write(`${marks[status]} ${check}: ${message}\n`);
    return findings.some(({ status }) => status === 'failed') ? exitCodes.failed : exitCodes.done;
  },
});
