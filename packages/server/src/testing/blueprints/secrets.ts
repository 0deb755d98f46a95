import { serviceAccount } from '@millrace/plugin-gcp/testing';

/** Secrets with a value that a server or a client checks; all others have any value. */
const values: Readonly<Record<string, string>> = {
  SLACK_WEBHOOK: 'https://hooks.slack.example.com/services/x',
  TEAMS_WEBHOOK: 'https://teams.example.com/workflow',
  DISCORD_WEBHOOK: 'https://discord.example.com/webhook',
  GOOGLE_CHAT_WEBHOOK: 'https://chat.example.com/webhook',
  GCP_SERVICE_ACCOUNT: serviceAccount,
  MAIL_USER: 'flows',
  DB_USER: 'postgres',
  POSTGRES_USERNAME: 'postgres',
  MYSQL_USERNAME: 'app',
  MYSQL_PASSWORD: 's3cret',
  NATS_USER: 'flow',
  NATS_PASSWORD: 'pass-word',
  MQTT_USER: 'flow',
  MQTT_PASSWORD: 'pass-word',
  AMQP_USER: 'guest',
  AMQP_PASSWORD: 'guest',
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  MINIO_ACCESS_KEY: 'S3RVER',
  MINIO_SECRET_KEY: 'S3RVER',
};

/** The environment with all secrets that the flows name. */
export function secretsOf(flows: string): Record<string, string> {
  const names = [...flows.matchAll(/secret\('([A-Z_]+)'\)/g)].map(([, name = '']) => name);
  return Object.fromEntries(
    names.map((name) => [
      `SECRET_${name}`,
      Buffer.from(values[name] ?? `value-of-${name}`).toString('base64'),
    ]),
  );
}
