/** Texts of flows that tests of the command line save. */
export const flow = (id: string, tasks: string) => `id: ${id}\nnamespace: company.team\ntasks:\n${tasks}`;

export const says = (message: string) =>
  `  - id: hello\n    type: core.log.Log\n    message: ${JSON.stringify(message)}\n`;

export const fails = '  - id: bad\n    type: core.execution.Fail\n    errorMessage: it had to be\n';
