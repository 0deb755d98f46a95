import type { Example } from './definition.ts';

/** A flow that ships the log every hour to an exporter, whose properties the lines are. */
export const logExporterExample = (id: string, lines: readonly string[]): Example => ({
  title: 'Every hour.',
  runs: false,
  code: `id: ${id}
namespace: system

tasks:
  - id: ship
    type: core.log.LogShipper
    logExporters:
      - id: target
${lines.map((line) => `        ${line}`).join('\n')}

triggers:
  - id: hourly
    type: core.trigger.Schedule
    cron: "0 * * * *"
`,
});
