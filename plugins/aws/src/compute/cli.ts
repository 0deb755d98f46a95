import { choice, defineTask, dropMissing } from '@millrace/plugin-kit';
import { cliProperties, cliTask, commandsProperty, runScript, shellQuote } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';

const roleProfile = 'millrace-role';
const sources = {
  ENVIRONMENT: 'Environment',
  EC2_INSTANCE_METADATA: 'Ec2InstanceMetadata',
  ECS_CONTAINER: 'EcsContainer',
} as const;

export const awsCli = defineTask({
  ...cliTask,
  type: 'aws.cli.AwsCLI',
  title: 'Run commands of the AWS CLI',
  description: `Runs commands with the program \`aws\` at hand, on the worker or where \`taskRunner\` says, for example in a container of \`amazon/aws-cli\`. Credentials and
region are passed in the environment. With \`stsRoleArn\` the commands run with that role.`,
  input: () =>
    z.object({
      commands: commandsProperty(),
      ...cliProperties('amazon/aws-cli'),
      ...taskConnection,
      outputFormat: choice(['JSON', 'TEXT', 'TABLE', 'YAML'])
        .default('JSON')
        .describe('How `aws` prints results.'),
      stsCredentialSource: choice(['ENVIRONMENT', 'EC2_INSTANCE_METADATA', 'ECS_CONTAINER'])
        .optional()
        .describe('The credentials that assume the role; those of the environment when absent.'),
    }),
  examples: [taskExample('aws.cli.AwsCLI', 'List the buckets.', ['commands:', '  - aws s3 ls'])],
  async run(context, input) {
    if (input.secretKeyId) context.masker.add(input.secretKeyId);
    if (input.sessionToken) context.masker.add(input.sessionToken);
    const env = {
      ...dropMissing({
        AWS_ACCESS_KEY_ID: input.accessKeyId,
        AWS_SECRET_ACCESS_KEY: input.secretKeyId,
        AWS_SESSION_TOKEN: input.sessionToken,
        AWS_DEFAULT_REGION: input.region,
        AWS_ENDPOINT_URL: input.endpointOverride,
      }),
      AWS_DEFAULT_OUTPUT: input.outputFormat.toLowerCase(),
      ...(input.stsRoleArn === undefined ? {} : { AWS_PROFILE: roleProfile }),
      ...input.env,
    };
    return runScript(context, { ...input, env }, { lines: [...configureRole(input), ...input.commands] });
  },
});

interface Role {
  readonly stsRoleArn?: string | undefined;
  readonly stsRoleExternalId?: string | undefined;
  readonly stsRoleSessionName?: string | undefined;
  readonly stsRoleSessionDuration: number;
  readonly stsCredentialSource?: keyof typeof sources | undefined;
}

/** A profile that assumes the role, which every command then uses. */
function configureRole(input: Role): string[] {
  if (input.stsRoleArn === undefined) return [];
  const settings = dropMissing({
    role_arn: input.stsRoleArn,
    credential_source: sources[input.stsCredentialSource ?? 'ENVIRONMENT'],
    external_id: input.stsRoleExternalId,
    role_session_name: input.stsRoleSessionName,
    duration_seconds: String(Math.round(input.stsRoleSessionDuration / 1000)),
  });
  return Object.entries(settings).map(
    ([name, value]) => `aws configure set ${name} ${shellQuote(String(value))} --profile ${roleProfile}`,
  );
}
