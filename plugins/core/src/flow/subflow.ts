import { anything, defineControl, deprecated, fixed, lineIcon, mapOf } from '@millrace/plugin-kit';
import { z } from 'zod';
import { calledFlow } from './calledFlow.ts';

export const subflow = defineControl({
  type: 'core.flow.Subflow',
  role: 'subflow',
  title: 'Run another flow',
  description:
    'Starts an execution of another flow and, by default, waits for its end and returns its outputs.',
  aliases: ['io.kestra.core.tasks.flows.Flow', 'io.kestra.core.tasks.flows.Subflow'],
  icon: lineIcon('M4 4h16v16H4z', 'M8 8h8v8H8z', 'M12 11v2'),
  input: () =>
    z.object({
      ...calledFlow({
        transmitFailed: 'End as the started execution ended; otherwise a failure there is a success here.',
      }),
      outputs: deprecated(fixed(mapOf(anything())).optional(), 'declare `outputs` on the other flow.'),
    }),
  output: () =>
    z.object({
      executionId: z.string().describe('The started execution.'),
      state: z.string().describe('How it ended; its first state when not waited for.'),
      outputs: z.record(z.string(), z.unknown()).optional().describe('The outputs of the other flow.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Run a flow and use its outputs.',
      runs: false,
      code: `id: parent
namespace: company.team

tasks:
  - id: child
    type: core.flow.Subflow
    namespace: company.team
    flowId: make_report
    inputs:
      day: "{{ execution.startDate | date('yyyy-MM-dd') }}"

  - id: show
    type: core.log.Log
    message: "The report is at {{ outputs.child.outputs.file }}"
`,
    },
  ],
});
