import { generateKeyPairSync } from 'node:crypto';
import type { Definition } from '@millrace/plugin-kit';
import { parse } from 'yaml';

type Values = Readonly<Record<string, unknown>>;

/** Values in the place of expressions. */
export interface Filling {
  /** A stored file of rows. */
  readonly fileUri: string;
  /** The server for clients that open their sockets themselves. */
  readonly port: number;
}

/** The properties of a type in each of its examples, with values in the place of expressions. */
export const exampleProperties = (definition: Definition, filling: Filling): Values[] =>
  writtenProperties(definition).map((written) =>
    fillMap(toServer(written, definition.type, filling.port), definition.type, filling),
  );

/** The texts are parsed once, because every check uses them. */
const known = new WeakMap<Definition, Values[]>();

export function writtenProperties(definition: Definition): Values[] {
  const { type, examples } = definition;
  const written = known.get(definition) ?? examples.flatMap(({ code }) => findByType(parse(code), type));
  known.set(definition, written);
  return written;
}

function findByType(value: unknown, type: string): Values[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.values(value).flatMap((inner) => findByType(inner, type));
  return 'type' in value && value.type === type ? [value as Values, ...found] : found;
}

/** These clients look a host up under the outbound policy and then open their sockets themselves. */
const opensSockets = /^(mongodb|documentdb|debezium\.mongodb|jdbc\.oracle|kafka)\.|^email\..*Trigger$/;

function toServer(properties: Values, type: string, port: number): Values {
  if (!opensSockets.test(type)) return properties;
  if (type.startsWith('email.')) return { ...properties, host: '127.0.0.1', port, ssl: false };
  const text = JSON.stringify(properties).replace(/(?<=[/@" ])[\w.-]+:\d{4,5}\b/g, `127.0.0.1:${port}`);
  return JSON.parse(text.replace(/(mongodb:\/\/[^"]*?)[?&]tls=true/g, '$1'));
}

const fillMap = (map: Values, path: string, filling: Filling): Values =>
  Object.fromEntries(
    Object.entries(map).map(([key, value]) => [key, fill(value, `${path}.${key}`, filling)]),
  );

function fill(value: unknown, path: string, filling: Filling): unknown {
  if (typeof value === 'string') return fillText(value, path, filling);
  if (Array.isArray(value)) return value.map((item) => fill(item, path, filling));
  return typeof value === 'object' && value !== null ? fillMap(value as Values, path, filling) : value;
}

const expression = /\{\{.*?\}\}/gs;

function fillText(text: string, path: string, { fileUri }: Filling): string {
  return text.replace(expression, (written) => {
    const isWhole = written.length === text.trim().length;
    const special = isWhole && texts.find(([pattern]) => pattern.test(`${path} ${written}`));
    if (special) return special[1]();
    if (/secret\(/.test(written)) return 'c2VjcmV0LXZhbHVl';
    return isWhole && /uri|files?\b|inputs\.|outputs\./i.test(written) ? fileUri : 'value';
  });
}

/** Texts that a type checks before it connects. */
const texts: readonly (readonly [RegExp, () => string])[] = [
  [/(url|webhook|uri) .*secret\(/i, () => 'https://hooks.example.com/hooks/catch/1/a'],
  [/serviceAccount |secret\(.*(SERVICE_ACCOUNT|GCP|GOOGLE)/, () => serviceAccount()],
  [/private_?key|pem\b|certificate/i, () => privateKey()],
  [/\.dsn /, () => 'https://key@sentry.example.com/1'],
  [/accountSID/i, () => `AC${'0'.repeat(32)}`],
  [/^azure\.(servicebus|eventhubs).*connectionString /, () => `Endpoint=sb://a.example.com/;${sharedKey}`],
  [/cosmosdb.*connectionString /, () => `AccountEndpoint=https://a.example.com/;AccountKey=${key64}`],
  [/^azure.*connectionString /, () => `AccountName=a;AccountKey=${key64};EndpointSuffix=example.com`],
  [/endpoint /i, () => 'https://a.example.com'],
  [/(date|\.at) /i, () => '2030-01-01T00:00:00Z'],
];

const key64 = 'c2VjcmV0LXZhbHVl';
const sharedKey = `SharedAccessKeyName=name;SharedAccessKey=${key64};EntityPath=orders`;

let key: string | undefined;

function privateKey(): string {
  key ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
  return key;
}

const serviceAccount = (): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'project',
    private_key_id: 'id',
    private_key: privateKey(),
    client_email: 'robot@project.iam.gserviceaccount.com',
    client_id: '1',
    token_uri: 'https://oauth2.googleapis.com/token',
  });
