import { aTaskContext, realNetwork, type TestContext } from '@millrace/plugin-kit/testing';
import { kubernetesRunner } from '../runner.ts';
import type { ApiServer } from './apiServer.ts';

export const connectionTo = ({ url, token, certificates }: ApiServer) => ({
  masterUrl: url,
  oauthToken: token,
  caCertData: certificates.ca,
});

type Overrides = Parameters<typeof aTaskContext>[0];

/** A context with the network of this machine and the runner. */
export const aClusterContext = (overrides: Overrides = {}): TestContext =>
  aTaskContext({ ...realNetwork(), findType: () => kubernetesRunner, ...overrides });

export const said = ({ logs }: TestContext): string[] =>
  logs.map(({ level, message }) => `${level} ${message}`);
