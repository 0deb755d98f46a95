/** One response of the management port. */
export interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const json = (status: number, body: unknown, headers: Page['headers'] = {}): Page => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
  headers,
});
