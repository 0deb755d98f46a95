import { TaskFailed } from '@millrace/plugin-kit';
import { type Auth, clientCertificate, clientCredentials, passwordGrant } from '../rest/auth.ts';
import { may, need } from '../rest/properties.ts';

export const graphUrl = 'https://graph.microsoft.com/v1.0';
export const graphScope = 'https://graph.microsoft.com/.default';

interface Login {
  readonly tenantId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly pemCertificate?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** The login of an application at Microsoft Entra ID, or of a user when a name and a password are given. */
export function entraLogin(login: Login, scope: string): Auth {
  const { tenantId, clientId, clientSecret, pemCertificate, username, password } = login;
  if (!tenantId || !clientId)
    throw new TaskFailed(
      '"tenantId" and "clientId" must be given: the directory and the id of the application.',
      {
        retry: false,
      },
    );
  const tokenUrl = `https://login.microsoftonline.com/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`;
  const client = { tokenUrl, clientId, scope };
  if (username && password) return passwordGrant({ ...client, clientSecret, username, password });
  if (clientSecret) return clientCredentials({ ...client, clientSecret });
  if (pemCertificate) return clientCertificate({ ...client, pem: pemCertificate });
  throw new TaskFailed('"clientSecret" or "pemCertificate" must be given.', { retry: false });
}

export const tenant = {
  tenantId: may.text('The id of the directory (tenant) of Microsoft Entra ID.'),
  clientId: may.text('The id of the application.'),
  clientSecret: may.secret('A secret of the application.'),
  pemCertificate: may.secret(
    'A certificate of the application with its private key, as PEM, instead of a secret.',
  ),
};

export const neededTenant = {
  tenantId: need.text('The id of the directory (tenant) of Microsoft Entra ID.'),
  clientId: need.text('The id of the application.'),
};

export const tenantExample = {
  tenantId: "{{ secret('AZURE_TENANT_ID') }}",
  clientId: "{{ secret('AZURE_CLIENT_ID') }}",
  clientSecret: "{{ secret('AZURE_CLIENT_SECRET') }}",
};
