/** A condition: whether a trigger may start an execution. */
export const officeHours = ({ defineCondition, z, integer }) =>
  defineCondition({
    type: 'acme.OfficeHours',
    title: 'During office hours',
    description: 'True on working days between two hours of UTC.',
    // It looks at a date and not at an execution, so it may stand on a schedule.
    onSchedule: true,
    input: z.object({
      from: integer({ min: 0, max: 24 }).default(9).describe('The first hour.'),
      to: integer({ min: 0, max: 24 }).default(17).describe('The hour at which it is over.'),
    }),
    examples: [
      {
        title: 'Every ten minutes, while somebody is there.',
        runs: false,
        code: `id: while_we_work
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.date }}"

triggers:
  - id: often
    type: core.trigger.Schedule
    cron: "*/10 * * * *"
    conditions:
      - type: acme.OfficeHours
        to: 18
`,
      },
    ],
    test({ date = new Date() }, { from, to }) {
      const isWeekend = date.getUTCDay() % 6 === 0;
      return !isWeekend && date.getUTCHours() >= from && date.getUTCHours() < to;
    },
  });
