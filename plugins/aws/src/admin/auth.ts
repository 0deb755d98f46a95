import { defineTask, importModule, integer, TaskFailed, text } from '@millrace/plugin-kit';
import type { AwsV4Signer } from 'aws4fetch';
import { z } from 'zod';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

export const ecrGetAuthToken = defineTask({
  type: 'aws.ecr.GetAuthToken',
  title: 'Get a password for ECR',
  description:
    'Returns the password with which `docker login -u AWS` opens the registry for twelve hours. The output is stored encrypted.',
  input: () => z.object(taskConnection),
  output: () => z.object({ token: z.unknown().describe('The password.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Run a script in an image of ECR.',
      runs: false,
      code: `id: script_in_ecr_image
namespace: company.team

tasks:
  - id: login
    type: aws.ecr.GetAuthToken
    region: eu-west-1
    accessKeyId: "{{ secret('AWS_ACCESS_KEY_ID') }}"
    secretKeyId: "{{ secret('AWS_SECRET_ACCESS_KEY') }}"

  - id: script
    type: scripts.python.Script
    containerImage: 123456789012.dkr.ecr.eu-west-1.amazonaws.com/tools:latest
    taskRunner:
      type: scripts.runner.docker.Docker
      credentials:
        username: AWS
        password: "{{ outputs.login.token }}"
    script: print("Hello")
`,
    },
  ],
  async run(context, connection) {
    const client = await openClient(context, connection, 'ecr');
    const { authorizationData } = await client.json(
      'GetAuthorizationToken',
      {},
      z.object({ authorizationData: z.array(z.looseObject({ authorizationToken: z.string() })) }),
    );
    const pair = Buffer.from(authorizationData[0]?.authorizationToken ?? '', 'base64').toString('utf8');
    const password = pair.slice(pair.indexOf(':') + 1);
    if (password === '') throw new TaskFailed('ECR returned no token.');
    context.masker.add(password);
    return { token: context.seal(password) };
  },
});

export const eksToken = defineTask({
  type: 'aws.auth.EksToken',
  title: 'Get a token for an EKS cluster',
  description:
    'Returns a token for the Kubernetes API of a cluster, made from a signed request as `aws eks get-token` does. The token is stored encrypted.',
  input: () =>
    z.object({
      ...taskConnection,
      clusterName: text().describe('The name of the cluster.'),
      expirationDuration: integer({ min: 1, max: 900 })
        .default(600)
        .describe('For how many seconds the token is valid; EKS accepts 900 at most.'),
    }),
  output: () =>
    z.object({
      token: z
        .object({
          tokenValue: z.unknown().describe('The token.'),
          expirationTime: z.string().describe('Until when it is valid.'),
        })
        .describe('The token and its end.'),
    }),
  sideEffects: true,
  examples: [taskExample('aws.auth.EksToken', 'Get a token.', ['clusterName: production'])],
  async run(context, { clusterName, expirationDuration, ...connection }) {
    const client = await openClient(context, connection, 'sts');
    const { AwsV4Signer: Signer } = await importModule<{ AwsV4Signer: typeof AwsV4Signer }>('aws4fetch');
    const { accessKeyId, secretAccessKey, sessionToken } = await client.credentials();
    const query = `Action=GetCallerIdentity&Version=2011-06-15&X-Amz-Expires=${expirationDuration}`;
    const signed = await new Signer({
      method: 'GET',
      url: `${client.endpoint}/?${query}`,
      headers: { 'x-k8s-aws-id': clusterName },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken ? { sessionToken } : {}),
      service: 'sts',
      region: client.region,
      signQuery: true,
    }).sign();
    const token = `k8s-aws-v1.${Buffer.from(signed.url.toString()).toString('base64url')}`;
    context.masker.add(token);
    const expirationTime = new Date(Date.now() + expirationDuration * 1000).toISOString();
    return { token: { tokenValue: context.seal(token), expirationTime } };
  },
});
