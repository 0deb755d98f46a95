import { TaskFailed } from '@millrace/plugin-kit';
import { runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { discordWebhook } from '../discord/discord.ts';
import { slackWebhook } from '../slack/webhooks.ts';
import { aNotifyingContext, startReceiver } from '../testing/receiver.ts';

const path = '/services/T0000/B0000/XXXXXXXXXXXXXXXXXXXXXXXX';

const failureOf = async (run: Promise<unknown>): Promise<TaskFailed> => {
  const error = await run.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(TaskFailed);
  return error as TaskFailed; // checked above
};

describe('a refused message', () => {
  test.each([
    [401, 'invalid_token', 'Check the credentials', false],
    [404, 'no_service', 'Check the address', false],
    [400, 'invalid_payload', 'invalid_payload', false],
    [500, 'oops', 'status 500: oops', true],
    [503, '', 'status 503.', true],
  ])('with status %i says what to do and whether to try again', async (status, body, words, retry) => {
    const { url, received } = await startReceiver(() => ({ status, body }));
    const failure = await failureOf(
      runType(slackWebhook, { url: `${url}${path}`, messageText: 'x' }, aNotifyingContext()),
    );
    expect(failure.message).toContain('Slack (127.0.0.1:');
    expect(failure.message).toContain(words);
    expect(failure.retry).toBe(retry);
    expect(failure.message).not.toContain('XXXXXXXX');
    expect(received).toHaveLength(1);
  });

  test('that repeats the address or the token keeps them out of the message and the log', async () => {
    const { url } = await startReceiver((request) => ({
      status: 500,
      body: `no such hook ${request.path} XXXXXXXXXXXXXXXXXXXXXXXX`,
    }));
    const context = aNotifyingContext();
    const failure = await failureOf(
      runType(slackWebhook, { url: `${url}${path}`, messageText: 'x' }, context),
    );
    expect(failure.message).toContain('no such hook ');
    expect(failure.message).not.toContain('XXXXXXXX');
    expect(context.masker.mask(`${url}${path}`)).not.toContain('XXXXXXXX');
  });
});

describe('a service that limits requests', () => {
  test('is asked again after the pause that it names', async () => {
    const { url, received } = await startReceiver((_, count) =>
      count < 3 ? { status: 429, headers: { 'retry-after': '0.01' } } : { body: 'ok' },
    );
    const context = aNotifyingContext();
    await runType(slackWebhook, { url: `${url}${path}`, messageText: 'x' }, context);
    expect(received).toHaveLength(3);
    expect(context.logs[0]).toMatchObject({
      level: 'WARN',
      message: expect.stringContaining('trying again in 0.01 s'),
    });
  });

  test.each([{ 'retry-after': '3600' }, {}])(
    'and names a long pause or none fails the task: %j',
    async (headers) => {
      const { url, received } = await startReceiver(() => ({ status: 429, headers }));
      const failure = await failureOf(
        runType(slackWebhook, { url: `${url}${path}`, messageText: 'x' }, aNotifyingContext()),
      );
      expect(failure.message).toContain('Add a `retry`');
      expect(failure.retry).toBe(true);
      expect(received).toHaveLength(1);
    },
  );
});

describe('a service that cannot be reached', () => {
  test('fails the task without its secret path', async () => {
    const failure = await failureOf(
      runType(discordWebhook, { url: `http://127.0.0.1:1${path}`, payload: '{}' }, aNotifyingContext()),
    );
    expect(failure.message).toMatch(/^Discord \(127\.0\.0\.1:1\) could not be reached: .*ECONNREFUSED/);
  });

  test('or does not respond fails the task after its timeout', async () => {
    const { url } = await startReceiver(() => 'silence');
    const failure = await failureOf(
      runType(
        discordWebhook,
        { url: `${url}${path}`, payload: '{}', options: { readTimeout: 'PT0.05S' } },
        aNotifyingContext(),
      ),
    );
    expect(failure.message).toContain('did not answer in time');
  });

  test('is given up when the task is killed', async () => {
    const context = aNotifyingContext();
    const { url } = await startReceiver(() => {
      context.kill();
      return 'silence';
    });
    await expect(runType(discordWebhook, { url: `${url}${path}`, payload: '{}' }, context)).rejects.toThrow();
  });

  test('because its address is no URL fails the task without showing it', async () => {
    const failure = await failureOf(
      runType(discordWebhook, { url: 'hooks/SECRETSECRET', payload: '{}' }, aNotifyingContext()),
    );
    expect(failure.message).toBe('The address of the service is not a valid URL.');
  });
});

describe('a payload', () => {
  const send = async (payload: unknown) => {
    const { url, received } = await startReceiver();
    await runType(
      discordWebhook,
      { url, payload, options: { headers: { 'X-Team': 'data' } } },
      aNotifyingContext(),
    );
    return received[0]!;
  };

  test('is sent as JSON with the headers of the options', async () => {
    const { body, headers, method } = await send('{"content": "hi"}');
    expect({ body, method }).toEqual({ body: { content: 'hi' }, method: 'POST' });
    expect(headers).toMatchObject({ 'content-type': 'application/json;charset=UTF-8', 'x-team': 'data' });
  });

  test('may be a map of the flow', async () => {
    expect((await send({ content: 'hi' })).body).toEqual({ content: 'hi' });
  });

  test('may hold line breaks that an expression brought', async () => {
    expect((await send('{"content": "one\ntwo\t\\"x\\""}')).body).toEqual({ content: 'one\ntwo\t"x"' });
  });

  test.each([
    ['{"content": ', '"payload" must be valid JSON'],
    [undefined, '"payload" must be given'],
  ])('that is %s fails the task', async (payload, words) => {
    const failure = await failureOf(
      runType(discordWebhook, { url: 'http://127.0.0.1:1', payload }, aNotifyingContext()),
    );
    expect(failure.message).toContain(words);
    expect(failure.retry).toBe(false);
  });
});
