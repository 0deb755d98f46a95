import { text } from '@millrace/plugin-kit';

export const exampleUrl = 'jdbc:snowflake://example.snowflakecomputing.com';

export const placeProperties = () => ({
  database: text().optional().describe('The database to use.'),
  warehouse: text().optional().describe('The warehouse to use.'),
  schema: text().optional().describe('The schema to use.'),
  role: text().optional().describe('The role to use.'),
  queryTag: text().optional().describe('A tag that the history of queries shows.'),
});

export const keyProperties = () => ({
  privateKey: text()
    .optional()
    .describe('A private key to log in with instead of a password, as PEM or Base64.'),
  privateKeyPassword: text().optional().describe('The password of the private key.'),
});
