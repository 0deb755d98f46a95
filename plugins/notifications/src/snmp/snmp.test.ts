import { createSocket } from 'node:dgram';
import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realNetwork, runType } from '@millrace/plugin-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { decode, encode, inside, integer, numberOf, octets, sequence, tags, type Value } from './ber.ts';
import { sendInform, sendTrap } from './snmp.ts';

/** A receiver of datagrams that may respond to each. */
async function startReceiver(respond: (message: Value[]) => Buffer | undefined = () => undefined) {
  const received: Value[][] = [];
  const socket = createSocket('udp4');
  socket.on('message', (bytes, { port, address }) => {
    const message = inside(decode(bytes)[0]);
    received.push(message);
    const response = respond(message);
    if (response) socket.send(response, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void socket.close());
  return { received, port: socket.address().port };
}

const run = (task: TaskDefinition, properties: object) =>
  runType(
    task,
    { host: '127.0.0.1', trapOid: '1.3.6.1.4.1.8072.2.3.0.1', ...properties },
    aTaskContext(realNetwork()),
  );
const bindings = [{ oid: '1.3.6.1.4.1.8072.2.3.2.1', value: 'failed' }];
const trapOid = '2b06010401bf0802030001';

test('a trap of v2c names time, kind and values; one of v1 its enterprise', async () => {
  const { received, port } = await startReceiver();
  await run(sendTrap, { port, bindings });
  await expect.poll(() => received.length).toBe(1);
  const [version, community, pdu] = received[0] ?? [];
  expect([numberOf(version), String(community?.content), pdu?.tag]).toEqual([1, 'public', tags.trapV2]);
  const list = inside(inside(pdu)[3]).map((each) => inside(each));
  expect(list.map(([name]) => name?.content.toString('hex'))).toEqual([
    '2b06010201010300',
    '2b060106030101040100',
    '2b06010401bf0802030201',
  ]);
  expect(list[1]?.[1]?.content.toString('hex')).toBe(trapOid);
  expect(String(list[2]?.[1]?.content)).toBe('failed');
  await run(sendTrap, { port, bindings, snmpVersion: 'v1', community: 'private' });
  await expect.poll(() => received.length).toBe(2);
  const [enterprise, , generic, specific] = inside(received[1]?.[2]);
  expect(enterprise?.content.toString('hex')).toBe('2b06010401bf080203');
  expect([numberOf(generic), numberOf(specific)]).toEqual([6, 1]);
  await expect(run(sendTrap, { port, trapOid: 'coldStart' })).rejects.toThrow('object identifier');
});

test('an inform is confirmed by a response, and says when none comes', async () => {
  const { port } = await startReceiver(([version, community, pdu]) =>
    sequence(
      integer(numberOf(version)),
      octets(community?.content ?? ''),
      encode(tags.response, pdu?.content ?? Buffer.alloc(0)),
    ),
  );
  expect(await run(sendInform, { port, bindings })).toMatchObject({ acknowledged: true });
  const silent = await startReceiver();
  expect(await run(sendInform, { port: silent.port, timeoutMs: 20, retries: 2 })).toEqual({
    acknowledged: false,
    error: 'No response within 20 ms after 3 tries.',
  });
  expect(silent.received).toHaveLength(3);
  await expect(run(sendInform, { port, snmpVersion: 'v1' })).rejects.toThrow('no informs');
});

test('an inform of v3 asks the receiver for its engine, then authenticates and encrypts', async () => {
  const engine = Buffer.from('80001f8880aabbccdd', 'hex');
  const { received, port } = await startReceiver(() => {
    const report = encode(tags.report, Buffer.concat([integer(1), integer(0), integer(0), sequence()]));
    const security = sequence(octets(engine), integer(4), integer(77), octets(''), octets(''), octets(''));
    return sequence(
      integer(3),
      sequence(integer(1), integer(65_507), octets(Buffer.from([0])), integer(3)),
      octets(security),
      sequence(octets(engine), octets(''), report),
    );
  });
  const v3 = { username: 'robot', authPassword: 'long enough', privPassword: 'also long enough' };
  expect(await run(sendInform, { port, snmpVersion: 'v3', v3 })).toEqual({
    acknowledged: false,
    error: 'The receiver refused the user or its keys.',
  });
  const [, header, security, content] = received[1] ?? [];
  const [id, boots, time, user, mac, salt] = inside(inside({ ...security, tag: 0x30 } as Value)[0]);
  expect(inside(header)[2]?.content[0]).toBe(7);
  expect([id?.content.equals(engine), numberOf(boots), numberOf(time), String(user?.content)]).toEqual([
    true,
    4,
    77,
    'robot',
  ]);
  expect([mac?.content.length, salt?.content.length, content?.tag]).toEqual([12, 8, tags.octets]);
  await expect(run(sendTrap, { port, snmpVersion: 'v3' })).rejects.toThrow('"v3" with a user');
});
