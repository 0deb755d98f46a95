import { z } from 'zod';
import { defineControl } from '../../kit/define.ts';
import {
  anything,
  choice,
  dateTime,
  deprecated,
  fixed,
  flag,
  integer,
  labels,
  mapOf,
  text,
} from '../../kit/dynamic.ts';
import { lineIcon } from '../../kit/icon.ts';

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
      namespace: text().describe('The namespace of the flow to start.'),
      flowId: text().describe('The id of the flow to start.'),
      revision: fixed(integer({ min: 1 }))
        .optional()
        .describe('The revision to run; the latest when absent.'),
      inputs: mapOf(anything()).optional().describe('The inputs of the started flow.'),
      labels: labels().optional().describe('Labels of the started execution.'),
      inheritLabels: flag()
        .default(false)
        .describe('The started execution also gets the labels of this one.'),
      wait: flag().default(true).describe('Wait for the started execution to end.'),
      transmitFailed: flag()
        .default(true)
        .describe('End as the started execution ended; otherwise a failure there is a success here.'),
      scheduleDate: dateTime().optional().describe('Start then instead of at once.'),
      restartBehavior: fixed(choice(['RETRY_FAILED', 'NEW_EXECUTION']))
        .default('RETRY_FAILED')
        .describe('When this execution is restarted: restart the failed one, or start another.'),
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
