import type { Context } from '../context.ts';
import { type Fns, optionalText, requireInteger, requireText } from '../definition.ts';
import { ExpressionError, MissingError } from '../error.ts';
import { jsonText } from '../values/json.ts';
import { isMap, readAttribute } from '../values/kind.ts';
import { parseJson } from '../values/parseJson.ts';
import { toPlain } from '../values/plain.ts';
import { printedText } from '../values/text.ts';
import { askHost } from './ask.ts';

/** Functions that call the host. */
export const hostFunctions: Fns = {
  secret: {
    names: ['key', 'namespace', 'subkey'],
    required: 1,
    run: ([key, namespace, subkey], context) => readSecret(key, namespace, subkey, context),
  },
  kv: {
    names: ['key', 'namespace', 'errorOnMissing'],
    required: 1,
    run: ([key, namespace, errorOnMissing], context) => {
      const name = requireText(key, 'The key of kv');
      const space = optionalText(namespace, 'The namespace of kv');
      const value = askHost(context, 'kv', (kv) => kv(name, space));
      if (value !== undefined && value !== null) return value;
      if (errorOnMissing === false) return null;
      throw new ExpressionError(
        `The key '${name}' does not exist in the namespace '${space ?? namespaceOf(context)}'.`,
      );
    },
  },
  read: {
    names: ['path', 'namespace', 'version'],
    required: 1,
    run: ([path, namespace, version], context) => {
      const name = requireText(path, 'The path of read');
      const space = optionalText(namespace, 'The namespace of read');
      const number =
        version === undefined || version === null
          ? undefined
          : requireInteger(version, 'The version of read');
      const text = askHost(context, 'read', (read) => read(name, space, number));
      context.session.checkText(text.length);
      return text;
    },
  },
  fileURI: {
    names: ['path', 'namespace'],
    required: 1,
    run: ([path, namespace], context) => fileUri(path, namespace, context),
  },
  fileSize: fileQuestion('fileSize'),
  fileExists: fileQuestion('fileExists'),
  isFileEmpty: fileQuestion('isFileEmpty'),
  fileEmpty: fileQuestion('isFileEmpty'),
  errorLogs: { names: [], run: (_, context) => askHost(context, 'errorLogs', (logs) => logs()) },
  randomPort: { names: [], run: (_, context) => askHost(context, 'randomPort', (port) => port()) },
  http: {
    names: ['uri', 'method', 'query', 'body', 'contentType', 'headers', 'options', 'accept'],
    required: 1,
    run: ([uri, method, query, body, contentType, headers, options, accept], context) => {
      const { session } = context;
      const request = {
        uri: requireText(uri, 'The uri of http'),
        method: optionalText(method, 'The method of http') ?? 'GET',
        query: toPlain(query ?? null, session),
        body: toPlain(body ?? null, session),
        contentType: optionalText(contentType, 'The contentType of http') ?? 'application/json',
        headers: toPlain(headers ?? null, session),
        options: toPlain(options ?? null, session),
        accept: optionalText(accept, 'The accept of http') ?? 'application/json',
      };
      return askHost(context, 'http', (http) => http(request));
    },
  },
  subflow: {
    names: ['namespace', 'id', 'inputs', 'revision', 'labels', 'timeout'],
    required: 2,
    run: ([namespace, id, inputs, revision, labels, timeout], context) => {
      const { session } = context;
      const request = {
        namespace: requireText(namespace, 'The namespace of subflow'),
        id: requireText(id, 'The id of subflow'),
        inputs: toPlain(inputs ?? null, session),
        revision:
          revision === undefined || revision === null
            ? null
            : requireInteger(revision, 'The revision of subflow'),
        labels: toPlain(labels ?? null, session),
        timeout: optionalText(timeout, 'The timeout of subflow') ?? 'PT1M',
      };
      return askHost(context, 'subflow', (subflow) => subflow(request));
    },
  },
  env: {
    names: ['name', 'default'],
    required: 1,
    run: ([name, fallback], context) => {
      const key = requireText(name, 'The name of env');
      const value = readAttribute(context.lookup('envs') ?? null, key);
      if (value !== undefined && value !== null) return value;
      if (fallback === undefined) throw new MissingError(key, context.line);
      return fallback;
    },
  },
};

function readSecret(key: unknown, namespace: unknown, subkey: unknown, context: Context): string {
  const name = requireText(key, 'The key of secret');
  const space = optionalText(namespace, 'The namespace of secret');
  const secret = askHost(context, 'secret', (find) => find(name, space));
  if (secret === undefined || secret === null)
    throw new ExpressionError(`Cannot find secret for key '${name}'.`);
  mask(secret, context);
  const part = optionalText(subkey, 'The subkey of secret');
  if (part === undefined) return shown(secret, context);
  const value = readAttribute(parseSecret(secret, name), part);
  if (value === undefined)
    throw new ExpressionError(`Cannot find secret sub-key '${part}' in secret '${name}'.`);
  const text = printedText(value, context.session);
  mask(text, context);
  return shown(text, context);
}

const shown = (secret: string, context: Context): string =>
  context.session.host.hidesSecrets ? '******' : secret;

function parseSecret(secret: string, name: string): unknown {
  let value: unknown;
  try {
    value = parseJson(secret);
  } catch {
    // The parser's message quotes its input, which must not get into an error message.
    throw new ExpressionError(`The secret '${name}' is not JSON, so it has no sub-keys.`);
  }
  if (!isMap(value))
    throw new ExpressionError(`The secret '${name}' is not a JSON object, so it has no sub-keys.`);
  return value;
}

/** Also the JSON form of a secret must not show up in a log. */
function mask(text: string, context: Context): void {
  context.session.host.mask?.(text);
  const quoted = jsonText(text, context.session).slice(1, -1);
  if (quoted !== text) context.session.host.mask?.(quoted);
}

function fileQuestion(name: 'fileSize' | 'fileExists' | 'isFileEmpty'): Fns[string] {
  return {
    names: ['path', 'namespace'],
    required: 1,
    run: ([path, namespace], context) => {
      const file = requireText(path, `The path of ${name}`);
      const space = optionalText(namespace, `The namespace of ${name}`);
      return askHost(context, name, (ask) => ask(file, space));
    },
  };
}

function fileUri(path: unknown, namespace: unknown, context: Context): string {
  const file = requireText(path, 'The path of fileURI').replace(/^\/+/, '');
  if (/(^|[\\/])\.\.([\\/]|$)/.test(file))
    throw new ExpressionError(`The path '${file}' must not contain '..'`);
  const space = optionalText(namespace, 'The namespace of fileURI');
  if (context.session.host.fileURI) return askHost(context, 'fileURI', (uri) => uri(file, space));
  return `kestra:///${(space ?? namespaceOf(context)).replaceAll('.', '/')}/_files/${file}`;
}

function namespaceOf(context: Context): string {
  const namespace = readAttribute(context.lookup('flow') ?? null, 'namespace');
  return typeof namespace === 'string' ? namespace : '';
}
