import { aTask, duration, fixed, flag, part, text } from '@millrace/plugin-kit';
import { z } from 'zod';

const file = (what: string) =>
  text()
    .optional()
    .describe(`${what} The file must be in one of the \`allowedPaths\` of the server's configuration.`);

/** A flag that may still be an expression when it is read. */
const flagOrText = () => z.union([flag(), text()]);

/**
 * Tasks leave `connection` unrendered (`raw: ['connection']`), because the token provider in it is rendered only after
 * its task has run. `findCluster` renders the rest.
 */
export const connectionProperties = {
  connection: part({
    masterUrl: text().default('https://kubernetes.default.svc').describe('The address of the API server.'),
    apiVersion: text().default('v1').describe('Accepted for older flows; the API server knows its versions.'),
    namespace: text().optional().describe('The namespace of tasks that name none.'),
    trustCerts: flagOrText().default(false).describe('Accept any certificate of the API server.'),
    disableHostnameVerification: flagOrText()
      .default(false)
      .describe('Accept a certificate that is made out to another host.'),
    caCertData: text().optional().describe('The certificate of the authority, as PEM or its base64.'),
    caCertFile: file('The certificate of the authority.'),
    clientCertData: text().optional().describe('The certificate of the client, as PEM or its base64.'),
    clientCertFile: file('The certificate of the client.'),
    clientKeyData: text().optional().describe('The key of the client, as PEM or its base64.'),
    clientKeyFile: file('The key of the client.'),
    clientKeyAlgo: text().default('RSA').describe('Accepted for older flows; the key says what it is.'),
    clientKeyPassphrase: text().optional().describe('The passphrase of the key.'),
    trustStoreFile: file('A PKCS #12 store with the certificate of the authority.'),
    trustStorePassphrase: text().optional().describe('The passphrase of that store.'),
    keyStoreFile: file('A PKCS #12 store with the certificate and the key of the client.'),
    keyStorePassphrase: text().optional().describe('The passphrase of that store.'),
    oauthToken: text().optional().describe('A token, such as that of a service account.'),
    oauthTokenProvider: fixed(
      z.strictObject({
        task: aTask().describe('The task that fetches the token.'),
        output: z.string().describe('The token, as an expression over the outputs of the task.'),
        cache: duration().prefault('PT5M').describe('How long a token is used.'),
      }),
    )
      .optional()
      .describe('A task that fetches the token, for clouds whose tokens expire.'),
    username: text().optional().describe('The user, for basic authentication.'),
    password: text().optional().describe('The password of the user.'),
  })
    .optional()
    .describe(
      'How to reach the cluster. When absent: the cluster that the worker runs in, or its kubeconfig file (`KUBECONFIG`, `~/.kube/config`).',
    ),
  inheritClusterConfig: flag()
    .default(false)
    .describe('Take what `connection` leaves out from the cluster or the kubeconfig file of the worker.'),
};

const Properties = z.object(connectionProperties);
export type ConnectionInput = z.infer<typeof Properties>;
export type Connection = NonNullable<ConnectionInput['connection']>;
