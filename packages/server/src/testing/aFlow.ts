/** The source of a flow in `company.team`; without tasks given it logs one line. */
export function aFlow(id: string, rest = ''): string {
  const hasTasks = /^tasks:/m.test(rest);
  const tasks = hasTasks ? '' : 'tasks:\n  - id: hello\n    type: core.log.Log\n    message: Hello\n';
  return `id: ${id}\nnamespace: company.team\n${rest.trim() === '' ? '' : `${rest.trim()}\n`}${tasks}`;
}
