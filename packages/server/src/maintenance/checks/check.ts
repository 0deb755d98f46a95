import type { Config } from '../../config/schema.ts';

/** One thing that was looked at. `warning` works but should be seen to; `failed` does not work. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
}

export interface CheckParts {
  readonly config: Config;
  readonly now: number;
}

export type Check = (parts: CheckParts) => Promise<Finding[]>;
