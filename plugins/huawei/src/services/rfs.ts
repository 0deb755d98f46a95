import { randomUUID } from 'node:crypto';
import { dropMissing, mapsIn, type TaskContext, TaskFailed, textOf } from '@millrace/plugin-kit';
import { may, need, out, preset, type RestClient, waitFor } from '@millrace/plugin-saas/rest';
import { huaweiService, projectOf, type Types } from '../client/connection.ts';

const service = huaweiService('Resource Formation Service', 'rfs');

const stackProperties = {
  stackName: need.text('The name of the stack.'),
  wait: preset.flag(
    true,
    'Wait for the end. When false, the task ends as soon as the service has accepted the request.',
  ),
  maxDuration: preset.duration('PT1H', 'The longest wait; the task fails afterwards.'),
  interval: preset.duration('PT5S', 'The pause between two polls of the state of the stack.'),
};

interface Stack {
  readonly path: string;
  readonly stackName: string;
  readonly maxDuration: number;
  readonly interval: number;
}

/** Waits until no operation runs on the stack. Undefined when there is no stack any more. */
const waitForStack = (client: RestClient, context: TaskContext, { path, stackName, ...limits }: Stack) =>
  waitFor(context, {
    what: `Stack "${stackName}"`,
    everyMs: limits.interval,
    atMostMs: limits.maxDuration,
    poll: async () => {
      const { status, body } = await client.send({
        path: `${path}/metadata`,
        headers: requestId(),
        accepts: [404],
      });
      if (status === 404) return { status: 'DELETED', message: '' };
      const { status: state, status_message: message } = (body ?? {}) as Record<string, unknown>; // read below
      const found = textOf(state) ?? '';
      return found.endsWith('_IN_PROGRESS') ? undefined : { status: found, message: textOf(message) ?? '' };
    },
  });

/** The service finds repeated requests by this id. */
const requestId = () => ({ 'client-request-id': randomUUID() });

const create = service.task({
  type: 'rfs.Create',
  title: 'Create or update a stack of RFS',
  description:
    'Creates a stack from a Terraform template, or deploys the template to the stack with this name when there is one. The task fails when the deployment fails.',
  properties: {
    ...stackProperties,
    templateBody: may.text('The template, in HCL or JSON.'),
    templateUri: may.text('The OBS address of the template instead of its text.'),
    vars: may.textMap('The variables of the template.'),
    varsBody: may.text('The variables as text in HCL.'),
    varsUri: may.text('The OBS address of a file with variables.'),
    stackDescription: may.text('The description of the stack.'),
    enableDeletionProtection: preset.flag(false, 'Protect the stack against deletion.'),
    enableAutoRollback: preset.flag(true, 'Return to the last state when a deployment fails.'),
  },
  output: {
    stackId: out.text('The id of the stack.'),
    stackName: out.text('The name of the stack.'),
    deploymentId: out.text('The id of the deployment.'),
    status: out.text('The state of the stack.'),
    outputs: out.map('The outputs of the template, as text.'),
  },
  run: async (client, input, context) => {
    if ((input.templateBody === undefined) === (input.templateUri === undefined))
      throw new TaskFailed('Give either "templateBody" or "templateUri".', { retry: false });
    const { stackName } = input;
    const stacks = `/v1/${await projectOf(context, input)}/stacks`;
    const path = `${stacks}/${encodeURIComponent(stackName)}`;
    const template = dropMissing({
      template_body: input.templateBody,
      template_uri: input.templateUri,
      vars_structure:
        input.vars &&
        Object.entries(input.vars).map(([name, value]) => ({ var_key: name, var_value: value })),
      vars_body: input.varsBody,
      vars_uri: input.varsUri,
    });
    const found = await client.send({ path: `${path}/metadata`, headers: requestId(), accepts: [404] });
    const isNew = found.status === 404;
    const started = await client.ask({
      method: 'POST',
      path: isNew ? stacks : `${path}/deployments`,
      headers: requestId(),
      body: isNew
        ? {
            stack_name: stackName,
            ...template,
            ...dropMissing({ description: input.stackDescription }),
            enable_deletion_protection: input.enableDeletionProtection,
            enable_auto_rollback: input.enableAutoRollback,
          }
        : template,
    });
    const { stack_id: knownId } = (found.body ?? {}) as Record<string, unknown>; // a text, when it is there
    const result = {
      stackId: textOf(started.stack_id) ?? textOf(knownId),
      stackName,
      deploymentId: textOf(started.deployment_id),
    };
    if (!input.wait) return result;
    const end = await waitForStack(client, context, { ...input, path });
    if (end.status !== 'DEPLOYMENT_COMPLETE')
      throw new TaskFailed(`Stack "${stackName}" ended in the state ${end.status}: ${end.message}`);
    const { outputs } = await client.ask({ path: `${path}/outputs`, headers: requestId() });
    return {
      ...result,
      status: end.status,
      outputs: Object.fromEntries(mapsIn(outputs).map(({ name, value }) => [String(name), String(value)])),
    };
  },
  example: {
    stackName: 'warehouse',
    templateUri: 'https://templates.obs.eu-west-101.myhuaweicloud.com/main.tf',
    vars: { size: 'small' },
  },
});

const remove = service.task({
  type: 'rfs.Delete',
  title: 'Delete a stack of RFS',
  description: 'Deletes a stack and its resources.',
  properties: {
    ...stackProperties,
    errorOnMissing: preset.flag(false, 'Fail when there is no such stack.'),
  },
  run: async (client, input, context) => {
    const path = `/v1/${await projectOf(context, input)}/stacks/${encodeURIComponent(input.stackName)}`;
    const { status } = await client.send({ method: 'DELETE', path, headers: requestId(), accepts: [404] });
    if (status === 404) {
      if (input.errorOnMissing)
        throw new TaskFailed(`There is no stack "${input.stackName}".`, { retry: false });
      return {};
    }
    if (!input.wait) return {};
    const end = await waitForStack(client, context, { ...input, path });
    if (end.status !== 'DELETED')
      throw new TaskFailed(`Stack "${input.stackName}" was not deleted: ${end.status} ${end.message}`);
    return {};
  },
  example: { stackName: 'warehouse' },
});

export const rfsTypes: Types = [create, remove];
