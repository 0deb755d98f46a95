import { defineTrigger, duration, flag, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { Api, serverProperties } from './api.ts';

interface ListedTrigger {
  readonly abstractTrigger?: { readonly type?: string };
  readonly triggerContext?: {
    readonly namespace: string;
    readonly flowId: string;
    readonly triggerId: string;
    readonly date?: string | null;
    readonly nextExecutionDate?: string | null;
    readonly disabled?: boolean;
  };
}

export const scheduleMonitor = defineTrigger({
  type: 'kestra.triggers.ScheduleMonitor',
  role: 'polling',
  title: 'Start when a schedule is late',
  description:
    'Looks for schedules whose next date has passed by more than `allowedDelay`, or that have not run for longer than `maxExecutionInterval`, and starts an execution with those it finds.',
  input: () =>
    z.object({
      ...serverProperties(),
      interval: duration().prefault('PT60S').describe('How often to look.'),
      namespace: text().optional().describe('Only schedules of this namespace and those below it.'),
      flowId: text().optional().describe('Only schedules of this flow.'),
      includeDisabled: flag().default(false).describe('Also look at triggers that are disabled.'),
      allowedDelay: duration().prefault('PT1M').describe('How late a schedule may be.'),
      maxExecutionInterval: duration().optional().describe('How long a schedule may go without running.'),
    }),
  output: () =>
    z.object({
      data: z
        .array(
          z.object({
            namespace: z.string().describe('The namespace of the flow.'),
            flowId: z.string().describe('The id of the flow.'),
            triggerId: z.string().describe('The id of the trigger.'),
            lastExecution: z.string().optional().describe('When it last ran.'),
            expectedNext: z.string().optional().describe('When it should have run.'),
          }),
        )
        .describe('The schedules that are late.'),
    }),
  examples: [
    {
      title: 'Log schedules that are late.',
      runs: false,
      code: `id: late_schedules
namespace: company.team

tasks:
  - id: log
    type: core.log.Log
    message: "Late: {{ trigger.data }}"

triggers:
  - id: monitor
    type: kestra.triggers.ScheduleMonitor
    namespace: company
    allowedDelay: PT5M
`,
    },
  ],
  async poll(context, input) {
    const query = { namespace: input.namespace, flowId: input.flowId };
    const now = Date.now();
    const data: Record<string, string>[] = [];
    for await (const { abstractTrigger, triggerContext } of new Api(context, input).pages<ListedTrigger>(
      '/triggers/search',
      query,
    )) {
      if (!triggerContext || !/\.Schedule(OnDates)?$/.test(abstractTrigger?.type ?? '')) continue;
      if (triggerContext.disabled && !input.includeDisabled) continue;
      const { namespace, flowId, triggerId, date, nextExecutionDate } = triggerContext;
      const isLate = nextExecutionDate ? now - Date.parse(nextExecutionDate) > input.allowedDelay : false;
      const isIdle =
        input.maxExecutionInterval !== undefined && date
          ? now - Date.parse(date) > input.maxExecutionInterval
          : false;
      if (isLate || isIdle)
        data.push({
          namespace,
          flowId,
          triggerId,
          ...(date && { lastExecution: date }),
          ...(nextExecutionDate && { expectedNext: nextExecutionDate }),
        });
    }
    return data.length > 0 ? { data } : undefined;
  },
});
