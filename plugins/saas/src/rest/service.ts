import type {
  Description,
  FetchType,
  HttpOptions,
  JsonMap,
  MetricInfo,
  TaskContext,
  TaskDefinition,
  TriggerContext,
  TriggerDefinition,
} from '@millrace/plugin-kit';
import {
  defineTask,
  defineTrigger,
  dropMissing,
  duration,
  fetchRows,
  fetchTypeProperty,
  fixed,
  isMap,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import type { Auth } from './auth.ts';
import {
  type ClientOptions,
  createRestClient,
  type Method,
  type RestClient,
  type RestRequest,
  type RestResponse,
  type Sign,
} from './client.ts';
import { taskExample, triggerExample } from './example.ts';
import { type OutputFields, out, outputSchema, readOutputs } from './outputs.ts';
import { type Paging, readRows } from './paging.ts';
import type { InputOf, Properties } from './properties.ts';
import { fillPath } from './query.ts';

/** The settings that all calls of one service share. */
export interface Service<S extends Properties> {
  /** The name in messages. */
  readonly name: string;
  /** The first part of its types. */
  readonly prefix: string;
  /** The properties of every call: address, login, options. */
  readonly properties: S;
  readonly baseUrl: string | ((input: InputOf<S>) => string);
  readonly auth?: (input: InputOf<S>) => Auth | undefined;
  readonly headers?: (input: InputOf<S>) => Readonly<Record<string, string | undefined>>;
  /** Whether certificates are left unchecked. */
  readonly isInsecure?: (input: InputOf<S>) => boolean;
  readonly certificates?: (input: InputOf<S>) => ClientOptions['certificates'];
  /** For services that sign each request instead of sending credentials. */
  readonly sign?: (input: InputOf<S>, context: TaskContext) => Sign;
  /** Properties that examples need in addition to those of the call. */
  readonly example: JsonMap;
}

type NoProperties = Record<never, never>;

/** Values of a request: names of properties, service names with properties, or a function. */
type Values<I> =
  | readonly (keyof I & string)[]
  | Readonly<Record<string, keyof I & string>>
  | ((input: I) => JsonMap);

interface Words extends Pick<Description, 'aliases' | 'deprecated' | 'check'> {
  /** Without the prefix of the service. */
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** The properties of the example, which tests also run. */
  readonly example: JsonMap;
}

/** A list of rows in the response. */
export interface Rows<I> {
  /** Where the rows are. */
  readonly at: string | ((response: RestResponse) => readonly unknown[]);
  readonly paging?: Paging | ((input: I) => Paging | undefined);
  /** The most rows. */
  readonly limit?: (input: I) => number | undefined;
  readonly fetchType?: FetchType;
  /** The names of the outputs; `rows`, `row`, `uri` and `size` unless given. */
  readonly names?: { readonly rows?: string; readonly row?: string; readonly size?: string };
  /** Each row as the outputs show it. */
  readonly map?: (row: JsonMap, input: I) => JsonMap;
  /** A counter for the number of rows. */
  readonly metric?: string;
}

/** One call of a service. `request` describes it; `run` is for the few that need several requests. */
export interface Call<S extends Properties, P extends Properties> extends Words {
  readonly properties?: P;
  /** Method and path; `{name}` is a property. */
  readonly request?: `${Method} ${string}` | ((input: InputOf<S & P>) => string);
  readonly query?: Values<InputOf<S & P>>;
  readonly headers?: (input: InputOf<S & P>) => Readonly<Record<string, string | undefined>>;
  readonly body?: Values<InputOf<S & P>> | ((input: InputOf<S & P>) => unknown);
  readonly form?: Values<InputOf<S & P>>;
  readonly accepts?: readonly number[];
  readonly rows?: Rows<InputOf<S & P>>;
  readonly output?: OutputFields;
  /** Outputs that are more than a field of the response. */
  readonly result?: (response: RestResponse, input: InputOf<S & P>) => JsonMap;
  readonly metrics?: readonly MetricInfo[];
  readonly run?: (client: RestClient, input: InputOf<S & P>, context: TaskContext) => Promise<JsonMap>;
}

interface Poll<S extends Properties, P extends Properties> extends Words {
  readonly properties?: P;
  /** The pause between two polls, as ISO 8601. */
  readonly interval: string;
  readonly output: OutputFields;
  readonly poll: (
    client: RestClient,
    input: InputOf<S & P>,
    context: TriggerContext,
  ) => Promise<JsonMap | undefined>;
}

/** Defines a service whose calls are declared individually. */
export function defineService<S extends Properties>(service: Service<S>) {
  return {
    task: <P extends Properties = NoProperties>(call: Call<S, P>): TaskDefinition => toTask(service, call),
    trigger: <P extends Properties = NoProperties>(poll: Poll<S, P>): TriggerDefinition =>
      toTrigger(service, poll),
  };
}

function toTask<S extends Properties, P extends Properties>(
  service: Service<S>,
  call: Call<S, P>,
): TaskDefinition {
  const { rows, output = {}, metrics = [], run } = call;
  const type = `${service.prefix}.${call.type}`;
  const counter: MetricInfo[] = rows?.metric
    ? [{ name: rows.metric, type: 'counter', description: 'How many rows there were.' }]
    : [];
  return defineTask({
    ...wordsOf(type, call),
    examples: [taskExample(type, call.title, { ...call.example, ...service.example })],
    metrics: [...metrics, ...counter],
    sideEffects: true,
    input: () =>
      z.object({
        ...schemasOf({ ...call.properties, ...service.properties }),
        ...(rows && { fetchType: fetchTypeProperty(rows.fetchType ?? 'FETCH') }),
      }),
    output: () => z.object(outputSchema({ ...(rows && rowOutputs(rows)), ...output })),
    run: async (context, read) => {
      // `as`: the schema was made of these properties.
      const input = read as InputOf<S & P>;
      const client = openClient(service, call.properties, context, input);
      if (run) return dropMissing(await run(client, input, context));
      return runCall(call, client, context, input);
    },
  });
}

function toTrigger<S extends Properties, P extends Properties>(
  service: Service<S>,
  call: Poll<S, P>,
): TriggerDefinition {
  const type = `${service.prefix}.${call.type}`;
  return defineTrigger({
    ...wordsOf(type, call),
    role: 'polling',
    examples: [triggerExample(type, call.title, { ...call.example, ...service.example })],
    input: () =>
      z.object({
        ...schemasOf({ ...call.properties, ...service.properties }),
        interval: fixed(duration()).prefault(call.interval).describe('The pause between two polls.'),
      }),
    output: () => z.object(outputSchema(call.output)),
    poll: async (context, read) => {
      // `as`: the schema was made of these properties.
      const input = read as InputOf<S & P>;
      const found = await call.poll(openClient(service, call.properties, context, input), input, context);
      return found && dropMissing(found);
    },
  });
}

const wordsOf = (type: string, { title, description, aliases, deprecated, check }: Words) => ({
  type,
  title,
  description,
  ...(aliases && { aliases }),
  ...(deprecated && { deprecated }),
  ...(check && { check }),
});

/** The schemas of properties, for types that are not one call of a service. */
export const schemasOf = (properties: Properties): z.ZodRawShape =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, property.schema()]));

function openClient<S extends Properties>(
  service: Service<S>,
  own: Properties = {},
  context: TaskContext,
  input: InputOf<S>,
): RestClient {
  const { name, baseUrl, auth, headers } = service;
  const values: JsonMap = input;
  for (const [property, { isSecret }] of Object.entries({ ...own, ...service.properties }))
    if (isSecret)
      for (const value of isMap(values[property]) ? Object.values(values[property]) : [values[property]])
        if (typeof value === 'string') context.masker.add(value);
  return createRestClient(context, {
    name,
    baseUrl: typeof baseUrl === 'string' ? baseUrl : baseUrl(input),
    auth: auth?.(input),
    isInsecure: service.isInsecure?.(input),
    certificates: service.certificates?.(input),
    sign: service.sign?.(input, context),
    ...(headers && { headers: headers(input) }),
    // `as`: the property of this name is always made with `httpOptions`.
    options: values.options as HttpOptions | undefined,
  });
}

async function runCall<S extends Properties, P extends Properties>(
  call: Call<S, P>,
  client: RestClient,
  context: TaskContext,
  input: InputOf<S & P>,
): Promise<JsonMap> {
  const request = toRequest(call, input);
  if (call.rows) return runRows(call, call.rows, request, client, context, input);
  const response = await client.send(request);
  return dropMissing({ ...readOutputs(call.output ?? {}, response.body), ...call.result?.(response, input) });
}

async function runRows<S extends Properties, P extends Properties>(
  call: Call<S, P>,
  rows: Rows<InputOf<S & P>>,
  request: RestRequest,
  client: RestClient,
  context: TaskContext,
  input: InputOf<S & P>,
): Promise<JsonMap> {
  let last: RestResponse | undefined;
  const paging = typeof rows.paging === 'function' ? rows.paging(input) : rows.paging;
  async function* source() {
    const onPage = (response: RestResponse) => {
      last = response;
    };
    for await (const row of readRows(client, {
      request,
      at: rows.at,
      paging,
      limit: rows.limit?.(input),
      onPage,
    }))
      yield rows.map ? dropMissing(rows.map(row, input)) : row;
  }
  // `as`: the property was added with the rows.
  const fetched = await fetchRows(context, (input as { fetchType: FetchType }).fetchType, source());
  const names = { rows: 'rows', row: 'row', size: 'size', ...rows.names };
  if (rows.metric) context.metric({ name: rows.metric, type: 'counter', value: fetched.size });
  return dropMissing({
    [names.rows]: fetched.rows,
    [names.row]: fetched.row,
    [names.size]: fetched.size,
    uri: fetched.uri,
    ...readOutputs(call.output ?? {}, last?.body),
    ...(last && call.result?.(last, input)),
  });
}

function rowOutputs<I>({ names }: Rows<I>): OutputFields {
  return {
    [names?.rows ?? 'rows']: out.maps('The rows, with `FETCH`.'),
    [names?.row ?? 'row']: out.map('The first row, with `FETCH_ONE`.'),
    uri: out.text('The file with one row a line, with `STORE`.'),
    [names?.size ?? 'size']: out.integer('How many rows there are.'),
  };
}

/** The request that a call describes. */
function toRequest<S extends Properties, P extends Properties>(
  call: Call<S, P>,
  input: InputOf<S & P>,
): RestRequest {
  const { request = 'GET ', query, headers, body, form, accepts } = call;
  const written = typeof request === 'string' ? request : request(input);
  const [method = 'GET', ...path] = written.split(' ');
  return {
    method: method as Method, // guaranteed by the type of `request`
    path: fillPath(path.join(' '), input),
    ...(query && { query: valuesOf(query, input) }),
    ...(headers && { headers: headers(input) }),
    ...(body && { body: typeof body === 'function' ? withoutMissing(body(input)) : valuesOf(body, input) }),
    ...(form && { form: valuesOf(form, input) }),
    ...(accepts && { accepts }),
  };
}

function valuesOf<I extends object>(values: Values<I>, input: I): JsonMap {
  if (typeof values === 'function') return dropMissing(values(input));
  const given = new Map<string, unknown>(Object.entries(input));
  const pairs = Array.isArray(values) ? values.map((name) => [name, name]) : Object.entries(values);
  return dropMissing(Object.fromEntries(pairs.map(([key, name]) => [key, given.get(name)])));
}

/** Removes entries without a value from the first two levels of a map. */
const withoutMissing = (body: unknown): unknown =>
  isMap(body)
    ? dropMissing(
        Object.fromEntries(
          Object.entries(body).map(([key, value]) => [key, isMap(value) ? dropMissing(value) : value]),
        ),
      )
    : body;
