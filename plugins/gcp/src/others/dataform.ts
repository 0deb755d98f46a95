import { flag, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { segment } from '../google/client.ts';
import { defineGcpTask, taskExample } from '../google/define.ts';
import { textAt } from '../google/json.ts';
import { pollUntil } from '../google/wait.ts';

const dataformUrl = 'https://dataform.googleapis.com/v1';

export const invokeWorkflow = defineGcpTask({
  type: 'gcp.dataform.InvokeWorkflow',
  title: 'Run a workflow of Dataform',
  description:
    'Runs a workflow configuration of a Dataform repository and waits for its end. Killing the task cancels the run.',
  properties: {
    workflowConfigId: text().describe('The name of the workflow configuration.'),
    wait: flag().default(true).describe('Wait for the end of the run.'),
    location: text().describe('Where the repository is, such as `europe-west1`.'),
    repositoryId: text().describe('The repository.'),
  },
  output: () =>
    z.object({
      workflowInvocationName: z.string().describe('The name of the run.'),
      workflowInvocationState: z.string().describe('Its state.'),
    }),
  examples: [
    taskExample(
      'gcp.dataform.InvokeWorkflow',
      'Run a workflow.',
      'location: europe-west1\nrepositoryId: warehouse\nworkflowConfigId: nightly',
    ),
  ],
  async run({ google, project }, input) {
    const repository = `projects/${await project()}/locations/${segment(input.location)}/repositories/${segment(input.repositoryId)}`;
    const started = await google.post(`${dataformUrl}/${repository}/workflowInvocations`, {
      workflowConfig: `${repository}/workflowConfigs/${input.workflowConfigId}`,
    });
    const name = textAt(started, 'name') ?? '';
    if (!input.wait)
      return { workflowInvocationName: name, workflowInvocationState: textAt(started, 'state') ?? 'RUNNING' };
    try {
      const state = await pollUntil(google, { what: `The workflow ${name}` }, async () => {
        const now = textAt(await google.get(`${dataformUrl}/${name}`), 'state') ?? 'RUNNING';
        return ['RUNNING', 'CANCELING'].includes(now) ? undefined : now;
      });
      if (state !== 'SUCCEEDED') throw new TaskFailed(`The workflow ${name} ended in state ${state}.`);
      return { workflowInvocationName: name, workflowInvocationState: state };
    } catch (error) {
      if (google.context.signal.aborted)
        await google
          .detached()
          .post(`${dataformUrl}/${name}:cancel`, {})
          .catch(() => {});
      throw error;
    }
  },
});
