import {
  type Definition,
  defineTask,
  flag,
  mapOf,
  membersAt,
  type TaskContext,
  TaskFailed,
  text,
  textAt,
  waitFor,
  type XmlElement,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type AwsClient, AwsError } from '../client/awsClient.ts';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const stackProperties = {
  stackName: text().describe('The name of the stack.'),
  waitForCompletion: flag().default(true).describe('Wait until all resources are there, or gone.'),
};

const pollMs = 2_000;

async function findStack(client: AwsClient, name: string): Promise<XmlElement | undefined> {
  try {
    const result = await client.query('DescribeStacks', { StackName: name });
    return membersAt(result, 'Stacks')[0];
  } catch (error) {
    // For a deleted stack the service reports that the request is invalid.
    const isGone = error instanceof AwsError && error.failure.code === 'ValidationError';
    if (isGone) return undefined;
    throw error;
  }
}

/** Waits until the stack's operation ends and returns the stack. */
const settled = (context: TaskContext, client: AwsClient, name: string) =>
  waitFor(context, { intervalMs: pollMs, what: `The stack "${name}"` }, async () => {
    const stack = await findStack(client, name);
    if (!stack) return { status: 'DELETE_COMPLETE', stack };
    const status = textAt(stack, 'StackStatus') ?? '';
    return status.endsWith('_IN_PROGRESS') ? undefined : { status, stack };
  });

const create = defineTask({
  type: 'aws.cloudformation.Create',
  title: 'Create a CloudFormation stack',
  description: `Creates a stack from a template and waits until it is complete. A stack that is rolled back fails the task. Templates may create IAM resources, also
with names: the task acknowledges it.`,
  input: () =>
    z.object({
      ...taskConnection,
      ...stackProperties,
      templateBody: text().optional().describe('The text of the template.'),
      parameters: mapOf(text()).optional().describe('The parameters of the template.'),
    }),
  output: () =>
    z.object({
      stackId: z.string().describe('The id of the stack.'),
      stackName: z.string().describe('Its name.'),
      stackOutputs: z.record(z.string(), z.string()).optional().describe('The outputs of the template.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('aws.cloudformation.Create', 'Create a bucket.', [
      'stackName: storage',
      'templateBody: |',
      '  Resources:',
      '    Bucket:',
      '      Type: AWS::S3::Bucket',
      '  Outputs:',
      '    Name:',
      '      Value: !Ref Bucket',
    ]),
  ],
  async run(context, { stackName, waitForCompletion, templateBody, parameters = {}, ...connection }) {
    const client = await openClient(context, connection, 'cloudformation');
    const given = Object.entries(parameters).flatMap(([name, value], index) => [
      [`Parameters.member.${index + 1}.ParameterKey`, name],
      [`Parameters.member.${index + 1}.ParameterValue`, value],
    ]);
    const created = await client.query('CreateStack', {
      StackName: stackName,
      TemplateBody: templateBody,
      'Capabilities.member.1': 'CAPABILITY_IAM',
      'Capabilities.member.2': 'CAPABILITY_NAMED_IAM',
      ...Object.fromEntries(given),
    });
    const stackId = textAt(created, 'StackId') ?? '';
    if (!waitForCompletion) return { stackId, stackName };
    const { status, stack } = await settled(context, client, stackId || stackName);
    if (status !== 'CREATE_COMPLETE')
      throw new TaskFailed(
        `The stack "${stackName}" ended as ${status}: ${textAt(stack, 'StackStatusReason') ?? 'no reason given'}`,
        { outputs: { stackId, stackName } },
      );
    const outputs = membersAt(stack, 'Outputs').map((output) => [
      textAt(output, 'OutputKey') ?? '',
      textAt(output, 'OutputValue') ?? '',
    ]);
    return { stackId, stackName, stackOutputs: Object.fromEntries(outputs) };
  },
});

const remove = defineTask({
  type: 'aws.cloudformation.Delete',
  title: 'Delete a CloudFormation stack',
  description: 'Deletes a stack and waits until it is gone. One that does not exist is no error.',
  input: () => z.object({ ...taskConnection, ...stackProperties }),
  output: () => z.object({}),
  sideEffects: true,
  examples: [taskExample('aws.cloudformation.Delete', 'Delete a stack.', ['stackName: storage'])],
  async run(context, { stackName, waitForCompletion, ...connection }) {
    const client = await openClient(context, connection, 'cloudformation');
    await client.query('DeleteStack', { StackName: stackName });
    if (!waitForCompletion) return {};
    const { status, stack } = await settled(context, client, stackName);
    if (status !== 'DELETE_COMPLETE')
      throw new TaskFailed(
        `The stack "${stackName}" ended as ${status}: ${textAt(stack, 'StackStatusReason') ?? 'no reason given'}`,
      );
    return {};
  },
});

export const cloudformationTypes: readonly Definition[] = [create, remove];
