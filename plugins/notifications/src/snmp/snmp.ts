import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIP } from 'node:net';
import { uptime } from 'node:os';
import {
  defineTask,
  integer as integerProperty,
  listOf,
  messageOf,
  part,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { decode, encode, inside, integer, numberOf, octets, oid, sequence, tags } from './ber.ts';
import { type Engine, secureMessage, type User } from './security.ts';

const properties = {
  host: text().default('localhost').describe('The receiver.'),
  port: integerProperty({ min: 1, max: 65_535 }).default(162).describe('Its port.'),
  snmpVersion: text().default('v2c').describe('The version: `v1` (traps only), `v2c` or `v3`.'),
  community: text().optional().describe('The community of v1 and v2c; `public` when absent.'),
  v3: part({
    username: text().describe('The user.'),
    authProtocol: text().optional().describe('`MD5`, `SHA` or `SHA224` to `SHA512`; `SHA` when absent.'),
    authPassword: text().optional().describe('The password of the authentication.'),
    privProtocol: text().optional().describe('`DES`, `AES`, `AES192` or `AES256`; `AES` when absent.'),
    privPassword: text().optional().describe('The password of the encryption.'),
  })
    .optional()
    .describe('The user of v3.'),
  trapOid: text().describe('What happened, such as `1.3.6.1.4.1.8072.2.3.0.1`.'),
  bindings: listOf(
    part({
      oid: text().describe('The object identifier.'),
      value: text().describe('The value, sent as text.'),
    }),
  )
    .optional()
    .describe('Values that describe the event.'),
  timeoutMs: integerProperty({ min: 1 })
    .default(1500)
    .describe('How long to wait for a response, in milliseconds.'),
};
type Input = z.infer<z.ZodObject<typeof properties>>;

const exampleOf = (type: string, title: string) => ({
  title,
  runs: false,
  code: `id: ${type === 'snmp.SendTrap' ? 'snmp_trap' : 'snmp_inform'}
namespace: company.team

tasks:
  - id: notify
    type: ${type}
    host: nms.example.com
    community: "{{ secret('SNMP_COMMUNITY') }}"
    trapOid: 1.3.6.1.4.1.8072.2.3.0.1
    bindings:
      - oid: 1.3.6.1.4.1.8072.2.3.2.1
        value: The nightly load failed
`,
});

export const sendTrap = defineTask({
  type: 'snmp.SendTrap',
  title: 'Send an SNMP trap',
  description: `Sends a notification to a network management system. Nothing confirms that it arrives; use \`snmp.SendInform\` for that. A receiver of v3 must know
the engine \`0x80000000046d696c6c72616365\`, with which Millrace sends traps.`,
  input: () => z.object(properties),
  output: z.object({}),
  sideEffects: true,
  examples: [exampleOf('snmp.SendTrap', 'Tell a management system that a load failed.')],
  run: async (context, input) => {
    const message = trapOf(input);
    await withSocket(context, input, (socket, address) => send(socket, input.port, address, message));
    return {};
  },
});

export const sendInform = defineTask({
  type: 'snmp.SendInform',
  title: 'Send an SNMP inform',
  description:
    'Sends a notification and waits until the receiver confirms it. Without a confirmation the task does not fail: `acknowledged` is false and `error` says why.',
  input: () =>
    z.object({
      ...properties,
      retries: integerProperty({ min: 0 }).default(1).describe('How often to send again without a response.'),
    }),
  output: z.object({
    acknowledged: z.boolean().describe('Whether the receiver confirmed.'),
    error: z.string().optional().describe('Why not.'),
    responseText: z.string().optional().describe('The response in words.'),
  }),
  sideEffects: true,
  examples: [
    exampleOf('snmp.SendInform', 'Tell a management system that a load failed, and check that it knows.'),
  ],
  run: (context, input) => {
    if (versionOf(input) === 0)
      throw new TaskFailed('SNMP v1 has no informs; use "v2c" or "v3".', { retry: false });
    return withSocket(context, input, (socket, address) => inform(context, socket, address, input));
  },
});

const versions: Readonly<Record<string, number>> = { 1: 0, '2c': 1, 3: 3 };

function versionOf({ snmpVersion }: Input): number {
  const found = versions[snmpVersion.toLowerCase().replace(/^v/, '')];
  if (found !== undefined) return found;
  throw new TaskFailed(`"snmpVersion" must be v1, v2c or v3, got "${snmpVersion}".`, { retry: false });
}

function userOf({ v3 }: Input): User {
  if (v3) return v3;
  throw new TaskFailed('SNMP v3 needs the property "v3" with a user.', { retry: false });
}

const ticks = () => integer(Math.floor(uptime() * 100) % 2 ** 32, tags.timeTicks);
const binding = (name: string, value: Buffer) => sequence(oid(name), value);
const ownBindings = ({ bindings = [] }: Input) =>
  bindings.map((each) => binding(each.oid, octets(each.value)));

/** The data unit of v2c and v3: the time and the kind come first in the list. */
const notification = (tag: number, id: number, input: Input): Buffer =>
  encode(
    tag,
    Buffer.concat([
      integer(id),
      integer(0),
      integer(0),
      sequence(
        binding('1.3.6.1.2.1.1.3.0', ticks()),
        binding('1.3.6.1.6.3.1.1.4.1.0', oid(input.trapOid)),
        ...ownBindings(input),
      ),
    ]),
  );

/** The data unit of v1, converted as RFC 3584 says. */
function trapV1(input: Input): Buffer {
  const arcs = input.trapOid.replace(/^\./, '').split('.');
  const generic = /^1\.3\.6\.1\.6\.3\.1\.1\.5\.([1-6])$/.exec(arcs.join('.'))?.[1];
  const parent = arcs.slice(0, arcs.at(-2) === '0' ? -2 : -1).join('.');
  return encode(
    tags.trapV1,
    Buffer.concat([
      oid(generic === undefined ? parent : '1.3.6.1.6.3.1.1.5'),
      encode(tags.ipAddress, Buffer.from([0, 0, 0, 0])),
      integer(generic === undefined ? 6 : Number(generic) - 1),
      integer(generic === undefined ? Number(arcs.at(-1)) : 0),
      ticks(),
      sequence(...ownBindings(input)),
    ]),
  );
}

const inCommunity = (version: number, { community = 'public' }: Input, pdu: Buffer) =>
  sequence(integer(version), octets(community), pdu);

const newId = () => randomInt(1, 2 ** 31 - 1);

/** The time of the sender counts for traps; seconds since 1970 never go back, also after a restart. */
const ownEngine = (): Engine => ({
  id: Buffer.from('80000000046d696c6c72616365', 'hex'),
  boots: 1,
  time: Math.floor(Date.now() / 1000) % (2 ** 31 - 1),
});

function trapOf(input: Input): Buffer {
  const version = versionOf(input);
  if (version === 0) return inCommunity(0, input, trapV1(input));
  const pdu = notification(tags.trapV2, newId(), input);
  if (version === 1) return inCommunity(1, input, pdu);
  return secureMessage(pdu, userOf(input), ownEngine(), { id: newId(), isReportable: false });
}

async function inform(
  context: TaskContext,
  socket: Socket,
  address: string,
  input: Input & { readonly retries: number },
) {
  const exchange = (message: Buffer) => ask(context, socket, address, message, input);
  try {
    const id = newId();
    const pdu = notification(tags.inform, id, input);
    const message =
      versionOf(input) === 1
        ? inCommunity(1, input, pdu)
        : secureMessage(pdu, userOf(input), await discover(exchange), { id, isReportable: true });
    const response = await exchange(message);
    const kind = pduTag(response);
    if (kind === tags.report)
      return { acknowledged: false, error: 'The receiver refused the user or its keys.' };
    return { acknowledged: true, responseText: 'The receiver confirmed the inform.' };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof TaskFailed) throw error;
    return { acknowledged: false, error: messageOf(error) };
  }
}

/** The receiver of an inform keeps the time: it tells its engine when asked without one. */
async function discover(exchange: (message: Buffer) => Promise<Buffer>): Promise<Engine> {
  const unnamed = { id: Buffer.alloc(0), boots: 0, time: 0 };
  const pdu = encode(tags.get, Buffer.concat([integer(newId()), integer(0), integer(0), sequence()]));
  const message = secureMessage(pdu, { username: '' }, unnamed, { id: newId(), isReportable: true });
  const [, , security] = inside(decode(await exchange(message))[0]);
  const [engineId, boots, time] = inside(inside(security)[0]);
  if (!engineId) throw new Error('The receiver did not tell its engine.');
  return { id: engineId.content, boots: numberOf(boots), time: numberOf(time) };
}

/** Whether the response confirms or reports; an encrypted one is a confirmation, because reports are not encrypted. */
function pduTag(message: Buffer): number | undefined {
  const [version, , third, scoped] = inside(decode(message)[0]);
  if (numberOf(version) !== 3) return third?.tag;
  return scoped?.tag === tags.sequence ? inside(scoped)[2]?.tag : undefined;
}

async function withSocket<T>(
  context: TaskContext,
  { host, community, v3 }: Input,
  work: (socket: Socket, address: string) => Promise<T>,
): Promise<T> {
  for (const secret of [community, v3?.authPassword, v3?.privPassword])
    if (secret) context.masker.add(secret);
  await context.mayReach(`http://${host.includes(':') ? `[${host}]` : host}`);
  const address = isIP(host)
    ? host
    : await new Promise<string>((resolve, reject) =>
        context.lookup(host, {}, (error, found) => (error ? reject(error) : resolve(String(found)))),
      );
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
  try {
    return await work(socket, address);
  } finally {
    socket.close();
  }
}

const send = (socket: Socket, port: number, address: string, message: Buffer): Promise<void> =>
  new Promise((resolve, reject) =>
    socket.send(message, port, address, (error) => (error ? reject(error) : resolve())),
  );

/** Sends until a response arrives. */
async function ask(
  context: TaskContext,
  socket: Socket,
  address: string,
  message: Buffer,
  { port, timeoutMs, retries }: Input & { readonly retries: number },
): Promise<Buffer> {
  for (let tries = 0; tries <= retries; tries++) {
    const ended = new AbortController();
    const timeout = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs), ended.signal]);
    const response = new Promise<Buffer | undefined>((resolve, reject) => {
      socket.once('message', resolve);
      socket.once('error', reject);
      timeout.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    await send(socket, port, address, message);
    const found = await response.finally(() => {
      ended.abort();
      socket.removeAllListeners('message');
      socket.removeAllListeners('error');
    });
    context.signal.throwIfAborted();
    if (found) return found;
  }
  throw new Error(`No response within ${timeoutMs} ms after ${retries + 1} tries.`);
}
