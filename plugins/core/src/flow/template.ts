import { anything, defineControl, lineIcon, mapOf, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const template = defineControl({
  type: 'core.flow.Template',
  role: 'flowable',
  title: 'Run the tasks of a template',
  description: 'Templates are replaced by subflows.',
  aliases: ['io.kestra.core.tasks.flows.Template'],
  deprecated: true,
  icon: lineIcon('M4 4h16v5H4z', 'M4 13h7v7H4z', 'M15 13h5v7h-5z'),
  input: () =>
    z.object({
      namespace: text().describe('The namespace of the template.'),
      templateId: text().describe('The id of the template.'),
      args: mapOf(anything()).optional().describe('Values its tasks reach by `parent.outputs.args`.'),
    }),
  output: () =>
    z.object({ args: z.record(z.string(), z.unknown()).optional().describe('The rendered values.') }),
  sideEffects: false,
  examples: [
    {
      title: 'Run a template.',
      runs: false,
      code: `id: from_template
namespace: company.team

tasks:
  - id: steps
    type: core.flow.Template
    namespace: company.team
    templateId: clean_up
`,
    },
  ],
});
