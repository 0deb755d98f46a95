import { type Google, openGoogleWith, refreshToken, scopesProperty } from '@millrace/plugin-gcp/google';
import {
  defineTask,
  type Example,
  type Later,
  type MetricInfo,
  type TaskContext,
  type TaskDefinition,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { readTimeoutProperty, scope } from '../workspace.ts';

export const gmailUrl = 'https://gmail.googleapis.com/gmail/v1/users/me/messages';

export const mailProperties = {
  clientId: text().describe('The id of the OAuth client.'),
  clientSecret: text().describe('The secret of the OAuth client.'),
  refreshToken: text().describe('The refresh token of the user.'),
  accessToken: text()
    .optional()
    .describe('An access token, used instead of the refresh token while it is valid.'),
  scopes: scopesProperty(scope('gmail.modify'), scope('gmail.readonly'), scope('gmail.send')).describe(
    'The scopes of the refresh token, for information: the user has chosen them.',
  ),
  readTimeout: readTimeoutProperty(),
};
type Shape = z.ZodRawShape;
type InputOf<S extends Shape> = z.infer<z.ZodObject<S>>;
export type MailInput = InputOf<typeof mailProperties>;

/** Gmail belongs to a user, who has allowed an OAuth client to act for them. */
export function openGmail(context: TaskContext, input: MailInput): Google {
  for (const secret of [input.clientSecret, input.refreshToken, input.accessToken])
    if (secret) context.masker.add(secret);
  let known: { value: string; expiresAt: number } | undefined = input.accessToken
    ? { value: input.accessToken, expiresAt: Number.POSITIVE_INFINITY }
    : undefined;
  return openGoogleWith(
    context,
    async ({ fresh }) => {
      if (fresh || !known || known.expiresAt - 60_000 < Date.now()) {
        known = await refreshToken(context, input);
        context.masker.add(known.value);
      }
      return known.value;
    },
    input.readTimeout * 1000,
  );
}

interface MailTask<S extends Shape, O extends z.ZodObject> {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly examples: readonly Example[];
  readonly properties: S;
  readonly output: Later<O>;
  readonly metrics?: readonly MetricInfo[];
  run(google: Google, input: InputOf<S>, context: TaskContext): Promise<z.input<O>>;
}

export function defineMailTask<S extends Shape, O extends z.ZodObject>({
  properties,
  run,
  ...words
}: MailTask<S, O>): TaskDefinition {
  return defineTask({
    ...words,
    input: () => z.object({ ...mailProperties, ...properties }),
    sideEffects: true,
    run: (context, read) => {
      // `as`: the schema is the sum of both.
      const input = read as InputOf<S> & MailInput;
      return run(openGmail(context, input), input, context);
    },
  });
}

export const mailLogin = `    clientId: 1234.apps.googleusercontent.com
    clientSecret: "{{ secret('GMAIL_CLIENT_SECRET') }}"
    refreshToken: "{{ secret('GMAIL_REFRESH_TOKEN') }}"`;
